/** The tokens of a party that are over, and those that are kept only to be known again. */
import { Clock, Effect, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { NamedToken, TokenChange, TokenSlot } from "../../store/parties/TokenSlot.ts"
import { inTraffic } from "./dialect.ts"
import { noExchange, registrationAfter } from "./registration.ts"

const liveSlots: ReadonlyArray<TokenSlot> = ["issued", "pending", "previous", "returned", "outbound"]

/**
 * The registration is over: every token is dead and the endpoints are unknown again, in one step. Objects stay.
 * `ended`: the party after the event that ends its registration; undefined where its state does not take that event, and
 * nothing changes, its tokens neither: also where another change of the party came first.
 */
export const forgetTokens = Effect.fnUntraced(function* (
  id: PartyId,
  ended: (party: Party) => Party | undefined
): Effect.fn.Return<void, never, PartyStore> {
  const store = yield* PartyStore
  const party = Option.getOrUndefined(yield* store.find(id))
  if (party === undefined || ended(party) === undefined) return
  const issued = (yield* store.tokens(id)).find(({ slot }) => slot === "issued")
  const forgotten = (found: Party): Party => {
    const after = ended(found)
    if (after === undefined) return found
    return {
      ...after,
      registeredAt: null,
      lastError: null,
      ...(found.invitation?.state === "open"
        ? { invitation: { ...found.invitation, state: "withdrawn" as const } }
        : {}),
      counterpart: { ...found.counterpart, endpoints: [] },
      dialect: {
        ...found.dialect,
        deviations: found.dialect.deviations.filter((text) => !text.startsWith(inTraffic))
      }
    }
  }
  yield* store.update(id, forgotten, [
    ...liveSlots.map((slot) => ({ slot, token: null })),
    ...(issued === undefined || party.kind !== "connection"
      ? []
      : [{ slot: "dead" as const, token: { name: issued.name, value: issued.value } }])
  ])
})

/** As above, after the partner answered a DELETE that a run of ours sent. */
export const forgetAfterDelete = (id: PartyId): Effect.Effect<void, never, PartyStore> =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    forgetTokens(id, (party) => registrationAfter(party, "delete.answered", { id: noExchange, nowMillis }))
  )

/** From now on the partner is called with that token. At a connection it is known again when the partner calls with it. */
export const takeToken = Effect.fnUntraced(function* (
  id: PartyId,
  token: NamedToken
): Effect.fn.Return<void, never, PartyStore> {
  const store = yield* PartyStore
  yield* store.putToken(id, "outbound", token)
  yield* expectReturned(id)
})

/** Makes our outbound token the only one by which a connection's partner that sends it is recognised. */
export const expectReturned = Effect.fnUntraced(function* (
  id: PartyId
): Effect.fn.Return<void, never, PartyStore> {
  const store = yield* PartyStore
  const party = Option.getOrUndefined(yield* store.find(id))
  const outbound = (yield* store.tokens(id)).find(({ slot }) => slot === "outbound")
  const isKnown = party?.kind === "connection" && party.registration === "registered"
  yield* store.putToken(id, "returned", isKnown && outbound !== undefined ? outbound : null)
})

/**
 * Retires a token of the partner's calls. At a connection it is kept to recognise a partner that still sends it; at a
 * sandbox partner it is deleted.
 */
export const retireToken = Effect.fnUntraced(function* (
  id: PartyId,
  token: NamedToken | undefined
): Effect.fn.Return<void, never, PartyStore> {
  const store = yield* PartyStore
  const party = yield* store.find(id)
  if (token === undefined || Option.getOrUndefined(party)?.kind !== "connection") return
  yield* store.putToken(id, "dead", { name: token.name, value: token.value })
})

/**
 * The slots after a successful exchange of credentials. `theirs`: the token for our calls from now on; absent when the
 * party keeps its old one. `ours`: the token for the partner's calls. `former`: the partner's former token, which is
 * retired.
 */
export const settled = (
  { kind }: Pick<Party, "kind">,
  tokens: {
    readonly theirs?: NamedToken
    readonly ours: NamedToken
    /** Still accepted until the partner's first call with the new one. */
    readonly previous: NamedToken | null
    readonly former: NamedToken | undefined
  }
): ReadonlyArray<TokenChange> => {
  const { former, ours, previous, theirs } = tokens
  const isConnection = kind === "connection"
  return [
    ...(theirs === undefined
      ? []
      : [
          { slot: "outbound" as const, token: theirs },
          { slot: "returned" as const, token: isConnection ? theirs : null }
        ]),
    { slot: "issued", token: ours },
    { slot: "pending", token: null },
    { slot: "previous", token: previous },
    ...(former === undefined || !isConnection ? [] : [{ slot: "dead" as const, token: former }])
  ]
}
