/**
 * Which process carries on what is under way at simulated charge points. The record of each charge and reservation names
 * it (`by`), and it holds for as long as that process is alive: over all processes on one database, and through their
 * deaths, nobody is told anything twice.
 */
import { Effect, Option } from "effect"
import { Locks } from "../../../database/Locks.ts"
import { Presence } from "../../../database/Presence.ts"
import { type JsonObject, textIn } from "../../../findings/json.ts"
import { type Party, PartyStore } from "../../../store/parties/PartyStore.ts"
import { nowIso } from "../../wire/instants.ts"
import { freshUuid } from "../../wire/messageId.ts"

export interface SimulationClaims {
  /** For a record that this process makes and carries on. */
  readonly mark: { readonly by: string }
  /** Is it this process that carries the record on? To be asked before each step: another one may have taken over. */
  readonly isOurs: (record: JsonObject) => boolean
  /** Whose records are not to be touched, this process among them. */
  readonly living: Effect.Effect<ReadonlySet<string>>
  /**
   * Takes the record over unless another living process carries it on; true when it is ours then. One that is not there
   * is made with `create`, and nobody's otherwise.
   */
  readonly claim: (party: Party, wanted: Wanted) => Effect.Effect<boolean, never, PartyStore>
}

/** A record of a party's own. */
interface Wanted {
  readonly module: string
  readonly key: string
  readonly create?: boolean
}

/** Without a database a process is alone, and all that it finds was left behind. */
export const makeClaims: Effect.Effect<SimulationClaims> = Effect.gen(function* () {
  const presence = Option.getOrUndefined(yield* Effect.serviceOption(Presence))
  const locks = Option.getOrUndefined(yield* Effect.serviceOption(Locks))
  const self = presence?.processId ?? (yield* freshUuid)
  const living = presence?.living ?? Effect.succeed(new Set([self]))

  /** Undefined: it is to be had. */
  const look = Effect.fn("simulation.look")(function* (
    party: Party,
    { create = false, key, module }: Wanted
  ) {
    const store = yield* PartyStore
    const known = Option.getOrUndefined(yield* store.object(party.id, module, "own", key))
    if (known === undefined) return { known, ours: create ? undefined : false }
    const by = textIn(known.json["by"]) ?? ""
    return { known, ours: (yield* living).has(by) ? by === self : undefined }
  })

  const take = Effect.fn("simulation.take")(function* (party: Party, wanted: Wanted) {
    const store = yield* PartyStore
    const { key, module } = wanted
    // Something else may be written into the record at the same time, such as the wish that a charge stop.
    for (;;) {
      const { known, ours } = yield* look(party, wanted)
      if (ours !== undefined) return ours
      const lastUpdated = known?.lastUpdated ?? (yield* nowIso)
      const object = { module, key, side: "own" as const, json: { ...known?.json, by: self }, lastUpdated }
      if (yield* store.replaceObject(party.id, object, known?.revision ?? null)) return true
    }
  })

  /** Reads the claim before it takes the lock: most claims are another living process's. */
  const claim = Effect.fn("simulation.claim")(function* (party: Party, wanted: Wanted) {
    const { ours } = yield* look(party, wanted)
    if (ours !== undefined) return ours
    const taken = take(party, wanted)
    const name = `simulation/${party.id}/${wanted.module}/${wanted.key}`
    return yield* locks === undefined ? taken : locks.withLock(name, taken)
  })

  return { mark: { by: self }, isOurs: ({ by }) => by === self, living, claim }
})
