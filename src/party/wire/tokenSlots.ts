/** The tokens of a party that are over, and those that are kept only to be known again. */
import { Clock, Effect, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import {
  type NamedToken,
  type Party,
  PartyStore,
  type TokenChange,
  type TokenSlot
} from "../../store/parties/PartyStore.ts"
import { inTraffic } from "./dialect.ts"
import { noExchange, registrationAfter } from "./registration.ts"

const liveSlots: ReadonlyArray<TokenSlot> = ["issued", "pending", "previous", "returned", "outbound"]

/**
 * The registration is over: every token is dead and the endpoints are unknown again, in one step. Objects stay.
 * `ended`: what the event that ends it makes of the registration.
 */
export const forgetTokens = (
  id: PartyId,
  ended: (party: Party) => Party
): Effect.Effect<void, never, PartyStore> =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const party = Option.getOrUndefined(yield* store.find(id))
    const issued = (yield* store.tokens(id)).find(({ slot }) => slot === "issued")
    const forgotten = (found: Party): Party => ({
      ...ended(found),
      registration: "none",
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
    })
    yield* store.update(id, forgotten, [
      ...liveSlots.map((slot) => ({ slot, token: null })),
      ...(issued === undefined || party?.kind !== "connection"
        ? []
        : [{ slot: "dead" as const, token: { name: issued.name, value: issued.value } }])
    ])
  })

/** As above, after the partner answered a DELETE that a run of ours sent. */
export const forgetAfterDelete = (id: PartyId): Effect.Effect<void, never, PartyStore> =>
  Effect.flatMap(Clock.currentTimeMillis, (nowMillis) =>
    forgetTokens(
      id,
      (party) => registrationAfter(party, "delete.answered", { id: noExchange, nowMillis }) ?? party
    )
  )

/** From now on the partner is called with that token. At a connection it is known again when the partner calls with it. */
export const takeToken = (id: PartyId, token: NamedToken): Effect.Effect<void, never, PartyStore> =>
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
    yield* store.putToken(id, "returned", isKnown && outbound !== undefined ? outbound : null)
  })

/**
 * The partner is not to call us with that token any more. It is kept to know a partner of a connection that does so all the
 * same; at a sandbox partner it is forgotten.
 */
export const retireToken = (
  id: PartyId,
  token: NamedToken | undefined
): Effect.Effect<void, never, PartyStore> =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const party = yield* store.find(id)
    if (token === undefined || Option.getOrUndefined(party)?.kind !== "connection") return
    yield* store.putToken(id, "dead", { name: token.name, value: token.value })
  })

/**
 * What the slots hold after an exchange of credentials that ended well. `theirs`: what we call with from now on; absent
 * where the party stays with its old token. `ours`: what we are called with. `former`: what we were called with, and are
 * not to be any more.
 */
export const settled = (
  { kind }: Pick<Party, "kind">,
  tokens: {
    readonly theirs?: NamedToken
    readonly ours: NamedToken
    /** Still good until the partner calls with the new one for the first time. */
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
