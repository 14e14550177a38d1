/** The tokens of a party that are over, and those that are kept only to be known again. */
import { Effect, Option, Redacted } from "effect"
import type { PartyId } from "../../schema/Ids.ts"
import {
  type Party,
  PartyStore,
  type PartyToken,
  type TokenChange,
  type TokenSlot
} from "../store/PartyStore.ts"
import { inTraffic } from "./dialect.ts"

const liveSlots: ReadonlyArray<TokenSlot> = ["issued", "pending", "previous", "returned", "outbound"]

/** The registration is over: every token is dead, the endpoints are unknown again. What was kept stays. */
export const forgetTokens = (id: PartyId): Effect.Effect<void, never, PartyStore> =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const issued = (yield* store.tokens(id)).find(({ slot }) => slot === "issued")
    yield* store.update(id, (party) => ({
      ...party,
      registration: "none",
      registeredAt: null,
      // Whoever is ending it goes on until all is forgotten.
      open: party.open?.state === "ending" ? party.open : null,
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
    for (const slot of liveSlots) yield* store.putToken(id, slot, null)
    yield* bury(id, issued)
  })

/**
 * A token that the partner issued, as it is kept to be known again when the partner itself calls with it. Marked, so
 * that it is never taken for the same token where it was issued: the partner may be one of our own.
 */
export const returnedToken = ({ name, value }: Omit<PartyToken, "slot">): Omit<PartyToken, "slot"> => ({
  name,
  value: Redacted.make(asReturned(Redacted.value(value)))
})

/** From now on the partner is called with that token. At a connection it is known again when the partner calls with it. */
export const takeToken = (
  id: PartyId,
  token: Omit<PartyToken, "slot">
): Effect.Effect<void, never, PartyStore> =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    yield* store.putToken(id, "outbound", token)
    yield* expectReturned(id)
  })

/** The token with which a partner of a connection is called is known again when it comes back; no other one is. */
export const expectReturned = (id: PartyId): Effect.Effect<void, never, PartyStore> =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const party = Option.getOrUndefined(yield* store.find(id))
    const outbound = (yield* store.tokens(id)).find(({ slot }) => slot === "outbound")
    const isKnown = party?.kind === "connection" && party.registration === "registered"
    yield* store.putToken(id, "returned", isKnown && outbound !== undefined ? returnedToken(outbound) : null)
  })

export const asReturned = (value: string): string => `returned ${value}`

/**
 * The partner is not to call us with that token any more. It is kept, marked, to know a partner of a connection that does
 * so all the same; at a sandbox partner it is forgotten.
 */
export const bury = (
  id: PartyId,
  token: Pick<PartyToken, "name" | "value"> | undefined
): Effect.Effect<void, never, PartyStore> =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const party = yield* store.find(id)
    if (token === undefined || Option.getOrUndefined(party)?.kind !== "connection") return
    yield* store.putToken(id, "dead", deadToken(token))
  })

/** A token that is good for nothing any more, as it is kept to be known again. */
const deadToken = ({ name, value }: Pick<PartyToken, "name" | "value">): Omit<PartyToken, "slot"> => ({
  name,
  value: Redacted.make(asDead(Redacted.value(value)))
})

/**
 * What the slots hold after an exchange of credentials that ended well. `theirs`: what we call with from now on; absent
 * where the party stays with its old token. `ours`: what we are called with. `former`: what we were called with, and are
 * not to be any more.
 */
export const settled = (
  { kind }: Pick<Party, "kind">,
  tokens: {
    readonly theirs?: Omit<PartyToken, "slot">
    readonly ours: Omit<PartyToken, "slot">
    /** Still good until the partner calls with the new one for the first time. */
    readonly previous: Omit<PartyToken, "slot"> | null
    readonly former: Omit<PartyToken, "slot"> | undefined
  }
): ReadonlyArray<TokenChange> => {
  const { former, ours, previous, theirs } = tokens
  const isConnection = kind === "connection"
  return [
    ...(theirs === undefined
      ? []
      : [
          { slot: "outbound" as const, token: theirs },
          { slot: "returned" as const, token: isConnection ? returnedToken(theirs) : null }
        ]),
    { slot: "issued", token: ours },
    { slot: "pending", token: null },
    { slot: "previous", token: previous },
    ...(former === undefined || !isConnection ? [] : [{ slot: "dead" as const, token: deadToken(former) }])
  ]
}

export const asDead = (value: string): string => `dead ${value}`
