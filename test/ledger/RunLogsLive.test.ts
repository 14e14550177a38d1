import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Fiber, Layer, Option, Schedule, type Scope, TestClock } from "effect"
import { DatabaseDown } from "../../src/database/DatabaseDown.ts"
import type { Clean } from "../../src/ledger/run/prepareLines.ts"
import { RunLogs } from "../../src/ledger/run/RunLog.ts"
import { RunLogsLive } from "../../src/ledger/run/RunLogsLive.ts"
import { claimedBy, inMemory, layerOf, type Process } from "../support/runs/processes.ts"
import { created, draft, interrupted, newFacts, sample, started } from "../support/runs/sampleRun.ts"

const runLogsOn = (process: Process, leaseSeconds = 15) =>
  Effect.map(
    Layer.build(RunLogsLive.layer({ leaseSeconds }).pipe(Layer.provide(layerOf(process)))),
    (context) => Context.get(context, RunLogs)
  )

/** Two processes on one store; `change` stands between the first and its ledger and placement. */
const twoProcesses = (leaseSeconds = 15, change = (process: Process) => process) =>
  Effect.gen(function* () {
    const open = yield* inMemory(leaseSeconds)
    const [a, b] = yield* Effect.all([open("a"), open("b")])
    return {
      a,
      b,
      logsA: yield* runLogsOn(change(a), leaseSeconds),
      logsB: yield* runLogsOn(b, leaseSeconds)
    }
  })

const asIs: Clean = (value) => value

type Body = () => Effect.Effect<void, unknown, Scope.Scope>
const live = (title: string, body: Body) => it.scopedLive(title, body)
/** On a clock that the test moves: what is said of a lease's term holds however slow the machine is. */
const timed = (title: string, body: Body) => it.scoped(title, body)

describe("a run's log", () => {
  live("answers what the machine asks for, after the ledger has the lines", () =>
    Effect.gen(function* () {
      const { a, logsA } = yield* twoProcesses()
      const facts = newFacts()
      const { log } = yield* logsA.create(sample, facts, [created])
      const actions = yield* log.record([started])
      assert.deepStrictEqual(actions, [{ type: "runStage", params: { stageId: "a" } }])
      const [, line] = yield* a.page(facts.runId, 0, 10)
      assert.deepInclude(JSON.parse(line!.line), { sequence: 2, type: "run.started", machine: "running" })
      assert.strictEqual(logsA.live(facts.runId)?.snapshot.view.status, "running")
    })
  )

  live("absorbs a draft that is already in the ledger, and asks nothing twice", () =>
    Effect.gen(function* () {
      const { logsA } = yield* twoProcesses()
      const { log } = yield* logsA.create(sample, newFacts(), [created])
      yield* log.record([started])
      assert.deepStrictEqual(yield* log.record([started]), [])
      assert.lengthOf(log.events(), 2)
    })
  )

  live("never lets the time of its lines decrease", () =>
    Effect.gen(function* () {
      const times = ["2026-01-01T00:00:05.000Z", "2026-01-01T00:00:01.000Z", "2026-01-01T00:00:09.000Z"]
      const { logsA } = yield* twoProcesses(15, (ledger) => ({
        ...ledger,
        now: Effect.sync(() => times.shift()!)
      }))
      const { log } = yield* logsA.create(sample, newFacts(), [created])
      yield* log.record([started])
      yield* log.record([draft("cancel.requested")])
      assert.deepStrictEqual(
        log.events().map(({ occurredAt }) => occurredAt.slice(17, 19)),
        ["05", "05", "09"]
      )
    })
  )

  live("writes buffered lines without secrets that are known only when they are written", () =>
    Effect.gen(function* () {
      const without =
        (secret: string) =>
        <A>(value: A): A =>
          JSON.parse(JSON.stringify(value).replaceAll(secret, "*"))
      const [before, after] = [without("first"), without("second")]
      let clean: Clean = before
      let reads = 0
      const a = yield* Effect.flatMap(inMemory(15), (open) => open("a"))
      const cleaner = Effect.succeed(
        () => () =>
          Effect.sync(() => {
            reads += 1
            return clean
          })
      )
      const logs = yield* Effect.map(
        Layer.build(RunLogsLive.layer({ leaseSeconds: 15, cleaner }).pipe(Layer.provide(layerOf(a)))),
        (context) => Context.get(context, RunLogs)
      )
      const facts = newFacts()
      const { log } = yield* logs.create(sample, facts, [created])
      yield* log.buffer([started])
      const read = reads
      yield* log.buffer([draft("run.interrupted", { data: { reason: "first and second" } })])
      assert.strictEqual(reads, read, "buffering reads no secrets")
      clean = after
      const asks = yield* log.record([draft("cancel.requested", { data: { reason: "second" } as object })])
      assert.strictEqual(reads, read + 1)
      assert.deepStrictEqual(asks, [])
      const lines = (yield* a.page(facts.runId, 0, 10)).map(({ line }) => JSON.parse(line))
      assert.deepStrictEqual(
        lines.map(({ data, sequence, type }) => [sequence, type, data?.reason]),
        [
          [1, "run.created", undefined],
          [2, "run.started", undefined],
          [3, "run.interrupted", "first and *"],
          [4, "cancel.requested", "*"]
        ]
      )
      assert.deepStrictEqual(
        log.events().map(({ sequence }) => sequence),
        [1, 2, 3, 4]
      )
      const head = (yield* a.page(facts.runId, 3, 1))[0]!.hash
      assert.strictEqual(log.row().headHash, head)
    })
  )

  live("asks for the secrets of when something was heard last; an intent holds nothing that was heard", () =>
    Effect.gen(function* () {
      const asked: Array<number> = []
      const a = yield* Effect.flatMap(inMemory(15), (open) => open("a"))
      const cleaner = Effect.succeed(
        () => (since: number) =>
          Effect.sync(() => {
            asked.push(since)
            return asIs
          })
      )
      const logs = yield* Effect.map(
        Layer.build(RunLogsLive.layer({ leaseSeconds: 15, cleaner }).pipe(Layer.provide(layerOf(a)))),
        (context) => Context.get(context, RunLogs)
      )
      const { log } = yield* logs.create(sample, newFacts(), [created])
      yield* log.record([draft("exchange.intended", { key: "first" })])
      const before = performance.now()
      yield* log.buffer([draft("exchange.completed")])
      const after = performance.now()
      yield* log.record([draft("exchange.intended", { key: "second" })])
      yield* log.record([started])
      const [, first = -1, second = -1, third = -1] = asked
      assert.strictEqual(first, 0)
      assert.isTrue(before <= second && second <= after, "the buffered line is what was heard last")
      assert.isAbove(third, after)
    })
  )

  live("passes buffered lines to the machine, and writes them with the next ones in one append", () =>
    Effect.gen(function* () {
      const appends: Array<ReadonlyArray<string>> = []
      const { a, logsA } = yield* twoProcesses(15, (ledger) => ({
        ...ledger,
        append: (request) => {
          appends.push(request.lines.map(({ event }) => event.type))
          return ledger.append(request)
        }
      }))
      const facts = newFacts()
      const { log } = yield* logsA.create(sample, facts, [created])
      const actions = yield* log.buffer([started])
      assert.deepStrictEqual(actions, [{ type: "runStage", params: { stageId: "a" } }])
      assert.strictEqual(log.machine().value, "running")
      assert.lengthOf(log.events(), 2)
      // Nobody else sees what the ledger does not have.
      assert.strictEqual(log.row().snapshot.view.status, "queued")
      assert.lengthOf(yield* a.page(facts.runId, 0, 10), 1)
      yield* log.record([draft("cancel.requested")])
      assert.deepStrictEqual(appends, [["run.started", "cancel.requested"]])
      assert.lengthOf(yield* a.page(facts.runId, 0, 10), 3)
      assert.strictEqual(log.row().snapshot.view.lastSequence, 3)
      assert.deepStrictEqual(yield* log.record([started]), [])
    })
  )

  live("writes buffered lines after a moment, and many of them at once", () =>
    Effect.gen(function* () {
      const { a, logsA } = yield* twoProcesses()
      const facts = newFacts()
      const { log } = yield* logsA.create(sample, facts, [created])
      yield* log.buffer([started])
      yield* Effect.retry(
        Effect.filterOrFail(a.page(facts.runId, 0, 10), ({ length }) => length === 2),
        Schedule.spaced("5 millis")
      ).pipe(Effect.timeout("5 seconds"))
      yield* log.buffer(
        Array.from({ length: 60 }, (_, key) => draft("inbound.received", { key: `inbound/${key}` }))
      )
      assert.lengthOf(yield* a.page(facts.runId, 0, 100), 62)
    })
  )

  timed("loses buffered lines with the process, and the next one goes on without them", () =>
    Effect.gen(function* () {
      const { b, logsA, logsB } = yield* twoProcesses(0.05)
      const facts = newFacts()
      const { log } = yield* logsA.create(sample, facts, [created])
      yield* log.buffer([started])
      yield* log.close("released")
      const row = Option.getOrThrow(yield* claimedBy(b, facts.runId))
      const next = yield* logsB.open(sample, row)
      assert.lengthOf(next.events(), 1)
      assert.strictEqual((yield* Effect.flip(log.buffer([started])))._tag, "StaleRun")
      yield* next.record([started])
      assert.lengthOf(yield* b.page(facts.runId, 0, 10), 2)
    })
  )

  live("tries again with the same lines while the database is away", () =>
    Effect.gen(function* () {
      const tries: Array<unknown> = []
      const { logsA } = yield* twoProcesses(15, (ledger) => ({
        ...ledger,
        // The first two commits happen, and their answers are lost.
        append: (request) =>
          Effect.suspend(() => {
            tries.push(request)
            const lost = Effect.zipRight(ledger.append(request), new DatabaseDown({ message: "away" }))
            return tries.length < 3 ? lost : ledger.append(request)
          })
      }))
      const { log } = yield* logsA.create(sample, newFacts(), [created])
      yield* log.record([started])
      assert.lengthOf(tries, 3)
      assert.lengthOf(log.events(), 2)
    })
  )

  live("keeps memory and ledger together when its caller is interrupted", () =>
    Effect.gen(function* () {
      const { a, logsA } = yield* twoProcesses(15, (ledger) => ({
        ...ledger,
        append: (request) => Effect.zipRight(Effect.sleep("50 millis"), ledger.append(request))
      }))
      const facts = newFacts()
      const { log } = yield* logsA.create(sample, facts, [created])
      const caller = yield* Effect.fork(log.record([started]))
      yield* Effect.sleep("10 millis")
      yield* Fiber.interrupt(caller)
      yield* log.record([draft("cancel.requested")])
      assert.lengthOf(log.events(), 3)
      assert.lengthOf(yield* a.page(facts.runId, 0, 10), 3)
    })
  )

  timed("is replayed by the next owner to the same state, and refuses the old one", () =>
    Effect.gen(function* () {
      const { b, logsA, logsB } = yield* twoProcesses(0.3)
      const facts = newFacts()
      const { log } = yield* logsA.create(sample, facts, [created])
      yield* log.record([started])
      yield* log.close("released")
      const row = Option.getOrThrow(yield* claimedBy(b, facts.runId))
      const taken = yield* logsB.open(sample, row)
      assert.deepStrictEqual(taken.row().snapshot.view, row.snapshot.view)
      assert.strictEqual(taken.machine().value, log.machine().value)
      assert.deepStrictEqual(taken.events(), log.events())
      assert.deepStrictEqual(yield* taken.record([started]), [])
      yield* taken.record([interrupted, draft("recovery.offered")])
      assert.strictEqual((yield* Effect.flip(log.record([draft("cancel.requested")])))._tag, "StaleRun")
      assert.isUndefined(logsA.live(facts.runId))
    })
  )

  live("is dropped by an owner that was overtaken", () =>
    Effect.gen(function* () {
      const { b, logsA, a } = yield* twoProcesses()
      const facts = newFacts()
      const { log } = yield* logsA.create(sample, facts, [created])
      yield* a.release(facts.runId, 1)
      yield* b.claim(facts.runId)
      const error = yield* Effect.flip(log.record([started]))
      assert.strictEqual(error._tag, "StaleRun")
      assert.isUndefined(logsA.live(facts.runId))
    })
  )

  timed("keeps its lease alive for as long as it is held", () =>
    Effect.gen(function* () {
      const { b, logsA } = yield* twoProcesses(0.3)
      const facts = newFacts()
      const { log } = yield* logsA.create(sample, facts, [created])
      yield* TestClock.adjust("700 millis")
      assert.isTrue(logsA.live(facts.runId)?.leaseAlive)
      assert.isTrue(Option.isNone(yield* b.claim(facts.runId)))
      yield* log.close("expiring")
      yield* TestClock.adjust("600 millis")
      assert.isTrue(Option.isSome(yield* b.claim(facts.runId)))
    })
  )

  timed("looks after its runs again soon when that failed or broke, not only at the next beat", () =>
    Effect.gen(function* () {
      let renewals = 0
      const { logsA } = yield* twoProcesses(1.5, (ledger) => ({
        ...ledger,
        keep: (held) =>
          Effect.suspend(() => {
            renewals += 1
            if (renewals === 1) return Effect.die("a fault of ours")
            return renewals < 5 ? new DatabaseDown({ message: "away" }) : ledger.keep(held)
          })
      }))
      const facts = newFacts()
      yield* logsA.create(sample, facts, [created])
      // Beats come each half second: three failures in a row would be the term.
      yield* TestClock.adjust("1800 millis")
      assert.isAtLeast(renewals, 6)
      assert.isTrue(logsA.live(facts.runId)?.leaseAlive)
    })
  )

  timed("knows by itself that its lease has run out", () =>
    Effect.gen(function* () {
      const { logsA } = yield* twoProcesses(0.3, (ledger) => ({
        ...ledger,
        keep: () => new DatabaseDown({ message: "away" })
      }))
      const facts = newFacts()
      yield* logsA.create(sample, facts, [created])
      assert.isTrue(logsA.live(facts.runId)?.leaseAlive)
      yield* TestClock.adjust("400 millis")
      assert.isFalse(logsA.live(facts.runId)?.leaseAlive)
    })
  )

  live("lets go of a run that cannot be written for a lease's term, and knows why when it has it again", () =>
    Effect.gen(function* () {
      let full = true
      const { a, logsA } = yield* twoProcesses(0.3, (ledger) => ({
        ...ledger,
        append: (request) => (full ? new DatabaseDown({ message: "disk full" }) : ledger.append(request))
      }))
      const facts = newFacts()
      const { log } = yield* logsA.create(sample, facts, [created])
      assert.strictEqual((yield* Effect.flip(log.record([started])))._tag, "StaleRun")
      assert.isUndefined(logsA.live(facts.runId))
      full = false
      const again = yield* logsA.open(sample, Option.getOrThrow(yield* claimedBy(a, facts.runId)))
      assert.isTrue(again.stalled)
      assert.lengthOf(yield* again.record([started]), 1)
      yield* again.close("released")
      const later = yield* logsA.open(sample, Option.getOrThrow(yield* claimedBy(a, facts.runId)))
      assert.isFalse(later.stalled)
    })
  )

  live("sits out a shorter time in which it cannot be written", () =>
    Effect.gen(function* () {
      let refusals = 2
      const { logsA } = yield* twoProcesses(5, (ledger) => ({
        ...ledger,
        append: (request) =>
          Effect.suspend(() =>
            refusals-- > 0 ? new DatabaseDown({ message: "disk full" }) : ledger.append(request)
          )
      }))
      const { log } = yield* logsA.create(sample, newFacts(), [created])
      assert.lengthOf(yield* log.record([started]), 1)
    })
  )

  live("gives a run back although the first tries are lost", () =>
    Effect.gen(function* () {
      let losses = 3
      const { a, logsA } = yield* twoProcesses(15, (ledger) => ({
        ...ledger,
        release: (...run) =>
          Effect.suspend(() =>
            losses-- > 0 ? new DatabaseDown({ message: "away" }) : ledger.release(...run)
          )
      }))
      const facts = newFacts()
      const { log } = yield* logsA.create(sample, facts, [created])
      yield* log.close("released")
      assert.isTrue(Option.getOrThrow(yield* a.claim(facts.runId)).released)
    })
  )

  live("lets go of a run although the database is away", () =>
    Effect.gen(function* () {
      const { logsA } = yield* twoProcesses(15, (ledger) => ({
        ...ledger,
        append: () => new DatabaseDown({ message: "away" })
      }))
      const { log } = yield* logsA.create(sample, newFacts(), [created])
      const caller = yield* Effect.fork(Effect.flip(log.record([started])))
      yield* Effect.sleep("20 millis")
      yield* log.close("released")
      assert.strictEqual((yield* Fiber.join(caller))._tag, "StaleRun")
    })
  )
})
