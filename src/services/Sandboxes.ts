/** Sandbox partners as resources that a caller owns. */
import { Context, Effect, Layer, Redacted } from "effect"
import type { Caller } from "../../schema/Account.ts"
import { Invalid, NotFound, type PlanRequired, type TooMany, Unsupported } from "../../schema/Errors.ts"
import { PartyId } from "../../schema/Ids.ts"
import type { CreateSandboxPartner, FaultView, SandboxPartner } from "../../schema/Sandbox.ts"
import { faultLibrary } from "../sandbox/faults/faultLibrary.ts"
import { Sandbox } from "../sandbox/Sandbox.ts"
import { type Party, PartyStore } from "../store/PartyStore.ts"
import { Plans } from "./Plans.ts"
import { RateLimits } from "./RateLimits.ts"

export interface SandboxesOptions {
  /** The setting SANDBOX. Off: nothing can be made, and what was made is not served. */
  readonly on: boolean
}

export class Sandboxes extends Context.Tag("services/Sandboxes")<
  Sandboxes,
  {
    /** Every fault that a partner can be given. */
    readonly library: ReadonlyArray<FaultView>
    /** The answer carries token A, this once. */
    readonly create: (
      caller: Caller,
      input: CreateSandboxPartner
    ) => Effect.Effect<SandboxPartner, Invalid | PlanRequired | TooMany | Unsupported>
    readonly list: (caller: Caller) => Effect.Effect<ReadonlyArray<SandboxPartner>>
    readonly read: (caller: Caller, id: string) => Effect.Effect<SandboxPartner, NotFound>
    /** The partner as it was. */
    readonly remove: (caller: Caller, id: string) => Effect.Effect<SandboxPartner, NotFound>
    readonly setFaults: (
      caller: Caller,
      id: string,
      faults: ReadonlyArray<string>
    ) => Effect.Effect<SandboxPartner, NotFound | Invalid>
  }
>() {
  static readonly layer = (options: SandboxesOptions) =>
    Layer.effect(
      Sandboxes,
      Effect.gen(function* () {
        const sandbox = yield* Sandbox
        const store = yield* PartyStore
        const plans = yield* Plans
        const limits = yield* RateLimits
        const missing = new NotFound({
          message: "There is no such sandbox partner among those of this key's owner"
        })

        const view = (
          party: Party & { readonly createdAt: string },
          tokenA: string | null
        ): SandboxPartner => ({
          _id: party.id,
          theirRole: party.role,
          ocpiVersion: party.version,
          partnerBaseUrl: sandbox.versionsUrl(party.id),
          tokenA,
          faults: party.sandbox?.faults ?? [],
          seed: party.sandbox?.seed ?? 0,
          speed: party.sandbox?.speed ?? 1,
          activity: party.sandbox?.activity ?? "quiet",
          registered: party.registration === "registered",
          createdAt: party.createdAt
        })

        const create = Effect.fn("Sandboxes.create")(function* (caller: Caller, input: CreateSandboxPartner) {
          if (!options.on) {
            return yield* new Unsupported({ message: "The sandbox is turned off here (setting SANDBOX)" })
          }
          yield* plans.require(caller, "sandbox")
          yield* limits.quota("connections", (yield* store.sandboxes(caller.ownerId)).length)
          const { party, tokenA } = yield* sandbox
            .create(caller.ownerId, { activity: "catalogue", ...input })
            .pipe(Effect.mapError(({ message }) => new Invalid({ message: `faults: ${message}` })))
          return { ...(yield* read(caller, party.id).pipe(Effect.orDie)), tokenA: Redacted.value(tokenA) }
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

        const library = faultLibrary.map(
          ({ caughtBy, description, id, module, roles, strength, versions }): FaultView => ({
            id,
            module,
            versions,
            roles,
            strength,
            description,
            caughtBy
          })
        )
        return Sandboxes.of({ library, create, list, read, remove, setFaults })
      })
    )
}
