import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Option, Ref, type Scope } from "effect"
import { makeSimulationClaims } from "../../../src/party/simulation/engine/claims.ts"
import { makeCarryOn } from "../../../src/placement/carryOn.ts"
import { Placement } from "../../../src/placement/Placement.ts"
import { makePlacementMemory } from "../../../src/placement/PlacementMemory.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { partyWith } from "../../support/parties/parties.ts"

const party = partyWith({ id: "sbx_1", role: "CPO", kind: "sandbox" })
const charge = { module: "charges", key: "S1" }

/** Two processes, as they see one party; `by` says whose the charge is, and `living` can be set. */
const processes = Effect.gen(function* () {
  const living = yield* Ref.make<ReadonlySet<string>>(new Set(["A", "B"]))
  const seenBy = (processId: string) =>
    Effect.gen(function* () {
      const seen = { processId, living: Ref.get(living) }
      const carryOn = makeCarryOn({ ...seen, withLock: (_, body) => body })
      const placement = { ...(yield* makePlacementMemory({ processId })), ...seen, carryOn }
      return yield* Effect.provideService(makeSimulationClaims, Placement, placement)
    })
  const store = yield* PartyStore
  yield* store.insert(party, [])
  const left = (by: string) =>
    store.putObject(party.id, {
      ...charge,
      side: "own",
      json: { by, startedAt: 1 },
      lastUpdated: "2026-01-01T00:00:00Z"
    })
  const json = Effect.map(
    store.object(party.id, "charges", "own", "S1"),
    (found) => Option.getOrThrow(found).json
  )
  return { a: yield* seenBy("A"), b: yield* seenBy("B"), living, left, json }
})

const run = <A, E>(test: Effect.Effect<A, E, PartyStore | Scope.Scope>) =>
  Effect.scoped(Effect.provide(test, Layer.fresh(PartyStoreMemory)))

describe("what is under way at a charge point", () => {
  it.effect("is left to the living process that carries it on", () =>
    run(
      Effect.gen(function* () {
        const { a, b, json, left } = yield* processes
        yield* left("A")
        assert.isTrue(yield* a.claim(party, charge))
        assert.isFalse(yield* b.claim(party, charge))
        assert.isTrue(a.isOurs(yield* json))
      })
    )
  )

  it.effect("is taken over from a dead process, which knows it when it wakes up", () =>
    run(
      Effect.gen(function* () {
        const { a, b, json, left, living } = yield* processes
        yield* left("A")
        yield* Ref.set(living, new Set(["B"]))
        assert.isTrue(yield* b.claim(party, charge))
        assert.deepStrictEqual(yield* json, { by: "B", startedAt: 1 })
        yield* Ref.set(living, new Set(["A", "B"]))
        assert.isFalse(a.isOurs(yield* json))
        assert.isFalse(yield* a.claim(party, charge))
      })
    )
  )

  it.effect("is taken over with what was written into it at that moment", () =>
    run(
      Effect.gen(function* () {
        const { b, json, left, living } = yield* processes
        yield* left("A")
        yield* Ref.set(living, new Set(["B"]))
        const store = yield* PartyStore
        let reads = 0
        // The wish to stop comes through another process between the heir's reading and its writing.
        const object: typeof store.object = (...at) =>
          Effect.tap(store.object(...at), () =>
            ++reads === 2
              ? store.putObject(party.id, {
                  ...charge,
                  side: "own",
                  json: { by: "A", startedAt: 1, stopAt: 7 },
                  lastUpdated: "2026-01-01T00:00:01Z"
                })
              : Effect.void
          )
        const taken = b.claim(party, charge).pipe(Effect.provideService(PartyStore, { ...store, object }))
        assert.isTrue(yield* taken)
        assert.deepStrictEqual(yield* json, { by: "B", startedAt: 1, stopAt: 7 })
      })
    )
  )

  it.effect("is nobody's when it is over, and begun by one process alone", () =>
    run(
      Effect.gen(function* () {
        const { a, b } = yield* processes
        assert.isFalse(yield* a.claim(party, charge))
        assert.isTrue(yield* b.claim(party, { ...charge, create: true }))
        assert.isFalse(yield* a.claim(party, { ...charge, create: true }))
      })
    )
  )
})
