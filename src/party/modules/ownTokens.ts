/** Whether sessions and CDRs that an EMSP gets name its own tokens. */
import { Effect } from "effect"
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import { type JsonObject, sameId } from "../../findings/json.ts"
import { tokenOwner } from "../../findings/tokenOwner.ts"
import type { ModuleCall, Refusal } from "./Route.ts"
import { refusal } from "./Route.ts"

/**
 * A sandbox EMSP refuses a session or CDR with a token of another EMSP. Our own side of a connection accepts it, so that
 * a check can report it as a finding about the partner.
 */
export const ofOwnToken = (
  { party, profile }: ModuleCall,
  json: JsonObject
): Effect.Effect<void, Refusal> => {
  const owner = tokenOwner(profile, json)
  const ours = `${party.identity.countryCode}-${party.identity.partyId}`
  return party.kind !== "sandbox" || owner === undefined || sameId(owner, ours)
    ? Effect.void
    : Effect.fail(
        refusal(
          profile.authorizationDetails ? ocpiStatus.unknownToken : ocpiStatus.invalidParameters,
          `The token is one of ${owner}, not of ${ours}`
        )
      )
}
