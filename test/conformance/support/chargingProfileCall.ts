/**
 * Charging profiles as an EMSP asks for them (mod_charging_profiles): set, read or clear, of one session. Like a command:
 * an answer at once, and one result that comes to a response_url of ours.
 */
import { Effect } from "effect"
import type { ObjectName } from "../../../schema/ocpi/VersionProfile.ts"
import type { JsonObject } from "../../../src/findings/json.ts"
import type { OcpiCall } from "../../../src/ocpi/OcpiClient.ts"
import type { NoEndpoint } from "../../../src/party/outbound/endpointUrl.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import type { Party } from "../../../src/store/parties/Party.ts"

export type ProfileRequest =
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
 * The call to make; its result can be read with `PartnerCalls.results` under `resultKey` from then on. Fails where the
 * partner takes no charging profiles, as in versions that have none.
 */
export const chargingProfileCall = (
  party: Party,
  sessionId: string,
  asked: ProfileRequest,
  ids: { readonly exchangeId: string; readonly resultKey: string; readonly correlationId?: string }
): Effect.Effect<OcpiCall, NoEndpoint, PartnerCalls> =>
  Effect.gen(function* () {
    const calls = yield* PartnerCalls
    const module = "chargingprofiles"
    const responseUrl = yield* calls.expectResult(party, resultNames[asked.request], ids.resultKey, {
      module
    })
    const method = methods[asked.request]
    const query = {
      ...(asked.request === "read" ? { duration: String(asked.durationSeconds) } : {}),
      response_url: responseUrl
    }
    return yield* calls.prepare(party, {
      module,
      interfaceRole: "RECEIVER",
      operation: `${method} chargingprofile`,
      method,
      path: [sessionId],
      exchangeId: ids.exchangeId,
      ...(asked.request === "set"
        ? { body: { charging_profile: asked.profile, response_url: responseUrl } }
        : { query }),
      ...(ids.correlationId === undefined ? {} : { correlationId: ids.correlationId })
    })
  })
