/** Tokens that credentials hand over are remembered, also where they are refused: the partner may repeat them later. */
import { Effect } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import { tokensHandedOver } from "../ocpi/Scrubber.ts"
import { PartyStore } from "../store/PartyStore.ts"

/** So many of one exchange: a partner must not push out with made-up ones what is remembered already. */
const mostOfOne = 4

/** Bodies of an exchange of the credentials module, as they were sent. */
export const rememberTokens = (
  id: PartyId,
  request: string | null,
  response: string | null
): Effect.Effect<void, never, PartyStore> =>
  Effect.flatMap(PartyStore, (store) =>
    store.remember(id, tokensHandedOver(request, response).slice(0, mostOfOne))
  )
