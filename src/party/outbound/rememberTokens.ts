/** Tokens that credentials hand over are remembered, also where they are refused: the partner may repeat them later. */
import { Effect, Redacted } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { OcpiCall, PartnerAnswer } from "../../ocpi/OcpiClient.ts"
import { tokensHandedOver } from "../../ocpi/Scrubber.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"

/** So many of one exchange: a partner must not push out with made-up ones what is remembered already. */
const mostOfOne = 4

/** Of a request of ours and its answer, whatever sent it; nothing where the module is another one. */
export const rememberAnswered = (
  id: PartyId,
  request: Pick<OcpiCall, "module" | "body">,
  { body }: Pick<PartnerAnswer, "body">
): Effect.Effect<void, never, PartyStore> =>
  request.module === "credentials"
    ? rememberTokens(
        id,
        JSON.stringify(request.body ?? null),
        body === undefined ? null : Redacted.value(body)
      )
    : Effect.void

/** Bodies of an exchange of the credentials module, as they were sent. */
export const rememberTokens = (
  id: PartyId,
  request: string | null,
  response: string | null
): Effect.Effect<void, never, PartyStore> =>
  Effect.flatMap(PartyStore, (store) =>
    store.remember(id, tokensHandedOver(request, response).slice(0, mostOfOne))
  )
