/** Connections to partners. A caller reaches only its own. */
import { Clock, Context, Effect, Layer, Option } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type {
  Connection,
  ConnectionStatus,
  CreateConnection,
  EgressAnswer
} from "../../../schema/Connection.ts"
import {
  Conflict,
  type Invalid,
  NotFound,
  type PlanRequired,
  type TooMany,
  type Unavailable,
  Unsupported
} from "../../../schema/Errors.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { ConnectionId, partyOf } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { EgressGuard } from "../../ocpi/EgressGuard.ts"
import { Handshake } from "../../party/registration/Handshake.ts"
import { nowIso } from "../../party/wire/instants.ts"
import { hostTells } from "../../redaction/secretUrls.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import {
  type ConnectionListQuery,
  type ConnectionRow,
  ConnectionStore
} from "../../store/rows/ConnectionStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { Plans } from "../accounts/Plans.ts"
import { RateLimits } from "../accounts/RateLimits.ts"
import { allPages } from "../operators/allPages.ts"
import { DetachedWork } from "../requests/DetachedWork.ts"
import { alreadyMade, idOf } from "../requests/IdempotentRequest.ts"
import type { ReadPage } from "../requests/readPage.ts"
import { connectionView } from "./connectionView.ts"
import { type ExchangesQuery, exchangesOf } from "./exchangesOf.ts"
import { identityBeside, isAtSameUrl, isBeside, newParty, newRow } from "./newConnection.ts"
import { requireNoOpenRun } from "./openRuns.ts"
import { mayBeSecond, secondAt } from "./secondConnection.ts"

/** Message of a 409: one change of a registration at a time. One whose process died counts as ended after three minutes. */
export const handshakeOpen =
  "A handshake of this connection is under way, or its removal; wait for its end, three minutes at most"

/** Message of every 404 for a connection, whether it is unknown or owned by another account. */
export const noConnection = "There is no such connection among those of this key's owner"

/** Our identity, and where our sandbox partners are. */
export interface ConnectionsOptions {
  /** Our identity in credentials; for a second connection to a partner see `identityBeside`. */
  readonly identity: Party["identity"]
  /** Root of our sandbox partners' URLs, or null when the sandbox is off. Partners under it need no egress permission. */
  readonly sandboxRoot: string | null
}

/** A connection that the caller owns, with the party that we play; `target` is `sandbox` for a sandbox partner of ours. */
export interface Owned {
  readonly row: ConnectionRow
  readonly party: Party
  readonly view: Connection
  readonly target: "own" | "sandbox"
}

/** A page of connections, newest first; `cursor` is the id of the last one of the page before. */
interface ConnectionPage {
  readonly limit: number
  readonly cursor?: string
  readonly status?: ConnectionStatus
  readonly ocpiVersion?: OcpiVersion
}

/** Makes, lists and removes connections. */
export class Connections extends Context.Tag("services/Connections")<
  Connections,
  {
    /** Makes a connection, which is `pending` until a handshake. Unsupported: equal roles, or a URL that is not allowed. */
    readonly create: (
      caller: Caller,
      input: CreateConnection
    ) => Effect.Effect<Connection, PlanRequired | TooMany | Unsupported>
    readonly list: (caller: Caller, page: ConnectionPage) => Effect.Effect<ReadonlyArray<Connection>>
    readonly read: (caller: Caller, id: ConnectionId) => Effect.Effect<Connection, NotFound>
    /** For other services: the row and the party of a connection, if the caller owns it. */
    readonly owned: (caller: Caller, id: ConnectionId) => Effect.Effect<Owned, NotFound>
    /** The connection by which the same partner has a second EMSP or CPO in us, see `secondAt`; undefined: there is none. */
    readonly second: (owned: Owned) => Effect.Effect<Connection | undefined>
    readonly exchanges: (
      caller: Caller,
      id: ConnectionId,
      query: ExchangesQuery
    ) => Effect.Effect<ReadPage<Exchange>, NotFound | Invalid>
    /** Whether a URL may be that of a partner, and which rule decides it. */
    readonly mayCall: (url: string) => Effect.Effect<EgressAnswer>
    /** Unregisters at the partner (best effort) and deletes the secrets; Conflict while a run or a handshake uses it. */
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

        /** Every row of the query, read page by page. */
        const rowsOf = (query: Pick<ConnectionListQuery, "ownerId" | "status" | "ocpiVersion">) =>
          allPages(
            (page) => store.list({ ...query, ...page }),
            ({ id }) => id
          )

        const create = traced("Connections.create")(function* (caller: Caller, input: CreateConnection) {
          if (input.ourRole === input.theirRole) {
            return yield* new Unsupported({
              message: `ourRole and theirRole are both ${input.ourRole}; the two sides must play different roles`
            })
          }
          if (input.hub === true && profileOf(input.ocpiVersion).hub === "none") {
            return yield* new Unsupported({ message: `OCPI ${input.ocpiVersion} has no hubs: leave hub out` })
          }
          const before = yield* alreadyMade("connection", (id) => store.find(caller.ownerId, id))
          if (Option.isSome(before)) return yield* Effect.orDie(read(caller, before.value.id))
          const target = targetOf(input.partnerBaseUrl)
          const counted = Effect.tap(store.count(caller.ownerId), (have) =>
            target === "sandbox"
              ? plans.require(caller, "connections", target)
              : plans.requireConnection(caller, have)
          )
          // Check the quota first: a request beyond it should cause no DNS lookup.
          yield* counted
          const given = input.tokenA === undefined ? [] : [{ name: "tokenA" as const, value: input.tokenA }]
          if (hostTells(given, input.partnerBaseUrl)) {
            return yield* new Unsupported({
              message:
                "config: partnerBaseUrl: its host name holds the Token A, and host names are sent unencrypted; use another host name or another token"
            })
          }
          yield* guard
            .check(input.partnerBaseUrl, trusted)
            .pipe(
              Effect.mapError(
                ({ message }) => new Unsupported({ message: `config: partnerBaseUrl: ${message}` })
              )
            )
          const now = yield* nowIso
          const id = ConnectionId.make(yield* idOf("connection"))
          const row = newRow(input, { id, ownerId: caller.ownerId, createdAt: now })
          // The row last: a connection must not exist without its party and its token.
          const made = Effect.gen(function* () {
            const party = newParty(row, input, yield* ourSideFor(row, target))
            yield* parties.insert(
              party,
              given.map((token) => ({ slot: "outbound" as const, ...token }))
            )
            yield* store.insert(row)
          })
          yield* limits.withinQuota("connections", caller.ownerId, counted, made)
          // Read it back: the stored URL has a placeholder where it contained the token.
          return yield* Effect.orDie(read(caller, id))
        })

        /**
         * Our identity (country code and party id) in a new connection, and the party with which its runs keep their claims of EVSEs.
         * Sandbox partners share a host but are separate partners, so the identity need not differ between them.
         */
        const ourSideFor = traced("Connections.ourSideFor")(function* (
          row: ConnectionRow,
          target: Owned["target"]
        ) {
          if (target === "sandbox") return { identity: options.identity }
          const rows = yield* rowsOf({ ownerId: row.ownerId })
          const beside = yield* Effect.forEach(
            rows.filter((one) => isBeside(one, row)),
            joined,
            { concurrency: 8 }
          )
          const others = beside.flatMap(Option.toArray)
          const identity = identityBeside(
            options.identity,
            others.map(({ party }) => party.identity)
          )
          const first = others.findLast((one) => isAtSameUrl(one.row, row))?.party
          return first === undefined ? { identity } : { identity, claimsAt: first.claimsAt ?? first.id }
        })

        const joined = (row: ConnectionRow) =>
          Effect.map(
            parties.find(partyOf(row.id)),
            Option.map((party) => ({ row, party }))
          )

        const owned = traced("Connections.owned")(function* (caller: Caller, id: ConnectionId) {
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

        const viewsOf = Effect.fnUntraced(function* (rows: ReadonlyArray<ConnectionRow>) {
          const found = yield* Effect.forEach(rows, joined, { concurrency: 8 })
          const now = yield* Clock.currentTimeMillis
          return found.flatMap(Option.toArray).map(({ party, row }) => connectionView(row, party, now))
        })

        const list = traced("Connections.list")(function* (caller: Caller, page: ConnectionPage) {
          return yield* viewsOf(yield* store.list({ ownerId: caller.ownerId, ...page }))
        })

        const second = traced("Connections.second")(function* ({ row, view }: Owned) {
          const { ocpiVersion } = view
          const rows = yield* rowsOf({ ownerId: row.ownerId, status: "registered", ocpiVersion })
          return secondAt(view, yield* viewsOf(rows.filter((one) => mayBeSecond(row, one))))
        })

        const read = (caller: Caller, id: ConnectionId) => Effect.map(owned(caller, id), ({ view }) => view)

        const exchanges = traced("Connections.exchanges")(function* (
          caller: Caller,
          id: ConnectionId,
          query: ExchangesQuery
        ) {
          yield* owned(caller, id)
          return yield* exchangesOf(parties, partyOf(id), query)
        })

        const remove = traced("Connections.remove")(function* (caller: Caller, id: ConnectionId) {
          const row = yield* store.find(caller.ownerId, id)
          // An earlier removal ended after it removed the party, before it removed the row.
          if (Option.isSome(row) && Option.isNone(yield* joined(row.value)))
            yield* store.remove(caller.ownerId, id)
          const { party } = yield* owned(caller, id)
          return yield* detached.run(
            Effect.gen(function* () {
              let refused: Conflict | Unavailable = new Conflict({ message: handshakeOpen })
              const { busy, gone, message, told } = yield* handshakes.unregister(party.id, {
                removes: true,
                begins: (begin) =>
                  Effect.catchAll(unused(party, begin), (error) => {
                    refused = error
                    return Effect.succeedNone
                  })
              })
              if (busy === true) return yield* refused
              yield* store.remove(caller.ownerId, id)
              // Another removal, whose own answer says what the partner was told.
              if (gone === true) return yield* missing
              return { _id: id, partnerTold: told, message }
            })
          )
        })

        const mayCall = (url: string) => guard.decide(url, trusted)

        return Connections.of({ create, list, read, owned, second, exchanges, mayCall, remove })
      })
    )
}
