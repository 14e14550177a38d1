/** Validates a partner's body before it is used. */
import { Effect } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { ObjectName, VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { isObject, type JsonObject, sameId } from "../../findings/json.ts"
import { pointerInWords } from "../../findings/pointer.ts"
import { type FoundFlaws, violationsInTurns } from "../../findings/violations/violations.ts"
import { actualOf } from "../../findings/words.ts"
import type { ModuleCall, Refusal } from "./Route.ts"
import { refusal } from "./Route.ts"

/** The most violations that an answer names. */
const mostNamed = 3

/**
 * The body as an object that is valid by the version's schema; else 2001 with the first violations. Unknown fields are
 * kept.
 */
export const validBody = (call: ModuleCall, name: ObjectName): Effect.Effect<JsonObject, Refusal> => {
  const { json, profile } = call
  return isObject(json) ? Effect.as(valid(profile, name, json), json) : objectBody(call)
}

/** The body as an object of any shape; else 2001. */
export const objectBody = (call: ModuleCall): Effect.Effect<JsonObject, Refusal> =>
  isObject(call.json)
    ? Effect.succeed(call.json)
    : Effect.fail(refusal(ocpiStatus.invalidParameters, "The request body must be a JSON object"))

/**
 * Fails with 2001 and the first violations, unless the value is valid. A version without that schema accepts everything.
 * Validation of a large value lets other work run in between.
 */
export const valid = (
  profile: VersionProfile,
  name: ObjectName,
  json: unknown
): Effect.Effect<void, Refusal> => {
  const schema = profile.objects[name]
  return schema === undefined
    ? Effect.void
    : Effect.flatMap(violationsInTurns(schema, json), (found) =>
        found.count === 0 ? Effect.void : invalid(name, found)
      )
}

function invalid(name: ObjectName, { count, kept }: FoundFlaws): Refusal {
  const named = kept
    .slice(0, mostNamed)
    .map(({ message, pointer }) =>
      message.startsWith(`${pointerInWords(pointer)} `) ? message : `${pointer || "/"}: ${message}`
    )
  const more = count > mostNamed ? ` (and ${count - mostNamed} more)` : ""
  return refusal(ocpiStatus.invalidParameters, `Not a valid ${name}: ${named.join("; ")}${more}`)
}

/** Fails with 2001 when an id in the body differs from the one in the path. An absent one is left to the schema. */
export const sameIds = (
  json: JsonObject,
  pairs: Readonly<Record<string, string | undefined>>
): Effect.Effect<void, Refusal> => {
  const wrong = Object.entries(pairs).find(
    ([field, expected]) => expected !== undefined && field in json && !sameId(json[field], expected)
  )
  return wrong === undefined
    ? Effect.void
    : Effect.fail(
        refusal(
          ocpiStatus.invalidParameters,
          `${wrong[0]} in the body is ${actualOf(json[wrong[0]])}, in the path ${JSON.stringify(wrong[1])}`
        )
      )
}
