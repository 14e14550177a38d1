/** Validates one JSON value against the definition of an OCPI object. */
import { Effect } from "effect"
import { Unsupported } from "../../../schema/Errors.ts"
import { sectionAt } from "../../../schema/ocpi/sections.ts"
import { unknownFields } from "../../../schema/ocpi/unknownFields.ts"
import { unknownWords } from "../../../schema/ocpi/unknownWords.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { mostListed, type ValidateRequest, type ValidationReport } from "../../../schema/Validation.ts"
import type { RuledFlaw } from "../../findings/violations/issueFlaws.ts"
import { violationsInTurns } from "../../findings/violations/violations.ts"

/** The report of violations. `Unsupported` when the version does not define the object; the message lists those it does. */
export const validateObject = Effect.fnUntraced(function* ({
  json,
  object,
  ocpiVersion
}: ValidateRequest): Effect.fn.Return<ValidationReport, Unsupported> {
  const { objects } = profileOf(ocpiVersion)
  const schema = objects[object]
  if (schema === undefined) {
    const known = Object.keys(objects).join(", ")
    return yield* new Unsupported({
      message: `unsupported: OCPI ${ocpiVersion} defines no ${object}; it has ${known}`
    })
  }
  const section = sectionAt(schema, []) ?? object
  const { count, kept } = yield* violationsInTurns(schema, json)
  return {
    ocpiVersion,
    object,
    section,
    valid: count === 0,
    violationCount: count,
    violations: kept.slice(0, mostListed).map((flaw) => ({
      pointer: flaw.pointer,
      rule: flaw.rule,
      section: sectionAt(schema, pathOf(flaw)) ?? section,
      expected: flaw.expected ?? null,
      actual: flaw.actual ?? null,
      message: flaw.message
    })),
    unknownFields: unknownFields(schema, json).slice(0, mostListed),
    unknownWords: unknownWords(schema, json)
      .slice(0, mostListed)
      .map(({ pointer, word }) => ({ pointer, word }))
  }
})

/** The path whose section applies: for a missing field that of the object that lacks it. */
function pathOf({ pointer, rule }: RuledFlaw): ReadonlyArray<string> {
  const steps = pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"))
  return rule === "required" || rule === "not_null" ? steps.slice(0, -1) : steps
}
