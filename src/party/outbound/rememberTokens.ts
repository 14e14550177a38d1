/**
 * Remembers tokens that credentials hand over, also those that are refused: the partner may repeat them later, and they
 * must be redacted.
 */
import { Effect, Redacted } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { OcpiCall, PartnerAnswer } from "../../ocpi/OcpiClient.ts"
import { tokensHandedOver } from "../../ocpi/Scrubber.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"

/** The most tokens of one exchange: a partner must not push out remembered tokens with invented ones. */
const mostOfOne = 4

/** Remembers the tokens of our request and its answer; does nothing for other modules than credentials. */
export const rememberAnswered = (
  id: PartyId,
  request: Pick<OcpiCall, "module" | "body">,
  { body }: Pick<PartnerAnswer, "body">
): Effect.Effect<void, never, PartyStore> =>
  request.module === "credentials"
    ? rememberTokens(
        id,
        JSON.stringify(request.body ?? null),
        body === undefined ? null : Redacted.value(body),
        request.module
      )
    : Effect.void

/** Remembers the tokens in the bodies of an exchange, as they were sent. `module`: that of the exchange. */
export const rememberTokens = (
  id: PartyId,
  request: string | null,
  response: string | null,
  module: string
): Effect.Effect<void, never, PartyStore> => {
  const handed = tokensHandedOver(request, response, module)
  return handed.length === 0
    ? Effect.void
    : Effect.flatMap(PartyStore, (store) => store.remember(id, handed.slice(0, mostOfOne)))
}
