/** Registering with a partner, in either direction, and how we speak with it. A caller reaches only what it owns. */
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
import { type ConnectionId, PartyId } from "../../../schema/Ids.ts"
import { Handshake } from "../../party/registration/Handshake.ts"
import { overriddenBy } from "../../party/wire/dialect.ts"
import { mayNow } from "../../party/wire/registration.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { ConnectionStore } from "../../store/rows/ConnectionStore.ts"
import { Plans } from "../accounts/Plans.ts"
import { DetachedWork } from "../requests/DetachedWork.ts"
import { alreadyStarted } from "./alreadyStarted.ts"
import { Connections, handshakeOpen, noConnection } from "./Connections.ts"
import { requireNoOpenRun } from "./openRuns.ts"

export class Registrations extends Context.Tag("services/Registrations")<
  Registrations,
  {
    /**
     * Registers, or rotates the tokens of a registered one; what went wrong stands in `lastError`. Refused while a run is
     * open on the connection.
     */
    readonly handshake: (
      caller: Caller,
      id: ConnectionId,
      order?: HandshakeOrder
    ) => Effect.Effect<Connection, NotFound | PlanRequired | Conflict | Unsupported | Unavailable>
    /** A Token A for the partner, told here and never again; one that was out before is dead. */
    readonly invite: (
      caller: Caller,
      id: ConnectionId
    ) => Effect.Effect<IssuedInvitation, NotFound | PlanRequired | Conflict>
    /** What was found out, or will be, overridden until it is set back to `auto` or null. Refused as a handshake is. */
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

      const handshake = Effect.fn("Registrations.handshake")(function* (
        caller: Caller,
        id: ConnectionId,
        order: HandshakeOrder = {}
      ) {
        const { party, target, view } = yield* connections.owned(caller, id)
        yield* plans.require(caller, "handshake", target)
        if (yield* Effect.provideService(alreadyStarted(party), PartyStore, parties)) {
          const isOver = mayNow(party, false, yield* Clock.currentTimeMillis, "exchange.begun")
          return isOver ? view : yield* new Conflict({ message: handshakeOpen })
        }
        yield* fitting(view, order)
        const { ocpiVersion: version, tokenA } = order
        return yield* detached.run(
          Effect.gen(function* () {
            let refused: Conflict | Unavailable = new Conflict({ message: handshakeOpen })
            const result = yield* handshakes.run(PartyId.make(id), {
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
              // Whoever removed it meanwhile leaves nothing that could be under way.
              yield* connections.read(caller, id)
              return yield* refused
            }
            const registered = result.party.registration === "registered"
            const now = new Date(yield* Clock.currentTimeMillis).toISOString()
            yield* store.update(caller.ownerId, id, {
              status: registered ? "registered" : "failed",
              lastError: result.ok ? null : result.error,
              ...(result.ok ? { registeredAt: result.party.registeredAt ?? now } : {})
            })
            return yield* connections.read(caller, id)
          })
        )
      })

      const invite = Effect.fn("Registrations.invite")(function* (caller: Caller, id: ConnectionId) {
        const { target, view } = yield* connections.owned(caller, id)
        yield* plans.require(caller, "handshake", target)
        return yield* detached.run(
          Effect.gen(function* () {
            const issued = yield* handshakes.invite(PartyId.make(id))
            if (Option.isNone(issued)) {
              return yield* new Conflict({
                message:
                  view.status === "registered"
                    ? "The connection is registered; POST its handshake renews the tokens, and a new connection is for another partner"
                    : handshakeOpen
              })
            }
            yield* store.update(caller.ownerId, id, { status: "pending", lastError: null })
            const { expiresAt, token, versionsUrl } = issued.value
            return { versionsUrl, token: Redacted.value(token), expiresAt }
          })
        )
      })

      const setDialect = Effect.fn("Registrations.setDialect")(function* (
        caller: Caller,
        id: ConnectionId,
        wish: SetDialect
      ) {
        const { party } = yield* connections.owned(caller, id)
        const set = parties.update(party.id, (now) => ({
          ...now,
          dialect: overriddenBy(now.dialect, wish, now.counterpart.endpoints)
        }))
        yield* unused(party, set)
        return yield* connections.read(caller, id)
      })

      return Registrations.of({ handshake, invite, setDialect })
    })
  )
}

/** What is asked for must be possible in the state of the connection. */
function fitting(
  { ocpiVersion, status }: Connection,
  order: HandshakeOrder
): Effect.Effect<void, Unsupported> {
  const isRegistered = status === "registered"
  if (isRegistered && order.tokenA !== undefined) {
    return new Unsupported({
      message:
        "tokenA: the connection is registered and has no use for a Token A; leave it out to renew the tokens"
    })
  }
  if (!isRegistered && order.ocpiVersion !== undefined && order.ocpiVersion !== ocpiVersion) {
    return new Unsupported({
      message: `ocpiVersion: the connection is for ${ocpiVersion}; register first, then change to ${order.ocpiVersion}`
    })
  }
  return Effect.void
}
