import { Effect, Redacted } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import { PartyStore, type PartyToken, type TokenSlot } from "../store/PartyStore.ts"
import { inTraffic } from "./dialect.ts"

const slots: ReadonlyArray<TokenSlot> = ["issued", "pending", "previous", "returned", "outbound"]

/** The registration is over: every token is dead, the endpoints are unknown again. What was kept stays. */
export const forgetTokens = (id: PartyId): Effect.Effect<void, never, PartyStore> =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    yield* store.update(id, (party) => ({
      ...party,
      registration: "none",
      registeredAt: null,
      open: null,
      lastError: null,
      ...(party.invitation?.state === "open"
        ? { invitation: { ...party.invitation, state: "withdrawn" as const } }
        : {}),
      counterpart: { ...party.counterpart, endpoints: [] },
      dialect: {
        ...party.dialect,
        deviations: party.dialect.deviations.filter((text) => !text.startsWith(inTraffic))
      }
    }))
    for (const slot of slots) yield* store.putToken(id, slot, null)
  })

/**
 * A token that the partner issued, as it is kept to be known again when the partner itself calls with it. Marked, so
 * that it is never taken for the same token where it was issued: the partner may be one of our own.
 */
export const returnedToken = ({ name, value }: PartyToken): Omit<PartyToken, "slot"> => ({
  name,
  value: Redacted.make(asReturned(Redacted.value(value)))
})

export const asReturned = (value: string): string => `returned ${value}`
