/** A sandbox on its own runs for weeks: what it keeps has an end. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { exchange, party } from "../support/parties/heldParties.ts"

describe("the exchanges in memory", () => {
  it.effect("are the newest 20,000 of all parties", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const [often, once] = [party("p_often"), party("p_once")]
      for (const one of [often, once]) yield* store.insert(one, [])
      yield* store.record(once.id, exchange("first"))
      yield* Effect.forEach(
        Array.from({ length: 1200 }),
        (_, n) => store.record(often.id, exchange(`refused${n}`), "refused"),
        { discard: true }
      )
      yield* Effect.forEach(
        Array.from({ length: 20_000 }),
        (_, n) => store.record(often.id, exchange(`exc${n}`)),
        { discard: true }
      )
      assert.deepStrictEqual(yield* store.exchanges(once.id, 0, 1), [])
      const [oldest] = yield* store.exchanges(often.id, 0, 1)
      assert.deepInclude(oldest, { position: 1202, exchange: exchange("exc0") })
      yield* store.record(often.id, exchange("late"), "refused")
      const [second] = yield* store.exchanges(often.id, 0, 1)
      assert.strictEqual(second?.exchange.id, "exc1")
    }).pipe(Effect.provide(PartyStoreMemory))
  )
})
