/**
 * Which process carries on the work of simulated charge points. The record of each charge and reservation names it
 * (`by`); the claim holds while that process is alive. So no counterpart is sent anything twice, even when a process
 * dies.
 */
import { Effect, Option } from "effect"
import { Locks } from "../../../database/Locks.ts"
import { Presence } from "../../../database/presence/Presence.ts"
import { type JsonObject, textIn } from "../../../findings/json.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { PartyStore } from "../../../store/parties/PartyStore.ts"
import { traced } from "../../../telemetry/traced.ts"
import { nowIso } from "../../wire/instants.ts"
import { freshUuid } from "../../wire/messageId.ts"

/** The claims of this process on records of simulated work. */
export interface SimulationClaims {
  /** Fields of a record that this process creates and carries on. */
  readonly mark: { readonly by: string }
  /** Does this process carry the record on? Ask before each step, because another process may have taken over. */
  readonly isOurs: (record: JsonObject) => boolean
  /** Ids of the living processes, this one among them; their records must not be taken over. */
  readonly living: Effect.Effect<ReadonlySet<string>>
  /**
   * Claims the record unless another living process carries it on; true when it is ours. A missing record is created with
   * `create`, otherwise the answer is false.
   */
  readonly claim: (party: Party, wanted: Wanted) => Effect.Effect<boolean, never, PartyStore>
}

/** The record to claim. */
interface Wanted {
  readonly module: string
  readonly key: string
  readonly create?: boolean
}

/** Without a database the process is alone, and every record that it finds was left behind. */
export const makeClaims: Effect.Effect<SimulationClaims> = Effect.gen(function* () {
  const presence = Option.getOrUndefined(yield* Effect.serviceOption(Presence))
  const locks = Option.getOrUndefined(yield* Effect.serviceOption(Locks))
  const self = presence?.processId ?? (yield* freshUuid)
  const living = presence?.living ?? Effect.succeed(new Set([self]))

  /** Undefined: the record can be claimed. */
  const look = traced("simulation.look")(function* (party: Party, { create = false, key, module }: Wanted) {
    const store = yield* PartyStore
    const known = Option.getOrUndefined(yield* store.object(party.id, module, "own", key))
    if (known === undefined) return { known, ours: create ? undefined : false }
    const by = textIn(known.json["by"]) ?? ""
    return { known, ours: (yield* living).has(by) ? by === self : undefined }
  })

  const take = traced("simulation.take")(function* (party: Party, wanted: Wanted) {
    const store = yield* PartyStore
    const { key, module } = wanted
    // Other fields of the record may change concurrently, such as the wish to stop the charge.
    for (;;) {
      const { known, ours } = yield* look(party, wanted)
      if (ours !== undefined) return ours
      const lastUpdated = known?.lastUpdated ?? (yield* nowIso)
      const object = { module, key, side: "own" as const, json: { ...known?.json, by: self }, lastUpdated }
      if (yield* store.replaceObject(party.id, object, known?.revision ?? null)) return true
    }
  })

  /** Reads before taking the lock, because most records belong to other living processes. */
  const claim = traced("simulation.claim")(function* (party: Party, wanted: Wanted) {
    const { ours } = yield* look(party, wanted)
    if (ours !== undefined) return ours
    const taken = take(party, wanted)
    const name = `simulation/${party.id}/${wanted.module}/${wanted.key}`
    return yield* locks === undefined ? taken : locks.withLock(name, taken)
  })

  return { mark: { by: self }, isOurs: ({ by }) => by === self, living, claim }
})
