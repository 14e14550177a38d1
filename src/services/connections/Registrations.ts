/** Registration with a partner, in either direction, and its dialect. A caller reaches only its own connections. */
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type { Connection, HandshakeOrder, IssuedInvitation, SetDialect } from "../../../schema/Connection.ts"
import {
  Conflict,
  NotFound,
  type PlanRequired,
  type Unavailable,
  Unsupported
} from "../../../schema/Errors.ts"
import { type ConnectionId, partyOf } from "../../../schema/Ids.ts"
import { Handshake } from "../../party/registration/Handshake.ts"
import { overriddenBy } from "../../party/wire/dialect.ts"
import { nowIso } from "../../party/wire/instants.ts"
import { mayHappen } from "../../party/wire/registration.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import type { PartyToken } from "../../store/parties/TokenSlot.ts"
import { ConnectionStore } from "../../store/rows/ConnectionStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { Plans } from "../accounts/Plans.ts"
import { DetachedWork } from "../requests/DetachedWork.ts"
import { alreadyStarted } from "./alreadyStarted.ts"
import { Connections, handshakeOpen, noConnection } from "./Connections.ts"
import { canCall, tokenless } from "./notRegistered.ts"
import { requireNoOpenRun } from "./openRuns.ts"
import { withEarlierCause } from "./usedToken.ts"

/** Handshakes, invitations and dialects of connections that the caller owns. */
export class Registrations extends Context.Tag("services/Registrations")<
  Registrations,
  {
    /**
     * Registers, or rotates the tokens of a registered connection; a failure of the partner is in `lastError`. Conflict
     * while a run is open on the connection. Unsupported: there is neither a token to call the partner with nor one in the order.
     */
    readonly handshake: (
      caller: Caller,
      id: ConnectionId,
      order?: HandshakeOrder
    ) => Effect.Effect<Connection, NotFound | PlanRequired | Conflict | Unsupported | Unavailable>
    /** Issues a Token A for the partner, which only this result shows; it replaces one that was issued before. */
    readonly invite: (
      caller: Caller,
      id: ConnectionId
    ) => Effect.Effect<IssuedInvitation, NotFound | PlanRequired | Conflict>
    /** Overrides parts of the dialect until they are set to `auto` or null. Conflict while a run is open. */
    readonly setDialect: (
      caller: Caller,
      id: ConnectionId,
      dialect: SetDialect
    ) => Effect.Effect<Connection, NotFound | Conflict | Unavailable>
  }
>() {
  static readonly layer = Layer.effect(
    Registrations,
    Effect.gen(function* () {
      const connections = yield* Connections
      const store = yield* ConnectionStore
      const parties = yield* PartyStore
      const handshakes = yield* Handshake
      const plans = yield* Plans
      const detached = yield* DetachedWork
      const unused = yield* requireNoOpenRun

      const handshake = traced("Registrations.handshake")(function* (
        caller: Caller,
        id: ConnectionId,
        order: HandshakeOrder = {}
      ) {
        const { party, target, view } = yield* connections.owned(caller, id)
        yield* plans.require(caller, "handshake", target)
        if (yield* Effect.provideService(alreadyStarted(party), PartyStore, parties)) {
          const isOver = mayHappen(party, "exchange.begun", { nowMillis: yield* Clock.currentTimeMillis })
          return isOver ? view : yield* new Conflict({ message: handshakeOpen })
        }
        const tokens = yield* parties.tokens(party.id)
        yield* fitting(view, order, tokens)
        const { ocpiVersion: version, tokenA } = order
        const isSameToken = tokens.some(
          ({ name, slot, value }) =>
            slot === "outbound" &&
            name === "tokenA" &&
            (tokenA === undefined || Redacted.value(tokenA) === Redacted.value(value))
        )
        return yield* detached.run(
          Effect.gen(function* () {
            let refused: Conflict | Unavailable = new Conflict({ message: handshakeOpen })
            const result = yield* handshakes.run(partyOf(id), {
              ...(version === undefined ? {} : { version }),
              ...(tokenA === undefined ? {} : { tokenA }),
              begins: (begin) =>
                Effect.catchAll(unused(party, begin), (error) => {
                  refused = error
                  return Effect.succeedNone
                })
            })
            if ("gone" in result) return yield* new NotFound({ message: `${noConnection}: ${result.error}` })
            if (!result.ok && result.busy === true) {
              // NotFound if another request has removed the connection meanwhile.
              yield* connections.read(caller, id)
              return yield* refused
            }
            const registered = result.party.registration === "registered"
            const now = yield* nowIso
            yield* store.update(caller.ownerId, id, {
              status: registered ? "registered" : "failed",
              lastError: result.ok
                ? null
                : withEarlierCause(result.error, isSameToken ? view.lastError : undefined),
              ...(result.ok ? { registeredAt: result.party.registeredAt ?? now } : {})
            })
            return yield* connections.read(caller, id)
          })
        )
      })

      const invite = traced("Registrations.invite")(function* (caller: Caller, id: ConnectionId) {
        const { target, view } = yield* connections.owned(caller, id)
        yield* plans.require(caller, "handshake", target)
        return yield* detached.run(
          Effect.gen(function* () {
            const issued = yield* handshakes.invite(partyOf(id))
            if (Option.isNone(issued)) {
              return yield* new Conflict({
                message:
                  view.status === "registered"
                    ? "The connection is registered already; renew its tokens with POST …/handshake, or make a new connection for another partner"
                    : handshakeOpen
              })
            }
            yield* store.update(caller.ownerId, id, { status: "pending", lastError: null })
            const { expiresAt, token, versionsUrl } = issued.value
            return { versionsUrl, token: Redacted.value(token), expiresAt }
          })
        )
      })

      const setDialect = traced("Registrations.setDialect")(function* (
        caller: Caller,
        id: ConnectionId,
        wish: SetDialect
      ) {
        const { party } = yield* connections.owned(caller, id)
        const set = parties.update(party.id, (now) => ({
          ...now,
          dialect: overriddenBy(now.dialect, wish)
        }))
        yield* unused(party, set)
        return yield* connections.read(caller, id)
      })

      return Registrations.of({ handshake, invite, setDialect })
    })
  )
}

/** Checks that the order is possible in the state of the connection. */
function fitting(
  connection: Connection,
  order: HandshakeOrder,
  tokens: ReadonlyArray<PartyToken>
): Effect.Effect<void, Unsupported> {
  const { ocpiVersion, status } = connection
  const isRegistered = status === "registered"
  if (isRegistered && order.tokenA !== undefined) {
    return new Unsupported({
      message: "tokenA: the connection is registered and needs no Token A; leave it out to renew the tokens"
    })
  }
  if (!isRegistered && order.ocpiVersion !== undefined && order.ocpiVersion !== ocpiVersion) {
    return new Unsupported({
      message: `ocpiVersion: the connection is for ${ocpiVersion}; register first, then change to ${order.ocpiVersion}`
    })
  }
  if (order.tokenA === undefined && !canCall(tokens)) {
    return new Unsupported({
      message: `tokenA: the connection has no token to call the partner with; ${tokenless(connection)}`
    })
  }
  return Effect.void
}
