import { Effect } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import { PartyStore, type TokenSlot } from "../store/PartyStore.ts"

const slots: ReadonlyArray<TokenSlot> = ["issued", "pending", "previous", "outbound"]

/** The registration is over: every token is dead, the endpoints are unknown again. What was kept stays. */
export const forgetTokens = (id: PartyId): Effect.Effect<void, never, PartyStore> =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    yield* store.update(id, (party) => ({
      ...party,
      registration: "none",
      registeredAt: null,
      counterpart: { ...party.counterpart, endpoints: [] }
    }))
    for (const slot of slots) yield* store.putToken(id, slot, null)
  })
