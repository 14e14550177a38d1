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
import { type ConnectionId, PartyId } from "../../../schema/Ids.ts"
import type {
  CreateSandboxPartner,
  FaultView,
  RenewSandboxPartner,
  SandboxPartner
} from "../../../schema/Sandbox.ts"
import { Handshake } from "../../party/registration/Handshake.ts"
import { Sandbox } from "../../sandbox/Sandbox.ts"
import { type Party, PartyStore } from "../../store/parties/PartyStore.ts"
import { Plans } from "../accounts/Plans.ts"
import { RateLimits } from "../accounts/RateLimits.ts"
import { alreadyStarted } from "../connections/alreadyStarted.ts"
import { Connections, handshakeOpen } from "../connections/Connections.ts"
import { Registrations } from "../connections/Registrations.ts"
import { DetachedWork } from "../requests/DetachedWork.ts"
import { idOf } from "../requests/IdempotentRequest.ts"
import { faultViews, partnerView, type StoredParty } from "./sandboxView.ts"

/** Whoever was to be registered with has begun to wait by then. */
const reactionTime = "3 seconds"

export interface SandboxesOptions {
  /** The setting SANDBOX. Off: nothing can be made, and what was made is not served. */
  readonly on: boolean
}

export class Sandboxes extends Context.Tag("services/Sandboxes")<
  Sandboxes,
  {
    /** Every fault that a partner can be given. */
    readonly library: ReadonlyArray<FaultView>
    /** The answer carries token A, this once. With `initiate` the partner registers with that connection first. */
    readonly create: (
      caller: Caller,
      input: CreateSandboxPartner
    ) => Effect.Effect<SandboxPartner, Invalid | PlanRequired | TooMany | Unsupported | NotFound | Conflict>
    /** Gives the partner a Token A of that connection; a moment later it comes with it, by itself. */
    readonly introduce: (
      caller: Caller,
      id: string,
      connectionId: ConnectionId
    ) => Effect.Effect<void, NotFound | PlanRequired | Unsupported | Conflict>
    /** A moment later the partner renews its credentials, by itself. */
    readonly renewSoon: (caller: Caller, id: string) => Effect.Effect<void, NotFound>
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<SandboxPartner>>
    readonly read: (caller: Caller, id: string) => Effect.Effect<SandboxPartner, NotFound>
    /** The partner as it was. */
    readonly remove: (caller: Caller, id: string) => Effect.Effect<SandboxPartner, NotFound>
    readonly setFaults: (
      caller: Caller,
      id: string,
      faults: ReadonlyArray<string>
    ) => Effect.Effect<SandboxPartner, NotFound | Invalid>
    /** The partner renews its registration by PUT credentials; what went wrong stands in its `lastError`. */
    readonly handshake: (
      caller: Caller,
      id: string,
      order: RenewSandboxPartner
    ) => Effect.Effect<SandboxPartner, NotFound | Conflict | Unsupported>
    /** The partner ends its registration by DELETE credentials, and has forgotten it whatever the answer is. */
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

        const create = Effect.fn("Sandboxes.create")(function* (caller: Caller, input: CreateSandboxPartner) {
          if (!options.on) {
            return yield* new Unsupported({ message: "The sandbox is turned off here (setting SANDBOX)" })
          }
          yield* plans.require(caller, "sandbox")
          const id = PartyId.make(yield* idOf("sandbox"))
          const have = Effect.map(store.sandboxes(caller.ownerId), ({ length }) => length)
          const { party, tokenA } = yield* sandbox
            .create(caller.ownerId, { activity: "catalogue", ...input, id }, (insert) =>
              limits.oneMore("sandboxPartners", caller.ownerId, have, insert)
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
          // Whoever is registered has no use for a Token A any more: it is dead.
          return now.registered ? now : { ...now, tokenA: Redacted.value(tokenA) }
        })

        /** The partner has the Token A of that connection. */
        const invited = Effect.fn("Sandboxes.invited")(function* (
          caller: Caller,
          { id, role, version }: Party,
          connectionId: ConnectionId
        ) {
          const { row } = yield* connections.owned(caller, connectionId)
          if (row.theirRole !== role || row.ocpiVersion !== version) {
            return yield* new Unsupported({
              message: `initiate: the connection is for a ${row.theirRole} with OCPI ${row.ocpiVersion}, not for a ${role} with ${version}`
            })
          }
          const { token, versionsUrl } = yield* registrations.invite(caller, connectionId)
          yield* store.update(id, (party) => ({
            ...party,
            counterpart: { ...party.counterpart, versionsUrl }
          }))
          yield* store.putToken(id, "outbound", { name: "tokenA", value: Redacted.make(token) })
        })

        /** It comes with the token that it has. That it fails is no error of the caller: the partner tells. */
        const comes = (id: PartyId) => shaken(id, handshakes.run(id))

        const blaming = (id: PartyId, lastError: string) =>
          store.update(id, (party) => ({ ...party, lastError }))

        const shaken = (id: PartyId, running: ReturnType<Handshake["Type"]["run"]>) =>
          Effect.tap(running, (result) =>
            result.ok || "gone" in result || result.busy === true ? Effect.void : blaming(id, result.error)
          )

        const introduce = Effect.fn("Sandboxes.introduce")(function* (
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

        const renewSoon = Effect.fn("Sandboxes.renewSoon")(function* (caller: Caller, id: string) {
          yield* read(caller, id)
          yield* Effect.forkDaemon(
            Effect.zipRight(Effect.sleep(reactionTime), detached.run(comes(PartyId.make(id))))
          )
        })

        const list = Effect.fn("Sandboxes.list")(function* (caller: Caller) {
          return (yield* store.sandboxes(caller.ownerId)).map((party) => view(party, null))
        })

        const read = Effect.fn("Sandboxes.read")(function* (caller: Caller, id: string) {
          const found = (yield* list(caller)).find(({ _id }) => _id === id)
          return found ?? (yield* missing)
        })

        const remove = Effect.fn("Sandboxes.remove")(function* (caller: Caller, id: string) {
          const before = yield* read(caller, id)
          yield* sandbox.remove(PartyId.make(id))
          return before
        })

        const setFaults = Effect.fn("Sandboxes.setFaults")(function* (
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

        /** Its id, where it is registered. */
        const registeredOne = Effect.fn("Sandboxes.registeredOne")(function* (caller: Caller, id: string) {
          const { registered: isRegistered } = yield* read(caller, id)
          if (isRegistered) return PartyId.make(id)
          return yield* new Unsupported({
            message:
              "The sandbox partner is not registered; run POST /connections/{id}/handshake with its Token A, or make one with initiate"
          })
        })

        /** An earlier try of the same request has spoken with our side already. `read` says whose the partner is. */
        const wasBegun = (id: string) =>
          Effect.flatMap(
            store.find(PartyId.make(id)),
            Option.match({
              onNone: () => Effect.succeed(false),
              onSome: (party) => Effect.provideService(alreadyStarted(party), PartyStore, store)
            })
          )

        const handshake = Effect.fn("Sandboxes.handshake")(function* (
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

        const leave = Effect.fn("Sandboxes.leave")(function* (caller: Caller, id: string) {
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
          remove,
          setFaults,
          handshake,
          leave
        })
      })
    )
}
