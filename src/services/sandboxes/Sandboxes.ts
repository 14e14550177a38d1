/** Sandbox partners as resources that a caller owns. */

import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import {
  Conflict,
  Invalid,
  NotFound,
  type PlanRequired,
  type TooMany,
  Unsupported
} from "../../../schema/Errors.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { type ConnectionId, PartyId } from "../../../schema/Ids.ts"
import type {
  CreateSandboxPartner,
  FaultView,
  RenewSandboxPartner,
  SandboxPartner
} from "../../../schema/Sandbox.ts"
import { withArticle } from "../../findings/words.ts"
import { issueToken } from "../../ocpi/tokens.ts"
import { Handshake } from "../../party/registration/Handshake.ts"
import { Sandbox } from "../../sandbox/Sandbox.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { Plans } from "../accounts/Plans.ts"
import { RateLimits } from "../accounts/RateLimits.ts"
import { alreadyStarted } from "../connections/alreadyStarted.ts"
import { Connections, handshakeOpen } from "../connections/Connections.ts"
import { type ExchangesQuery, exchangesOf } from "../connections/exchangesOf.ts"
import { Registrations } from "../connections/Registrations.ts"
import { DetachedWork } from "../requests/DetachedWork.ts"
import { idOf } from "../requests/IdempotentRequest.ts"
import type { ReadPage } from "../requests/readPage.ts"
import { faultViews, partnerView, type StoredParty } from "./sandboxView.ts"

/** Delay before a sandbox partner acts by itself, so that the run which expects it has begun to wait. */
const reactionTime = "3 seconds"

/** Whether the sandbox is on. */
interface SandboxesOptions {
  /** The setting SANDBOX. Off: no partner can be made, and existing ones are not served. */
  readonly on: boolean
}

/** Makes, steers and removes sandbox partners of a caller. */
export class Sandboxes extends Context.Tag("services/Sandboxes")<
  Sandboxes,
  {
    /** Every fault of the library. */
    readonly library: ReadonlyArray<FaultView>
    /**
     * Makes a partner; only this result shows that Token A. With `initiate` the partner registers with us first. `isTarget`: for an
     * order with the target `sandbox`.
     */
    readonly create: (
      caller: Caller,
      input: CreateSandboxPartner & { readonly isTarget?: true }
    ) => Effect.Effect<SandboxPartner, Invalid | PlanRequired | TooMany | Unsupported | NotFound | Conflict>
    /** Gives the partner a Token A of that connection; three seconds later it registers with us. */
    readonly introduce: (
      caller: Caller,
      id: string,
      connectionId: ConnectionId
    ) => Effect.Effect<void, NotFound | PlanRequired | Unsupported | Conflict>
    /** Three seconds later the partner renews its credentials with us. */
    readonly renewSoon: (caller: Caller, id: string) => Effect.Effect<void, NotFound>
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<SandboxPartner>>
    readonly read: (caller: Caller, id: string) => Effect.Effect<SandboxPartner, NotFound>
    /** The exchanges of the partner with us, as it saw them. */
    readonly exchanges: (
      caller: Caller,
      id: string,
      query: ExchangesQuery
    ) => Effect.Effect<ReadPage<Exchange>, NotFound | Invalid>
    /** Removes the partner and returns it as it was. */
    readonly remove: (caller: Caller, id: string) => Effect.Effect<SandboxPartner, NotFound>
    /** Issues another Token A of a partner that is not registered; only this result shows it, and the one before is dead. */
    readonly issueToken: (caller: Caller, id: string) => Effect.Effect<SandboxPartner, NotFound | Conflict>
    readonly setFaults: (
      caller: Caller,
      id: string,
      faults: ReadonlyArray<string>
    ) => Effect.Effect<SandboxPartner, NotFound | Invalid>
    /** The partner renews its registration by PUT credentials; a failure is in its `lastError`. */
    readonly handshake: (
      caller: Caller,
      id: string,
      order: RenewSandboxPartner
    ) => Effect.Effect<SandboxPartner, NotFound | Conflict | Unsupported>
    /** The partner ends its registration by DELETE credentials and forgets it, whatever we answer. */
    readonly leave: (
      caller: Caller,
      id: string
    ) => Effect.Effect<SandboxPartner, NotFound | Conflict | Unsupported>
  }
>() {
  static readonly layer = (options: SandboxesOptions) =>
    Layer.effect(
      Sandboxes,
      Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const store = yield* PartyStore
        const handshakes = yield* Handshake
        const connections = yield* Connections
        const registrations = yield* Registrations
        const plans = yield* Plans
        const limits = yield* RateLimits
        const detached = yield* DetachedWork
        const missing = new NotFound({
          message: "There is no such sandbox partner among those of this key's owner"
        })

        const view = (party: StoredParty, tokenA: string | null) =>
          partnerView(party, tokenA, sandbox.versionsUrl(party.id))

        const create = traced("Sandboxes.create")(function* (
          caller: Caller,
          input: CreateSandboxPartner & { readonly isTarget?: true }
        ) {
          if (!options.on) {
            return yield* new Unsupported({
              message: "The sandbox is turned off on this service (setting SANDBOX)"
            })
          }
          yield* plans.require(caller, "sandbox")
          const id = PartyId.make(yield* idOf("sandbox"))
          const have = Effect.map(store.sandboxes(caller.ownerId), ({ length }) => length)
          const { party, tokenA } = yield* sandbox
            .create(caller.ownerId, { activity: "catalogue", ...input, id }, (insert) =>
              limits.withinQuota("sandboxPartners", caller.ownerId, have, insert)
            )
            .pipe(
              Effect.catchTag("UnfitFault", ({ message }) => new Invalid({ message: `faults: ${message}` }))
            )
          const { initiate } = input
          if (initiate !== undefined && party.registration === "none") {
            yield* invited(caller, party, initiate).pipe(Effect.tapError(() => sandbox.remove(party.id)))
            yield* comes(party.id)
          }
          const now = yield* read(caller, party.id).pipe(Effect.orDie)
          // A registered partner has replaced its Token A, so it is not shown.
          return now.registered ? now : { ...now, tokenA: Redacted.value(tokenA) }
        })

        /** Issues a Token A of that connection and gives it to the partner. */
        const invited = traced("Sandboxes.invited")(function* (
          caller: Caller,
          { id, role, version }: Party,
          connectionId: ConnectionId
        ) {
          const { row } = yield* connections.owned(caller, connectionId)
          if (row.theirRole !== role || row.ocpiVersion !== version) {
            return yield* new Unsupported({
              message: `initiate: the connection is for ${withArticle(row.theirRole)} with OCPI ${row.ocpiVersion}, not for ${withArticle(role)} with ${version}`
            })
          }
          const { token, versionsUrl } = yield* registrations.invite(caller, connectionId)
          yield* store.update(id, (party) => ({
            ...party,
            counterpart: { ...party.counterpart, versionsUrl }
          }))
          yield* store.putToken(id, "outbound", { name: "tokenA", value: Redacted.make(token) })
        })

        /** The partner registers with its token. A failure is not an error of the caller; it goes into `lastError`. */
        const comes = (id: PartyId) => shaken(id, handshakes.run(id))

        const blaming = (id: PartyId, lastError: string) =>
          store.update(id, (party) => ({ ...party, lastError }))

        const shaken = (id: PartyId, running: ReturnType<Handshake["Type"]["run"]>) =>
          Effect.tap(running, (result) =>
            result.ok || "gone" in result || result.busy === true ? Effect.void : blaming(id, result.error)
          )

        const introduce = traced("Sandboxes.introduce")(function* (
          caller: Caller,
          id: string,
          connectionId: ConnectionId
        ) {
          yield* read(caller, id)
          const party = yield* Effect.flatMap(store.find(PartyId.make(id)), (found) => found).pipe(
            Effect.mapError(() => missing)
          )
          yield* invited(caller, party, connectionId)
          yield* Effect.forkDaemon(Effect.zipRight(Effect.sleep(reactionTime), detached.run(comes(party.id))))
        })

        const renewSoon = traced("Sandboxes.renewSoon")(function* (caller: Caller, id: string) {
          yield* read(caller, id)
          yield* Effect.forkDaemon(
            Effect.zipRight(Effect.sleep(reactionTime), detached.run(comes(PartyId.make(id))))
          )
        })

        const list = traced("Sandboxes.list")(function* (caller: Caller) {
          return (yield* store.sandboxes(caller.ownerId)).map((party) => view(party, null))
        })

        const read = traced("Sandboxes.read")(function* (caller: Caller, id: string) {
          const found = (yield* list(caller)).find(({ _id }) => _id === id)
          return found ?? (yield* missing)
        })

        const exchanges = traced("Sandboxes.exchanges")(function* (
          caller: Caller,
          id: string,
          query: ExchangesQuery
        ) {
          yield* read(caller, id)
          return yield* exchangesOf(store, PartyId.make(id), query)
        })

        const remove = traced("Sandboxes.remove")(function* (caller: Caller, id: string) {
          const before = yield* read(caller, id)
          yield* sandbox.remove(PartyId.make(id))
          return before
        })

        const issueTokenA = traced("Sandboxes.issueToken")(function* (caller: Caller, id: string) {
          const before = yield* read(caller, id)
          const value = yield* issueToken
          // The same party: it has registered, and neither it nor its token is changed.
          const after = yield* store.update(
            PartyId.make(id),
            (party) => (party.registration === "registered" ? party : { ...party }),
            [{ slot: "issued", token: { name: "tokenA", value } }]
          )
          if (Option.isNone(after)) return yield* missing
          if (after.value.registration === "registered") {
            return yield* new Conflict({
              message: "The sandbox partner is registered; let it unregister before it issues a Token A"
            })
          }
          return { ...before, tokenA: Redacted.value(value) }
        })

        const setFaults = traced("Sandboxes.setFaults")(function* (
          caller: Caller,
          id: string,
          faults: ReadonlyArray<string>
        ) {
          yield* read(caller, id)
          yield* sandbox
            .setFaults(PartyId.make(id), faults)
            .pipe(Effect.mapError(({ message }) => new Invalid({ message: `faults: ${message}` })))
          return yield* read(caller, id)
        })

        /** The partner's id; Unsupported when it is not registered. */
        const registeredOne = traced("Sandboxes.registeredOne")(function* (caller: Caller, id: string) {
          const { registered: isRegistered } = yield* read(caller, id)
          if (isRegistered) return PartyId.make(id)
          return yield* new Unsupported({
            message:
              "The sandbox partner is not registered; run POST /connections/{id}/handshake with its Token A, or make one with initiate"
          })
        })

        /** Whether an earlier attempt of the request already exchanged credentials. Does not check the owner; `read` does. */
        const wasBegun = (id: string) =>
          Effect.flatMap(
            store.find(PartyId.make(id)),
            Option.match({
              onNone: () => Effect.succeed(false),
              onSome: (party) => Effect.provideService(alreadyStarted(party), PartyStore, store)
            })
          )

        const handshake = traced("Sandboxes.handshake")(function* (
          caller: Caller,
          id: string,
          { ocpiVersion: version }: RenewSandboxPartner
        ) {
          if (yield* wasBegun(id)) return yield* read(caller, id)
          const partyId = yield* registeredOne(caller, id)
          const order = version === undefined ? {} : { version }
          const result = yield* detached.run(shaken(partyId, handshakes.run(partyId, order)))
          if (!result.ok && "busy" in result) return yield* new Conflict({ message: handshakeOpen })
          return yield* read(caller, id)
        })

        const leave = traced("Sandboxes.leave")(function* (caller: Caller, id: string) {
          if (yield* wasBegun(id)) return yield* read(caller, id)
          const partyId = yield* registeredOne(caller, id)
          const { busy } = yield* detached.run(
            Effect.tap(handshakes.unregister(partyId), ({ busy, message, told }) =>
              told || busy === true ? Effect.void : blaming(partyId, message)
            )
          )
          if (busy === true) return yield* new Conflict({ message: handshakeOpen })
          return yield* read(caller, id)
        })

        return Sandboxes.of({
          library: faultViews,
          create,
          introduce,
          renewSoon,
          list,
          read,
          exchanges,
          remove,
          issueToken: issueTokenA,
          setFaults,
          handshake,
          leave
        })
      })
    )
}
