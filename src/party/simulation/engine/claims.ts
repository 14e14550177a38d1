/**
 * Which process carries on the work of simulated charge points. The record of each charge and reservation names it
 * (`by`); the claim holds while that process is alive. So no counterpart is sent anything twice, even when a process
 * dies.
 */
import { Effect, Option, type Scope } from "effect"
import { type JsonObject, textIn } from "../../../findings/json.ts"
import { Placement } from "../../../placement/Placement.ts"
import { makePlacementMemory } from "../../../placement/PlacementMemory.ts"
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
export const makeSimulationClaims: Effect.Effect<SimulationClaims, never, Scope.Scope> = Effect.gen(
  function* () {
    const { carryOn, living, processId } = yield* Effect.serviceOptional(Placement).pipe(
      Effect.orElse(() => Effect.flatMap(freshUuid, (id) => makePlacementMemory({ processId: id })))
    )

    const claim = traced("simulation.claim")((party: Party, { create = false, key, module }: Wanted) =>
      carryOn(
        `simulation/${party.id}/${module}/${key}`,
        Effect.gen(function* () {
          const store = yield* PartyStore
          const known = Option.getOrUndefined(yield* store.object(party.id, module, "own", key))
          if (known === undefined && !create) return undefined
          const take = Effect.gen(function* () {
            const lastUpdated = known?.lastUpdated ?? (yield* nowIso)
            const json = { ...known?.json, by: processId }
            // Other fields of the record may change concurrently, such as the wish to stop the charge.
            const object = { module, key, side: "own" as const, json, lastUpdated }
            return yield* store.replaceObject(party.id, object, known?.revision ?? null)
          })
          return { by: known === undefined ? undefined : (textIn(known.json["by"]) ?? ""), take }
        })
      )
    )

    return { mark: { by: processId }, isOurs: ({ by }) => by === processId, living, claim }
  }
)
