/** The authorization references that we gave during the run: in answers to authorize, and in commands. */
import { pathSegments } from "../../../findings/calledPath.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { callsAt, chargingCalls } from "../charge/chargingCalls.ts"
import { start } from "../commands/remoteStartsProbes.ts"
import { preferring } from "./preferencesProbes.ts"

/** Steps that send a command with a reference, if the run has taken them. */
const commands: ReadonlyArray<string> = [`${start}#start`, `${preferring}#start`]

/** An authorization_reference that we gave: `at` is when (ISO 8601), `uid` that of the token, in upper case. */
interface GivenReference {
  readonly by: "authorize" | "command"
  readonly at: string
  readonly uid: string
  readonly reference: string
}

/** The references that we gave during the run, in START_SESSION and in answers to authorize, oldest first. */
export const givenReferences = (evidence: Evidence): ReadonlyArray<GivenReference> => {
  const ordered = commands
    .flatMap((step) => evidence.answered(step))
    .map(({ exchange }) => {
      const body = objectIn(parseJson(exchange.request.body ?? ""))
      return {
        by: "command" as const,
        at: exchange.startedAt,
        uid: textIn(objectIn(body["token"])["uid"]),
        reference: textIn(body["authorization_reference"])
      }
    })
  const asked = callsAt(evidence, chargingCalls).flatMap(({ exchange }) => {
    const path = pathSegments(exchange.request.url)
    if (exchange.module !== "tokens" || path.at(-1) !== "authorize") return []
    const data = objectIn(objectIn(parseJson(exchange.response?.body ?? ""))["data"])
    const reference = textIn(data["authorization_reference"])
    return [{ by: "authorize" as const, at: exchange.startedAt, uid: path.at(-2), reference }]
  })
  return [...ordered, ...asked]
    .toSorted((a, b) => (a.at < b.at ? -1 : 1))
    .flatMap(({ at, by, reference, uid }) =>
      uid === undefined || reference === undefined ? [] : [{ by, at, uid: uid.toUpperCase(), reference }]
    )
}
