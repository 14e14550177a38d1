/** Validation of one JSON value against the definition of an OCPI object. */
import { Schema } from "effect"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import type { ObjectName } from "./ocpi/VersionProfile.ts"
import { profileOf, versionNumbers } from "./ocpi/versions.ts"

const names = [...new Set(versionNumbers.flatMap((version) => Object.keys(profileOf(version).objects)))]

/** The names of the objects that at least one version defines. */
export const objectNames = names as unknown as readonly [ObjectName, ...Array<ObjectName>] // keys of `objects` are such names

/** The name of an OCPI object; `profileOf(version).objects` says which versions define it. */
const OcpiObject = Schema.Literal(...objectNames).annotations({
  identifier: "OcpiObject",
  message: ({ actual }) => ({
    message: `expected one of ${objectNames.join(", ")}, actual ${JSON.stringify(actual)}`,
    override: true
  })
})

/**
 * The kind of rule that a violation breaks. `required`: a field is missing. `not_null`: a required field is null. `type`: the
 * JSON type (text, number, list, object) is wrong. `enum`: not one of the allowed words. `cardinality`: an empty list that
 * needs an entry. `value`: length, format or range. `between_fields`: a rule that involves several fields.
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

/** A JSON value, and the object and version to validate it against. */
export const ValidateRequest = Schema.Struct({
  ocpiVersion: OcpiVersion,
  object: OcpiObject,
  /** The value itself, without OCPI's envelope. */
  json: Schema.Unknown.pipe(
    // Schema.Unknown accepts a missing field; here it is required.
    Schema.filter((value) => value !== undefined || "is missing", { jsonSchema: {} })
  )
}).annotations({ identifier: "ValidateRequest" })
export type ValidateRequest = typeof ValidateRequest.Type

/** One rule that the value breaks. */
const Violation = Schema.Struct({
  /** JSON Pointer into the value; empty = the whole. */
  pointer: Schema.String,
  rule: ViolatedRule,
  /** OCPI document and section of the innermost object that holds the place. */
  section: Schema.String,
  expected: Schema.NullOr(Schema.String),
  actual: Schema.NullOr(Schema.String),
  message: Schema.String
}).annotations({ identifier: "Violation" })

/** Maximum length of each list in a report. */
export const mostListed = 1000

/** The result of a validation; `valid` when there are no violations. */
export const ValidationReport = Schema.Struct({
  ocpiVersion: OcpiVersion,
  object: OcpiObject,
  /** OCPI document and section of the object. */
  section: Schema.String,
  valid: Schema.Boolean,
  /** Number of violations in all; `violations` holds the first 1000. */
  violationCount: Schema.Int,
  violations: Schema.Array(Violation),
  /** JSON Pointers of fields that the version does not define. Information only: OCPI allows them. */
  unknownFields: Schema.Array(Schema.String),
  /** Words in open enums that the version does not list. Information only: OCPI allows them. */
  unknownWords: Schema.Array(Schema.Struct({ pointer: Schema.String, word: Schema.String }))
}).annotations({ identifier: "ValidationReport" })
export type ValidationReport = typeof ValidationReport.Type
