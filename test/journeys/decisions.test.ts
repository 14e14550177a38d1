import { assert, describe, it } from "@effect/vitest"
import { Effect, TestClock } from "effect"
import type { Decision } from "../../schema/Recovery.ts"
import { party } from "../support/parties/ScriptedPartner.ts"
import {
  attributionsOf,
  isTerminal,
  leaseSeconds,
  makeBench,
  order,
  settle,
  until
} from "./support/JourneyBench.ts"

const owner = party.ownerId

/** A run that lost its process while a session of it was charging, and a process that has taken it up. */
const lostWhileCharging = Effect.gen(function* () {
  const bench = yield* makeBench({ silent: ["updates"] })
  const doomed = yield* bench.boot()
  const { facts } = yield* doomed.journeys.start(order("remote-start", { waitSeconds: 60 }))
  const { runId } = facts
  for (let second = 0; second < 60; second++) {
    yield* settle
    if ((yield* bench.row(doomed, runId)).snapshot.view.stageId === "session-updates") break
    yield* TestClock.adjust("1 second")
  }
  yield* doomed.die
  yield* TestClock.adjust(`${leaseSeconds + 1} seconds`)
  const heir = yield* bench.boot()
  yield* settle
  const { view } = (yield* bench.row(heir, runId)).snapshot
  const sent = (operation: string) => bench.partner.hits.filter((hit) => hit.operation === operation).length
  return { bench, runId, heir, view, sent }
})

describe("each decision about a run that was lost while it charged", () => {
  const ends: ReadonlyArray<readonly [Decision, string, number]> = [
    ["resume", "completed", 1],
    ["retry_stage", "completed", 1],
    ["skip_stage", "completed", 1],
    ["finish", "completed", 1],
    ["abandon", "cancelled", 1],
    ["restart_as_new", "cancelled", 2]
  ]
  it.effect("is on offer, the best one first", () =>
    Effect.gen(function* () {
      const { view } = yield* lostWhileCharging
      assert.deepStrictEqual(
        view.recoveryOptions.map(({ decision }) => decision),
        ["resume", "retry_stage", "finish", "skip_stage", "restart_as_new", "abandon"]
      )
      assert.deepStrictEqual(
        view.recoveryOptions.map(({ recommended }) => recommended),
        [true, false, false, false, false, false]
      )
    })
  )
  for (const [decision, end, starts] of ends) {
    it.effect(
      `${decision} ends it as ${end}, with the session stopped and started ${starts} times in all`,
      () =>
        Effect.gen(function* () {
          const { bench, heir, runId, sent } = yield* lostWhileCharging
          yield* heir.journeys.recover(owner, runId, { decision })
          assert.strictEqual(yield* until(bench, runId, isTerminal), end)
          for (const id of bench.runIds()) yield* until(bench, id, isTerminal)
          assert.strictEqual(sent("START_SESSION"), starts)
          assert.isAtLeast(sent("STOP_SESSION"), 1)
          if (decision === "skip_stage" || decision === "finish")
            assert.include(Object.values(attributionsOf(bench.eventsOf(runId))), "operator")
        })
    )
  }
  it.effect("says what it ends at the partner, and what is sent again", () =>
    Effect.gen(function* () {
      const { view } = yield* lostWhileCharging
      const option = (decision: Decision) =>
        view.recoveryOptions.find((offered) => offered.decision === decision)
      assert.include(option("abandon")?.description, "clean-up sends POST commands/STOP_SESSION")
      assert.include(option("restart_as_new")?.description, "clean-up sends POST commands/STOP_SESSION")
      assert.include(option("restart_as_new")?.repeats ?? [], "POST commands/START_SESSION")
      assert.deepStrictEqual(option("skip_stage")?.repeats, [])
    })
  )
})

describe("what a lost answer leaves", () => {
  it.effect("is named by the decisions that do not find it out", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench()
      const doomed = yield* bench.boot({ append: 12, phase: "before" })
      const { facts } = yield* doomed.journeys.start(order("remote-start"))
      yield* settle
      yield* TestClock.adjust(`${leaseSeconds + 1} seconds`)
      const heir = yield* bench.boot()
      yield* settle
      const { view } = (yield* bench.row(heir, facts.runId)).snapshot
      const says = (decision: Decision) =>
        view.recoveryOptions.find((offered) => offered.decision === decision)?.description ?? ""
      assert.include(says("abandon"), "does not know whether POST START_SESSION took effect")
      assert.notInclude(says("verify_and_resume"), "does not know")
    })
  )
})

describe("three recoveries", () => {
  it.effect("are the most; then a run can only be finished or abandoned", () =>
    Effect.gen(function* () {
      const first = yield* lostWhileCharging
      const { bench, runId } = first
      let worker = first.heir
      for (const round of [1, 2, 3]) {
        yield* worker.journeys.recover(owner, runId, { decision: "resume", recoveryVersion: round })
        yield* settle
        yield* TestClock.adjust("1 second")
        yield* worker.die
        yield* TestClock.adjust(`${leaseSeconds + 1} seconds`)
        worker = yield* bench.boot()
        yield* settle
      }
      const { view } = (yield* bench.row(worker, runId)).snapshot
      assert.deepStrictEqual(
        view.recoveryOptions.map(({ decision }) => decision),
        ["finish", "abandon"]
      )
    })
  )
})

describe("a wish to stop", () => {
  it.effect("is heeded while a decision is carried out", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({ silent: ["start-result", "active"] })
      const doomed = yield* bench.boot({ append: 12, phase: "before" })
      const { facts } = yield* doomed.journeys.start(order("remote-start"))
      yield* settle
      yield* TestClock.adjust(`${leaseSeconds + 1} seconds`)
      const heir = yield* bench.boot()
      yield* settle
      yield* heir.journeys.recover(owner, facts.runId, { decision: "verify_and_resume" })
      yield* settle
      assert.strictEqual(bench.statusOf(facts.runId), "recovering")
      yield* Effect.fork(heir.journeys.cancel(owner, facts.runId))
      assert.strictEqual(yield* until(bench, facts.runId, isTerminal), "cancelled")
    })
  )
  it.effect("is refused by a run that is over", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench()
      const { journeys } = yield* bench.boot()
      const { facts } = yield* journeys.start(order("first-reads"))
      yield* until(bench, facts.runId, isTerminal)
      assert.include((yield* Effect.flip(journeys.cancel(owner, facts.runId))).message, "is over: completed")
    })
  )
})
