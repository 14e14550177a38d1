/** Resumes work at charge points that this process left before its restart, or another one that died. */
import { Effect, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { retryUntilBack } from "../../database/retry.ts"
import { textIn } from "../../findings/json.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { carryOn, chargeKey, chargesModule } from "./chargePoint/charging.ts"
import { reservationKey, reservationsModule, watchReservation } from "./chargePoint/reservations.ts"
import type { Engine } from "./engine/Engine.ts"

/** The most unfinished sessions of a party that are resumed. */
const mostAtOnce = 1_000

/** Resumes all unfinished sessions and reservations of the party that no living process carries on. */
export const resumeSimulation = traced("simulation.takeUp")(function* (engine: Engine, id: PartyId) {
  const store = yield* PartyStore
  const party = Option.getOrUndefined(yield* store.find(id))
  if (party === undefined) return
  const living = yield* engine.living
  const leftBehind = (module: string) =>
    Effect.map(store.objects(id, module, "own", { offset: 0, limit: mostAtOnce }), ({ items }) =>
      items.filter(({ json }) => !living.has(textIn(json["by"]) ?? ""))
    )
  for (const charge of yield* leftBehind(chargesModule))
    if (yield* engine.claim(party, charge))
      yield* engine.start(chargeKey(id, charge.key), retryUntilBack(carryOn(engine, id, charge.key)))
  for (const reservation of yield* leftBehind(reservationsModule))
    if (yield* engine.claim(party, reservation)) {
      const { key } = reservation
      yield* engine.start(reservationKey(id, key), retryUntilBack(watchReservation(engine, id, key)))
    }
})
