/** Holding one JSON value against the definition of an OCPI object. */
import { Schema } from "effect"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import type { ObjectName } from "./ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "./ocpi/versions.ts"

const names = [...new Set(versionNumbers.flatMap((version) => Object.keys(profileOf(version).objects)))]

/** The objects that one version or another defines. */
export const objectNames = names as unknown as readonly [ObjectName, ...Array<ObjectName>] // keys of `objects` are such names

export const OcpiObject = Schema.Literal(...objectNames).annotations({
  identifier: "OcpiObject",
  message: ({ actual }) => ({
    message: `expected one of ${objectNames.join(", ")}, actual ${JSON.stringify(actual)}`,
    override: true
  })
})

/**
 * What kind of rule a violation breaks. `required`: a field is missing. `not_null`: a required field is null. `type`: text,
 * number, list or object is not what was expected. `enum`: not one of the allowed words. `cardinality`: an empty list where
 * one entry is needed. `value`: length, form or range. `between_fields`: what one field says of another.
 */
export const ViolatedRule = Schema.Literal(
  "required",
  "not_null",
  "type",
  "enum",
  "cardinality",
  "value",
  "between_fields"
).annotations({ identifier: "ViolatedRule" })
export type ViolatedRule = typeof ViolatedRule.Type

export const ValidateRequest = Schema.Struct({
  ocpiVersion: OcpiVersion,
  object: OcpiObject,
  /** The value itself, without OCPI's envelope. */
  json: Schema.Unknown.pipe(
    // A field that may be anything may also be left out, which is not what was asked.
    Schema.filter((value) => value !== undefined || "is missing", { jsonSchema: {} })
  )
}).annotations({ identifier: "ValidateRequest" })
export type ValidateRequest = typeof ValidateRequest.Type

export const Violation = Schema.Struct({
  /** JSON Pointer into the value; empty = the whole. */
  pointer: Schema.String,
  rule: ViolatedRule,
  /** OCPI document and section of the innermost object round the place. */
  section: Schema.String,
  expected: Schema.NullOr(Schema.String),
  actual: Schema.NullOr(Schema.String),
  message: Schema.String
}).annotations({ identifier: "Violation" })
export type Violation = typeof Violation.Type

/** Most entries of each list of a report. */
export const mostListed = 1000

export const ValidationReport = Schema.Struct({
  ocpiVersion: OcpiVersion,
  object: OcpiObject,
  /** OCPI document and section of the object. */
  section: Schema.String,
  valid: Schema.Boolean,
  /** How many there are; the first 1000 are in `violations`. */
  violationCount: Schema.Int,
  violations: Schema.Array(Violation),
  /** Information, no mistakes: JSON Pointers of fields that the version does not define. */
  unknownFields: Schema.Array(Schema.String),
  /** Information, no mistakes: words of open enums that the version does not list. */
  unknownWords: Schema.Array(Schema.Struct({ pointer: Schema.String, word: Schema.String }))
}).annotations({ identifier: "ValidationReport" })
export type ValidationReport = typeof ValidationReport.Type
