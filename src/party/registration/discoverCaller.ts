/** Discovery at a partner that hands us its credentials; faults of sandbox partners change how it is done. */
import { Effect } from "effect"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { OcpiClient } from "../../ocpi/OcpiClient.ts"
import type { Party } from "../../store/parties/Party.ts"
import type { PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"
import { type DiscoveryRequest, discover } from "../outbound/discovery.ts"
import type { PartnerCalls } from "../outbound/PartnerCalls.ts"
import { performCall } from "../outbound/performCall.ts"
import type { Discovery } from "../wire/Discovery.ts"
import { PartnerQuirks } from "../wire/PartnerQuirks.ts"
import type { RegistrationError } from "../wire/RegistrationError.ts"

/** Discovers the versions and endpoints of the caller. `own`: the token of its request, which our party issued. */
export const discoverCaller = Effect.fnUntraced(function* (
  party: Party,
  request: DiscoveryRequest,
  own: PartyToken
): Effect.fn.Return<Discovery, RegistrationError, PartnerQuirks | PartnerCalls | OcpiClient | PartyStore> {
  const { callBack } = party.kind === "sandbox" ? (yield* PartnerQuirks).of(party) : {}
  const form = profileOf(party.version).authorization
  const nothing: Discovery = { endpoints: [], form, deviations: [] }
  switch (callBack) {
    case undefined:
      return yield* discover(party, request)
    case "none":
      return nothing
    case "own token":
      return yield* discover(
        party,
        own.name === "tokenA" ? { ...request, name: own.name, token: own.value } : request
      )
    case "list only": {
      yield* performCall(party, {
        module: "versions",
        interfaceRole: "SENDER",
        operation: "list",
        method: "GET",
        url: request.versionsUrl,
        correlationId: request.correlationId,
        authorization: { name: request.name, token: request.token, form, at: [request.versionsUrl] }
      }).pipe(Effect.orDie) // a URL needs no endpoint
      return nothing
    }
  }
})
