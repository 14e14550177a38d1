import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, TestClock } from "effect"
import { DatabaseDown } from "../../src/database/DatabaseDown.ts"
import { party } from "../support/parties/ScriptedPartner.ts"
import { isTerminal, makeBench, order, settle, until } from "./support/JourneyBench.ts"

const owner = party.ownerId

describe("a run that is just taken up", () => {
  /** A waiting run that was given back; a process has claimed it and does nothing more until `goOn`. */
  const halfTakenUp = Effect.gen(function* () {
    const bench = yield* makeBench({ silent: ["updates"] })
    const first = yield* bench.boot()
    const { runId } = (yield* first.journeys.start(order("remote-start"))).facts
    yield* until(bench, runId, (status) => status === "waiting")
    yield* first.shutDown
    const gate = yield* Deferred.make<void>()
    const heir = yield* bench.boot(undefined, { afterClaim: Deferred.await(gate) })
    yield* settle
    return { bench, runId, heir, goOn: Deferred.succeed(gate, undefined) }
  })

  it.effect("is stopped once it has an actor", () =>
    Effect.gen(function* () {
      const { bench, goOn, heir, runId } = yield* halfTakenUp
      const stopping = yield* Effect.fork(heir.journeys.cancel(owner, runId))
      yield* settle
      yield* goOn
      yield* TestClock.adjust("1 second")
      assert.strictEqual((yield* Fiber.join(stopping)).snapshot.view.status, "cancelling")
      assert.strictEqual(yield* until(bench, runId, isTerminal), "cancelled")
    })
  )
  it.effect("is stopped through another process, which notifies it again", () =>
    Effect.gen(function* () {
      const { bench, goOn, runId } = yield* halfTakenUp
      const other = yield* bench.boot()
      const stopping = yield* Effect.fork(other.journeys.cancel(owner, runId))
      yield* settle
      yield* goOn
      yield* TestClock.adjust("6 seconds")
      yield* Fiber.join(stopping)
      assert.strictEqual(yield* until(bench, runId, isTerminal), "cancelled")
    })
  )
  it.effect("is given back when the database goes away before it has an actor, and taken up again", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({ silent: ["updates"] })
      const first = yield* bench.boot()
      const { runId } = (yield* first.journeys.start(order("remote-start", { waitSeconds: 5 }))).facts
      yield* until(bench, runId, (status) => status === "waiting")
      yield* first.shutDown
      let isAway = true
      const find: typeof bench.store.find = (id) =>
        Effect.suspend(() => {
          if (!isAway) return bench.store.find(id)
          isAway = false
          return Effect.die(new DatabaseDown({ message: "the database is away" }))
        })
      yield* bench.boot(undefined, { store: { ...bench.store, find } })
      assert.strictEqual(yield* until(bench, runId, isTerminal), "completed")
      const types = bench.eventsOf(runId).map(({ type }) => type)
      assert.notInclude(types, "run.interrupted")
    })
  )
})
