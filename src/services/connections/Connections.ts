/** Registering partner endpoints. A caller sees only what the caller owns. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type { Connection, ConnectionStatus, CreateConnection } from "../../../schema/Connection.ts"
import {
  Conflict,
  NotFound,
  type PlanRequired,
  type TooMany,
  type Unavailable,
  Unsupported
} from "../../../schema/Errors.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { ConnectionId, PartyId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { EgressGuard } from "../../ocpi/EgressGuard.ts"
import { Handshake } from "../../party/registration/Handshake.ts"
import { hostTells } from "../../redaction/secretUrls.ts"
import { type Party, PartyStore } from "../../store/parties/PartyStore.ts"
import { type ConnectionRow, ConnectionStore } from "../../store/rows/ConnectionStore.ts"
import { Plans } from "../accounts/Plans.ts"
import { RateLimits } from "../accounts/RateLimits.ts"
import { DetachedWork } from "../requests/DetachedWork.ts"
import { alreadyMade, idOf } from "../requests/IdempotentRequest.ts"
import { connectionView } from "./connectionView.ts"
import { identityBeside, isBeside, newParty, newRow } from "./newConnection.ts"
import { requireNoOpenRun } from "./openRuns.ts"

/** One change of a registration at a time. An open one that died with its process is over after three minutes. */
export const handshakeOpen =
  "A handshake of this connection is under way, or its removal; wait for its end, three minutes at most"

export const noConnection = "There is no such connection among those of this key's owner"

/** Of more connections than these, the newest are looked at for who we are in them. */
const mostBeside = 1_000

export interface ConnectionsOptions {
  /** Who we say that we are on our side of a connection; of a second one at a partner, see `identityBeside`. */
  readonly identity: Party["identity"]
  /** Root of our sandbox partners' URLs, or null when the sandbox is off. Partners under it need no egress permission. */
  readonly sandboxRoot: string | null
}

/** A connection that the caller owns, with the party that we play in it. */
export interface Owned {
  readonly row: ConnectionRow
  readonly party: Party
  readonly view: Connection
  readonly target: "own" | "sandbox"
}

export interface ConnectionPage {
  readonly limit: number
  readonly cursor?: string
  readonly status?: ConnectionStatus
  readonly ocpiVersion?: OcpiVersion
}

export class Connections extends Context.Tag("services/Connections")<
  Connections,
  {
    /** A new connection is `pending` until the handshake is run. */
    readonly create: (
      caller: Caller,
      input: CreateConnection
    ) => Effect.Effect<Connection, PlanRequired | TooMany | Unsupported>
    readonly list: (caller: Caller, page: ConnectionPage) => Effect.Effect<ReadonlyArray<Connection>>
    readonly read: (caller: Caller, id: ConnectionId) => Effect.Effect<Connection, NotFound>
    /** For other services: the row and the party behind an owned connection. */
    readonly owned: (caller: Caller, id: ConnectionId) => Effect.Effect<Owned, NotFound>
    readonly exchanges: (
      caller: Caller,
      id: ConnectionId,
      after: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<{ readonly position: number; readonly exchange: Exchange }>, NotFound>
    /** Unregisters at the partner (best effort) and forgets the secrets; refused while a run or a handshake uses it. */
    readonly remove: (
      caller: Caller,
      id: ConnectionId
    ) => Effect.Effect<
      { readonly _id: ConnectionId; readonly partnerTold: boolean; readonly message: string },
      NotFound | Conflict | Unavailable
    >
  }
>() {
  static readonly layer = (options: ConnectionsOptions) =>
    Layer.effect(
      Connections,
      Effect.gen(function* () {
        const store = yield* ConnectionStore
        const parties = yield* PartyStore
        const guard = yield* EgressGuard
        const handshakes = yield* Handshake
        const plans = yield* Plans
        const limits = yield* RateLimits
        const detached = yield* DetachedWork
        const unused = yield* requireNoOpenRun
        const trusted = options.sandboxRoot === null ? [] : [options.sandboxRoot]
        const missing = new NotFound({ message: noConnection })
        const targetOf = (url: string): Owned["target"] =>
          trusted.some((root) => url.startsWith(`${root}/`)) ? "sandbox" : "own"

        const create = Effect.fn("Connections.create")(function* (caller: Caller, input: CreateConnection) {
          if (input.ourRole === input.theirRole) {
            return yield* new Unsupported({
              message: `ourRole and theirRole are both ${input.ourRole}; the two sides must play different roles`
            })
          }
          const before = yield* alreadyMade("connection", (id) => store.find(caller.ownerId, id))
          if (Option.isSome(before)) return yield* Effect.orDie(read(caller, before.value.id))
          const target = targetOf(input.partnerBaseUrl)
          const counted = Effect.tap(store.count(caller.ownerId), (have) =>
            target === "sandbox"
              ? plans.require(caller, "connections", target)
              : plans.requireConnection(caller, have)
          )
          // What is refused anyway needs no look at the partner's address.
          yield* counted
          if (hostTells([{ name: "tokenA", value: input.tokenA }], input.partnerBaseUrl)) {
            return yield* new Unsupported({
              message:
                "config: partnerBaseUrl: its host name holds the Token A, and host names are sent in the clear; use another host name, or another token"
            })
          }
          yield* guard
            .check(input.partnerBaseUrl, trusted)
            .pipe(
              Effect.mapError(
                ({ message }) => new Unsupported({ message: `config: partnerBaseUrl: ${message}` })
              )
            )
          const now = new Date(yield* Clock.currentTimeMillis).toISOString()
          const id = ConnectionId.make(yield* idOf("connection"))
          const row = newRow(input, { id, ownerId: caller.ownerId, createdAt: now })
          // The row last: a connection is there only when its party and its token are.
          const made = Effect.gen(function* () {
            const party = newParty(row, input, yield* identityFor(row, target))
            yield* parties.insert(party, [{ slot: "outbound", name: "tokenA", value: input.tokenA }])
            yield* store.insert(row)
          })
          yield* limits.oneMore("connections", caller.ownerId, counted, made)
          // As it is kept: the address may hold the token.
          return yield* Effect.orDie(read(caller, id))
        })

        /** Sandbox partners share a host, and each of them is an operator of its own. */
        const identityFor = Effect.fn("Connections.identityFor")(function* (
          row: ConnectionRow,
          target: Owned["target"]
        ) {
          if (target === "sandbox") return options.identity
          const rows = yield* store.list({ ownerId: row.ownerId, limit: mostBeside })
          const beside = yield* Effect.forEach(
            rows.filter((one) => isBeside(one, row)),
            joined,
            { concurrency: 8 }
          )
          return identityBeside(
            options.identity,
            beside.flatMap(Option.toArray).map(({ party }) => party.identity)
          )
        })

        const joined = (row: ConnectionRow) =>
          Effect.map(
            parties.find(PartyId.make(row.id)),
            Option.map((party) => ({ row, party }))
          )

        const owned = Effect.fn("Connections.owned")(function* (caller: Caller, id: ConnectionId) {
          const row = yield* Effect.flatten(store.find(caller.ownerId, id)).pipe(
            Effect.mapError(() => missing)
          )
          const { party } = yield* Effect.flatten(joined(row)).pipe(Effect.mapError(() => missing))
          const view = connectionView(row, party, yield* Clock.currentTimeMillis)
          const { ocpiVersion, partnerBaseUrl, registeredAt, status } = view
          const isNews =
            status !== row.status || ocpiVersion !== row.ocpiVersion || partnerBaseUrl !== row.partnerBaseUrl
          const facts = { ocpiVersion, partnerBaseUrl, registeredAt, status }
          if (isNews) yield* store.update(caller.ownerId, id, facts)
          return { row: { ...row, ...facts }, party, view, target: targetOf(partnerBaseUrl) } satisfies Owned
        })

        const list = Effect.fn("Connections.list")(function* (caller: Caller, page: ConnectionPage) {
          const rows = yield* store.list({ ownerId: caller.ownerId, ...page })
          const found = yield* Effect.forEach(rows, joined, { concurrency: 8 })
          const now = yield* Clock.currentTimeMillis
          return found.flatMap(Option.toArray).map(({ party, row }) => connectionView(row, party, now))
        })

        const read = (caller: Caller, id: ConnectionId) => Effect.map(owned(caller, id), ({ view }) => view)

        const exchanges = Effect.fn("Connections.exchanges")(function* (
          caller: Caller,
          id: ConnectionId,
          after: number,
          limit: number
        ) {
          yield* owned(caller, id)
          return yield* parties.exchanges(PartyId.make(id), after, limit)
        })

        const remove = Effect.fn("Connections.remove")(function* (caller: Caller, id: ConnectionId) {
          const row = yield* store.find(caller.ownerId, id)
          // An earlier removal died between the party and its row.
          if (Option.isSome(row) && Option.isNone(yield* joined(row.value)))
            yield* store.remove(caller.ownerId, id)
          const { party } = yield* owned(caller, id)
          return yield* detached.run(
            Effect.gen(function* () {
              let refused: Conflict | Unavailable = new Conflict({ message: handshakeOpen })
              const { busy, message, told } = yield* handshakes.unregister(party.id, {
                removes: true,
                begins: (begin) =>
                  Effect.catchAll(unused(party, begin), (error) => {
                    refused = error
                    return Effect.succeedNone
                  })
              })
              if (busy === true) return yield* refused
              yield* store.remove(caller.ownerId, id)
              return { _id: id, partnerTold: told, message }
            })
          )
        })

        return Connections.of({ create, list, read, owned, exchanges, remove })
      })
    )
}
