/**
 * Charging profiles as an EMSP asks for them (mod_charging_profiles): set, read or clear, of one session. Like a command:
 * an answer at once, and one result that comes to a response_url of ours.
 */
import { Effect } from "effect"
import type { ObjectName } from "../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../../src/findings/json.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { performCall } from "../../../src/party/outbound/performCall.ts"
import type { Party } from "../../../src/store/parties/Party.ts"

type ProfileRequest =
  /** `profile`: a ChargingProfile of the party's version. */
  | { readonly request: "set"; readonly profile: JsonObject }
  | { readonly request: "read"; readonly durationSeconds: number }
  | { readonly request: "clear" }

/** Of the result to each request. */
const resultNames: Readonly<Record<ProfileRequest["request"], ObjectName>> = {
  set: "ChargingProfileResult",
  read: "ActiveChargingProfileResult",
  clear: "ClearProfileResult"
}
const methods = { set: "PUT", read: "GET", clear: "DELETE" } as const

/**
 * Sends the request, as the party's faults have it; its result can be read with `PartnerCalls.results` under `resultKey` from then
 * on. Fails where the partner takes no charging profiles, as in versions that have none.
 */
export const askForProfile = Effect.fnUntraced(function* (
  party: Party,
  sessionId: string,
  asked: ProfileRequest,
  resultKey: string
) {
  const calls = yield* PartnerCalls
  const module = "chargingprofiles"
  const responseUrl = yield* calls.expectResult(party, resultNames[asked.request], resultKey, { module })
  const method = methods[asked.request]
  const query = {
    ...(asked.request === "read" ? { duration: String(asked.durationSeconds) } : {}),
    response_url: responseUrl
  }
  yield* performCall(party, {
    module,
    interfaceRole: "RECEIVER",
    operation: `${method} chargingprofile`,
    method,
    path: [sessionId],
    ...(asked.request === "set"
      ? { body: { charging_profile: asked.profile, response_url: responseUrl } }
      : { query })
  })
})
