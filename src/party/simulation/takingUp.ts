/** Taking up what was left behind at charge points: by this process before its restart, or by another one that died. */
import { Effect, Option } from "effect"
import type { PartyId } from "../../../schema/Ids.ts"
import { type Party, type PartyObject, PartyStore } from "../../store/PartyStore.ts"
import { textIn } from "../json.ts"
import { ownObject, tellSession } from "./chargePoint.ts"
import { chargeKey, chargesModule, drive } from "./charging.ts"
import type { Engine, Simulated } from "./Engine.ts"
import { reservationKey, reservationsModule, watchReservation } from "./reservations.ts"

/** More unfinished sessions of one party than this are not taken up. */
const mostAtOnce = 1_000

/** All unfinished sessions and reservations of the party that no living process carries on. */
export const takeUp = Effect.fn("simulation.takeUp")(function* (engine: Engine, id: PartyId) {
  const store = yield* PartyStore
  const party = Option.getOrUndefined(yield* store.find(id))
  if (party === undefined) return
  const living = yield* engine.living
  const leftBehind = (module: string) =>
    Effect.map(store.objects(id, module, "own", { offset: 0, limit: mostAtOnce }), ({ items }) =>
      items.filter(({ json }) => !living.has(textIn(json["by"]) ?? ""))
    )
  for (const charge of yield* leftBehind(chargesModule))
    if (yield* engine.claim(party, charge)) yield* goOn(engine, party, charge)
  for (const reservation of yield* leftBehind(reservationsModule))
    if (yield* engine.claim(party, reservation)) {
      const { key } = reservation
      yield* engine.start(reservationKey(id, key), watchReservation(engine, id, key))
    }
})

/** Whatever update was lost, the whole session makes good for it. */
function goOn(
  engine: Engine,
  party: Party,
  { json, key }: PartyObject
): Effect.Effect<void, never, Simulated> {
  const told = Effect.flatMap(
    ownObject(party, "sessions", key),
    Option.match({
      onNone: () => Effect.void,
      onSome: (session) => tellSession(party, session, "PUT", session, textIn(json["correlationId"]) ?? "")
    })
  )
  return engine.start(chargeKey(party.id, key), Effect.zipRight(told, drive(engine, party.id, key)))
}
