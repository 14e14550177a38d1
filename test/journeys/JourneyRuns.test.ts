import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, TestClock } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { isEventOf } from "../../schema/LedgerEvent.ts"
import { party } from "../support/parties/ScriptedPartner.ts"
import {
  type Bench,
  isTerminal,
  leaseSeconds,
  makeBench,
  order,
  settle,
  until
} from "./support/JourneyBench.ts"

const owner = party.ownerId
const typesOf = (bench: Bench, runId: RunId) => bench.eventsOf(runId).map(({ type }) => type)

/**
 * A run whose START_SESSION is unknown, and a process that has taken it up. Appends: started, four for each of the first
 * two stages, then stage started (10), intended (11), completed (12).
 */
const interrupted = (start: "was sent" | "was not sent") =>
  Effect.gen(function* () {
    const bench = yield* makeBench()
    const doomed = yield* bench.boot(
      start === "was sent" ? { append: 12, phase: "before" } : { append: 11, phase: "after" }
    )
    const { facts } = yield* doomed.journeys.start(order("remote-start", { waitSeconds: 5 }))
    yield* settle
    yield* TestClock.adjust(`${leaseSeconds + 1} seconds`)
    const heir = yield* bench.boot()
    yield* settle
    return { bench, runId: facts.runId, ...heir, view: (yield* bench.row(heir, facts.runId)).snapshot.view }
  })

describe("recovery", () => {
  it.effect("applies one of twenty equal decisions, and answers all alike", () =>
    Effect.gen(function* () {
      const { bench, journeys, runId } = yield* interrupted("was sent")
      const calls = Array.from({ length: 20 }, () =>
        journeys.recover(owner, runId, { decision: "abandon", recoveryVersion: 1 })
      )
      const fiber = yield* Effect.fork(Effect.all(calls, { concurrency: 20 }))
      yield* until(bench, runId, isTerminal)
      yield* TestClock.adjust("3 seconds")
      assert.lengthOf(yield* Fiber.join(fiber), 20)
      assert.lengthOf(
        typesOf(bench, runId).filter((type) => type === "recovery.applied"),
        1
      )
    })
  )
  it.effect("answers what the run is since an equal decision that was applied while it read", () =>
    Effect.gen(function* () {
      const { bench, journeys, runId } = yield* interrupted("was sent")
      const decided = { decision: "abandon", recoveryVersion: 1 } as const
      let others = Effect.asVoid(Effect.orDie(journeys.recover(owner, runId, decided)))
      const late = yield* bench.boot(undefined, {
        afterRow: Effect.suspend(() => {
          const first = others
          others = Effect.void
          return first
        })
      })
      const { snapshot } = yield* late.journeys.recover(owner, runId, decided)
      // The row of before the decision would offer the decisions once more.
      assert.notStrictEqual(snapshot.view.status, "interrupted")
      assert.isEmpty(snapshot.view.recoveryOptions)
    })
  )
  it.effect("answers the same decision again, and refuses another about the same version", () =>
    Effect.gen(function* () {
      const { bench, journeys, runId } = yield* interrupted("was sent")
      const decided = { decision: "abandon", recoveryVersion: 1 } as const
      yield* journeys.recover(owner, runId, decided)
      yield* until(bench, runId, isTerminal)
      assert.strictEqual((yield* journeys.recover(owner, runId, decided)).snapshot.view.status, "cancelled")
      const other = yield* Effect.flip(
        journeys.recover(owner, runId, { decision: "finish", recoveryVersion: 1 })
      )
      assert.strictEqual(other.kind, "state")
    })
  )
  it.effect("refuses an older version and what is not offered", () =>
    Effect.gen(function* () {
      const { journeys, runId } = yield* interrupted("was not sent")
      const kindOf = (request: Parameters<typeof journeys.recover>[2]) =>
        Effect.map(Effect.flip(journeys.recover(owner, runId, request)), ({ kind }) => kind)
      assert.strictEqual(yield* kindOf({ decision: "abandon", recoveryVersion: 7 }), "stale")
      assert.strictEqual(yield* kindOf({ decision: "resume" }), "not_offered")
      assert.strictEqual(yield* kindOf({ decision: "retry_stage" }), "not_offered")
    })
  )
  it.effect("waits for a run that is still held by who interrupted it", () =>
    Effect.gen(function* () {
      const { bench, journeys, placement, runId } = yield* interrupted("was sent")
      const held = Option.getOrThrow(yield* placement.claim(runId, { fromInterrupted: true }))
      const decision = yield* Effect.fork(journeys.recover(owner, runId, { decision: "abandon" }))
      yield* TestClock.adjust("1 second")
      yield* placement.release(runId, held.epoch)
      yield* TestClock.adjust("1 second")
      assert.include(["recovering", "cancelling"], (yield* Fiber.join(decision)).snapshot.view.status)
      assert.strictEqual(yield* until(bench, runId, isTerminal), "cancelled")
    })
  )
  it.effect("asks to come again when a run is not given back, and blames no other decision", () =>
    Effect.gen(function* () {
      const { journeys, placement, runId } = yield* interrupted("was sent")
      yield* placement.claim(runId, { fromInterrupted: true })
      const refused = yield* Effect.fork(Effect.flip(journeys.recover(owner, runId, { decision: "abandon" })))
      yield* TestClock.adjust("3 seconds")
      assert.include((yield* Fiber.join(refused)).message, "has not been released")
    })
  )
  it.effect("without a decision takes the recommended one, which here verifies and sends nothing again", () =>
    Effect.gen(function* () {
      const { bench, journeys, runId, view } = yield* interrupted("was sent")
      assert.strictEqual(view.recoveryOptions[0]?.decision, "verify_and_resume")
      yield* journeys.recover(owner, runId, {})
      assert.strictEqual(yield* until(bench, runId, isTerminal), "completed")
      const started = bench.partner.hits.filter(({ operation }) => operation === "START_SESSION")
      assert.lengthOf(started, 1)
      const row = yield* bench.row(yield* bench.boot(), runId)
      // The lost answer is nobody's flaw, so nothing failed; but not everything could be observed.
      assert.strictEqual(row.snapshot.view.summary.failed, 0)
      assert.strictEqual(row.snapshot.view.verdict, "inconclusive")
    })
  )
  it.effect("finds that a lost start had no effect, and blames nobody", () =>
    Effect.gen(function* () {
      const { bench, journeys, runId } = yield* interrupted("was not sent")
      yield* journeys.recover(owner, runId, { decision: "verify_and_resume" })
      assert.strictEqual(yield* until(bench, runId, isTerminal), "completed")
      const verified = bench
        .eventsOf(runId)
        .filter(isEventOf("exchange.completed"))
        .find(({ data }) => data?.verified !== undefined)
      assert.strictEqual(verified?.data?.verified, "absent")
      const row = yield* bench.row(yield* bench.boot(), runId)
      assert.strictEqual(row.snapshot.view.summary.failed, 0)
    })
  )
  it.effect("restarts as a new run, linked both ways", () =>
    Effect.gen(function* () {
      const { bench, journeys, runId } = yield* interrupted("was sent")
      yield* journeys.recover(owner, runId, { decision: "restart_as_new" })
      yield* until(bench, runId, isTerminal)
      const successor = bench.runIds().find((id) => id !== runId)!
      const process = yield* bench.boot()
      assert.strictEqual((yield* bench.row(process, successor)).facts.predecessorRunId, runId)
      assert.strictEqual((yield* bench.row(process, runId)).snapshot.view.successorRunId, successor)
      assert.strictEqual(yield* until(bench, successor, isTerminal), "completed")
    })
  )
})

describe("cancelling", () => {
  it.effect("stops a run that waits, and stops the session that it started", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({ silent: ["updates"] })
      const { journeys } = yield* bench.boot()
      const { facts } = yield* journeys.start(order("remote-start"))
      yield* until(bench, facts.runId, (status) => status === "waiting")
      yield* journeys.cancel(owner, facts.runId)
      assert.strictEqual(yield* until(bench, facts.runId, isTerminal), "cancelled")
      assert.strictEqual(bench.partner.hits.at(-1)?.operation, "STOP_SESSION")
    })
  )
  it.effect("writes the wish down while an exchange is in flight, and waits for its end", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({ hanging: ["list"] })
      const { journeys } = yield* bench.boot()
      const { facts } = yield* journeys.start(order("remote-start"))
      yield* settle
      const row = yield* journeys.cancel(owner, facts.runId)
      assert.strictEqual(row.snapshot.view.status, "cancelling")
      assert.strictEqual(bench.statusOf(facts.runId), "cancelling")
    })
  )
  it.effect("stops an interrupted run", () =>
    Effect.gen(function* () {
      const { bench, journeys, runId } = yield* interrupted("was not sent")
      yield* journeys.cancel(owner, runId)
      assert.strictEqual(yield* until(bench, runId, isTerminal), "cancelled")
    })
  )
  it.effect("leaves alone what another process works on", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({ silent: ["active"] })
      const { journeys } = yield* bench.boot(undefined, { isDeaf: true })
      const other = yield* bench.boot()
      const { facts } = yield* journeys.start(order("remote-start"))
      yield* until(bench, facts.runId, (status) => status === "waiting")
      const refused = yield* Effect.fork(Effect.flip(other.journeys.cancel(owner, facts.runId)))
      yield* TestClock.adjust("6 seconds")
      assert.include((yield* Fiber.join(refused)).message, "has not received the request to stop")
      assert.notInclude(typesOf(bench, facts.runId), "cancel.requested")
    })
  )
})

describe("answering a checkpoint", () => {
  it.effect("is refused by a run that waits for the partner", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({ silent: ["updates"] })
      const { journeys } = yield* bench.boot()
      const { facts } = yield* journeys.start(order("remote-start"))
      yield* until(bench, facts.runId, (status) => status === "waiting")
      const refused = yield* Effect.flip(journeys.answer(owner, facts.runId, { answer: "yes" }))
      assert.strictEqual(refused.kind, "state")
      assert.strictEqual(bench.statusOf(facts.runId), "waiting")
    })
  )
})

describe("an orderly end of the process", () => {
  it.effect("gives a waiting run back, and the next process goes on with it", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({ silent: ["updates"] })
      const first = yield* bench.boot()
      const { facts } = yield* first.journeys.start(order("remote-start", { waitSeconds: 5 }))
      yield* until(bench, facts.runId, (status) => status === "waiting")
      yield* first.shutDown
      yield* bench.boot()
      assert.strictEqual(yield* until(bench, facts.runId, isTerminal), "completed")
      assert.include(typesOf(bench, facts.runId), "run.resumed")
      assert.notInclude(typesOf(bench, facts.runId), "run.interrupted")
      const started = bench.partner.hits.filter(({ operation }) => operation === "START_SESSION")
      assert.lengthOf(started, 1)
    })
  )
  it.effect("leaves an exchange that would not end as unknown", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench({ hanging: ["START_SESSION"] })
      const first = yield* bench.boot()
      const { facts } = yield* first.journeys.start(order("remote-start"))
      yield* settle
      const ending = yield* Effect.fork(first.shutDown)
      yield* settle
      yield* TestClock.adjust("11 seconds")
      yield* Fiber.join(ending)
      yield* bench.boot()
      yield* settle
      assert.strictEqual(bench.statusOf(facts.runId), "interrupted")
    })
  )
})

describe("first reads", () => {
  it.effect("reads four lists and changes nothing", () =>
    Effect.gen(function* () {
      const bench = yield* makeBench()
      const process = yield* bench.boot()
      const { facts } = yield* process.journeys.start(order("first-reads"))
      assert.strictEqual(yield* until(bench, facts.runId, isTerminal), "completed")
      assert.deepStrictEqual([...new Set(bench.partner.hits.map(({ method }) => method))], ["GET"])
      assert.strictEqual((yield* bench.row(process, facts.runId)).snapshot.view.verdict, "pass")
    })
  )
})

describe("the catalogue", () => {
  it.effect("says for a target what can run, and why not", () =>
    Effect.gen(function* () {
      const { journeys } = yield* (yield* makeBench()).boot()
      const [remote] = journeys.catalogue(party, {})
      assert.isTrue(remote?.runnable)
      const [unregistered] = journeys.catalogue({ ...party, registration: "none" }, {})
      assert.isFalse(unregistered?.runnable)
      assert.isNotEmpty(unregistered?.reasons)
      const inTheOldest = journeys.catalogue(null, { ocpiVersion: "2.1.1" }).map(({ id }) => id)
      assert.include(inTheOldest, "remote-start")
      const elsewhere = journeys.catalogue(null, { theirRole: "EMSP" }).map(({ id }) => id)
      assert.notInclude(elsewhere, "remote-start")
    })
  )
})
