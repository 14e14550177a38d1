/** What every ledger promises. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option, type Scope } from "effect"
import { ConnectionId, OwnerId, RunId } from "../../schema/Ids.ts"
import type { Commit } from "../../src/ledger/Ledger.ts"
import { verify } from "../../src/ledger/run/verify.ts"
import type { Process, Processes } from "../support/runs/processes.ts"
import { created, draft, newFacts, newRun, started, writerOf } from "../support/runs/sampleRun.ts"

/** Leases that nobody is to lose, however slow the machine. */
const leaseSeconds = 60

export const ledgerContract = (name: string, processes: Processes) =>
  describe(name, () => {
    const promise = (
      title: string,
      body: (a: Process, b: Process) => Effect.Effect<void, unknown, Scope.Scope>
    ) =>
      it.scopedLive(title, () =>
        Effect.gen(function* () {
          const boot = yield* processes(leaseSeconds)
          yield* body(yield* boot("a"), yield* boot("b"))
        })
      )

    promise("numbers the lines of a run from 1 without gaps", (a) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(a)
        yield* a.append(next(1, [started, draft("stage.started", { stageId: "a" })]))
        yield* a.append(next(1, [draft("stage.completed", { stageId: "a" })]))
        const page = yield* a.page(runId, 0, 10)
        assert.deepStrictEqual(
          page.map(({ sequence }) => sequence),
          [1, 2, 3, 4]
        )
      })
    )

    promise("turns away a writer who has not read the last line", (a) =>
      Effect.gen(function* () {
        const { facts, next, runId } = yield* newRun(a)
        const rival = writerOf(facts)
        rival.next(1, [created])
        yield* a.append(next(1, [started]))
        const error = yield* Effect.flip(a.append(rival.next(1, [draft("cancel.requested")])))
        assert.strictEqual(error._tag, "StaleRun")
        assert.lengthOf(yield* a.page(runId, 0, 10), 2)
      })
    )

    promise("turns away an owner whose run was claimed by another", (a, b) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(a)
        yield* a.release(runId, 1)
        assert.isTrue(Option.isSome(yield* b.claim(runId)))
        const error = yield* Effect.flip(a.append(next(1, [started])))
        assert.strictEqual(error._tag, "StaleRun")
      })
    )

    promise("absorbs the same append when it comes again", (a) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(a)
        const append = next(1, [started])
        yield* a.append(append)
        yield* a.append(append)
        assert.lengthOf(yield* a.page(runId, 0, 10), 2)
      })
    )

    promise("absorbs the same creation when it comes again", (a) =>
      Effect.gen(function* () {
        const facts = newFacts()
        yield* writerOf(facts).create(a)
        yield* writerOf(facts).create(a)
        assert.lengthOf(yield* a.page(facts.runId, 0, 10), 1)
      })
    )

    promise("writes nothing more to a run that is over", (a) =>
      Effect.gen(function* () {
        const { next } = yield* newRun(a)
        yield* a.append(next(1, [started, draft("run.completed")]))
        const error = yield* Effect.flip(a.append(next(1, [draft("inbound.received")])))
        assert.strictEqual(error._tag, "StaleRun")
      })
    )

    promise("lets the neighbours of a stale run succeed", (a) =>
      Effect.gen(function* () {
        const runs = yield* Effect.all(Array.from({ length: 20 }, () => newRun(a)))
        const exits = yield* Effect.forEach(
          runs,
          ({ next }, index) => Effect.either(a.append(next(index === 7 ? 99 : 1, [started]))),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual(
          exits.map(({ _tag }) => _tag),
          exits.map((_, index) => (index === 7 ? "Left" : "Right"))
        )
      })
    )

    promise("keeps the order of one run's appends that wait together", (a) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(a)
        const appends = Array.from({ length: 30 }, (_, index) =>
          next(1, [draft("inbound.received", { key: `${index}` })])
        )
        yield* Effect.forEach(appends, a.append, { concurrency: "unbounded" })
        assert.lengthOf(yield* a.page(runId, 0, 100), 31)
      })
    )

    promise("answers pages after a line, by type and by stage", (a) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(a)
        yield* a.append(
          next(1, [
            started,
            draft("stage.started", { stageId: "a" }),
            draft("stage.completed", { stageId: "a" }),
            draft("stage.started", { stageId: "b", key: "b" })
          ])
        )
        const sequences = (page: ReadonlyArray<{ readonly sequence: number }>) =>
          page.map(({ sequence }) => sequence)
        assert.deepStrictEqual(sequences(yield* a.page(runId, 1, 2)), [2, 3])
        assert.deepStrictEqual(sequences(yield* a.page(runId, 0, 9, { type: "stage.started" })), [3, 5])
        assert.deepStrictEqual(sequences(yield* a.page(runId, 3, 9, { stageId: "a" })), [4])
        assert.deepStrictEqual(yield* a.page(RunId.make("run_\0"), 0, 9), [])
      })
    )

    promise("ends a page with the line that makes it as large as is asked", (a) =>
      Effect.gen(function* () {
        const { next, runId } = yield* newRun(a)
        yield* a.append(next(1, [started, draft("stage.started", { stageId: "a" })]))
        const all = yield* a.page(runId, 0, 9)
        const [first, second] = all.map(({ line }) => Buffer.byteLength(line))
        const within = (maxBytes: number) => a.page(runId, 0, 9, { maxBytes })
        assert.deepStrictEqual(yield* within(1), all.slice(0, 1))
        assert.deepStrictEqual(yield* within(first!), all.slice(0, 1))
        assert.deepStrictEqual(yield* within(first! + 1), all.slice(0, 2))
        assert.deepStrictEqual(yield* within(first! + second! + 1), all)
      })
    )

    promise("shows a run to its owner only", (a) =>
      Effect.gen(function* () {
        const { facts, runId } = yield* newRun(a, { plan: { profile: "strict" } })
        const mine = Option.getOrThrow(yield* a.run(facts.ownerId, runId))
        assert.deepStrictEqual(mine.facts, facts)
        assert.deepStrictEqual(yield* a.runByReport(facts.ownerId, facts.reportId), Option.some(mine))
        assert.isTrue(Option.isNone(yield* a.run(OwnerId.make("own_other"), runId)))
        assert.isTrue(Option.isNone(yield* a.run(facts.ownerId, RunId.make("run_\0"))))
      })
    )

    promise("lists the newest or the oldest first, page by page, filtered", (a) =>
      Effect.gen(function* () {
        const ownerId = OwnerId.make("own_lists")
        const runs = yield* Effect.forEach([1, 2, 3, 4], (n) =>
          newRun(a, { ownerId, kind: n === 2 ? "conformance" : "journey" })
        )
        const ids = runs.map(({ runId }) => runId)
        yield* a.append(runs[3]!.next(1, [started, draft("run.cancelled")]))
        const list = (query: Partial<Parameters<Process["list"]>[0]>) =>
          Effect.map(a.list({ ownerId, limit: 10, ...query }), (rows) =>
            rows.map(({ facts }) => ids.indexOf(facts.runId))
          )
        assert.deepStrictEqual(yield* list({ limit: 2 }), [3, 2])
        assert.deepStrictEqual(yield* list({ cursor: ids[2]! }), [1, 0])
        assert.deepStrictEqual(yield* list({ order: "oldest", limit: 2 }), [0, 1])
        assert.deepStrictEqual(yield* list({ order: "oldest", cursor: ids[1]! }), [2, 3])
        assert.deepStrictEqual(yield* list({ order: "newest", limit: 1 }), [3])
        assert.deepStrictEqual(yield* list({ kind: "conformance" }), [1])
        assert.deepStrictEqual(yield* list({ status: "cancelled", verdict: "inconclusive" }), [3])
        assert.deepStrictEqual(yield* list({ verdict: "pass" }), [])
        assert.deepStrictEqual(yield* list({ status: "queued" }), [2, 1, 0])
        assert.deepStrictEqual(yield* list({ status: "queued", order: "oldest", limit: 2 }), [0, 1])
        assert.deepStrictEqual(yield* list({ status: "running" }), [])
        assert.strictEqual(yield* a.countOpen(ownerId), 3)
      })
    )

    promise("lists the runs of a connection, page by page, filtered", (a) =>
      Effect.gen(function* () {
        const ownerId = OwnerId.make("own_lists_one")
        const [one, other] = [ConnectionId.make("con_one"), ConnectionId.make("con_other")]
        const runs = yield* Effect.forEach([one, other, one, one], (connectionId) =>
          newRun(a, { ownerId, connectionId })
        )
        const ids = runs.map(({ runId }) => runId)
        yield* a.append(runs[2]!.next(1, [started, draft("run.cancelled")]))
        const list = (query: Partial<Parameters<Process["list"]>[0]>) =>
          Effect.map(a.list({ ownerId, connectionId: one, limit: 10, ...query }), (rows) =>
            rows.map(({ facts }) => ids.indexOf(facts.runId))
          )
        assert.deepStrictEqual(yield* list({}), [3, 2, 0])
        assert.deepStrictEqual(yield* list({ limit: 2 }), [3, 2])
        assert.deepStrictEqual(yield* list({ cursor: ids[2]! }), [0])
        assert.deepStrictEqual(yield* list({ order: "oldest", cursor: ids[0]!, limit: 1 }), [2])
        assert.deepStrictEqual(yield* list({ status: "cancelled" }), [2])
        assert.deepStrictEqual(yield* list({ status: "queued" }), [3, 0])
        assert.deepStrictEqual(yield* list({ connectionId: other }), [1])
        assert.deepStrictEqual(yield* list({ ownerId: OwnerId.make("own_other") }), [])
      })
    )

    promise("lists the open runs of a connection, however many have ended since", (a) =>
      Effect.gen(function* () {
        const ownerId = OwnerId.make("own_open")
        const connectionId = ConnectionId.make("con_open")
        const open = yield* newRun(a, { ownerId, connectionId, plan: { profile: "strict" } })
        yield* newRun(a, { ownerId })
        for (let n = 0; n < 120; n++) {
          const other = yield* newRun(a, { ownerId, connectionId })
          yield* a.append(other.next(1, [started, draft("run.cancelled")]))
        }
        const newest = yield* newRun(a, { ownerId, connectionId })
        const found = yield* a.openOn(ownerId, connectionId)
        assert.deepStrictEqual([...found], [newest.facts, open.facts])
        assert.deepStrictEqual(yield* a.openOn(OwnerId.make("own_other"), connectionId), [])
      })
    )

    promise("lists runs as they are now, however often they were listed before", (a, b) =>
      Effect.gen(function* () {
        const ownerId = OwnerId.make("own_lists_again")
        const list = Effect.map(a.list({ ownerId, limit: 10 }), (rows) =>
          rows.map(({ facts, leaseAlive, leaseEpoch, snapshot }) => [
            facts.runId,
            snapshot.view.lastSequence,
            leaseEpoch,
            leaseAlive
          ])
        )
        assert.deepStrictEqual(yield* list, [])
        assert.deepStrictEqual(yield* list, [])
        const first = yield* newRun(a, { ownerId })
        for (let time = 0; time < 2; time++) assert.deepStrictEqual(yield* list, [[first.runId, 1, 1, true]])
        yield* a.release(first.runId, 1)
        assert.deepStrictEqual(yield* list, [[first.runId, 1, 1, false]])
        yield* b.claim(first.runId)
        assert.deepStrictEqual(yield* list, [[first.runId, 1, 2, true]])
        const second = yield* newRun(b, { ownerId })
        for (let time = 0; time < 2; time++)
          assert.deepStrictEqual(yield* list, [
            [second.runId, 1, 1, true],
            [first.runId, 1, 2, true]
          ])
      })
    )

    promise("tells of its commits in their order, and says when a run is over", (a) =>
      Effect.gen(function* () {
        const heard: Array<Commit> = []
        yield* a.onCommit((commits) => heard.push(...commits))
        const { next, runId } = yield* newRun(a)
        yield* a.append(next(1, [started]))
        yield* a.append(next(1, [draft("run.completed")]))
        assert.deepStrictEqual(
          heard.map(({ lines, terminal }) => [lines[0]!.sequence, terminal]),
          [
            [1, false],
            [2, false],
            [3, true]
          ]
        )
        const stored = yield* a.page(runId, 0, 10)
        assert.deepStrictEqual(
          heard.flatMap(({ lines }) => lines.map(({ line }) => line)),
          stored.map(({ line }) => line)
        )
      })
    )

    promise("goes on, and tells the others, when a listener to its commits throws", (a) =>
      Effect.gen(function* () {
        const heard: Array<Commit> = []
        yield* a.onCommit(() => {
          throw new Error("a listener that throws on purpose")
        })
        yield* a.onCommit((commits) => heard.push(...commits))
        const { next, runId } = yield* newRun(a)
        yield* Effect.timeout(a.append(next(1, [started])), "3 seconds")
        yield* Effect.timeout(a.append(next(1, [draft("run.completed")])), "3 seconds")
        assert.deepStrictEqual(
          heard.map(({ lines }) => lines[0]!.sequence),
          [1, 2, 3]
        )
        assert.lengthOf(yield* a.page(runId, 0, 10), 3)
      })
    )

    promise("chains its lines, so that a changed, dropped or cut line is found", (a) =>
      Effect.gen(function* () {
        const { facts, next, runId } = yield* newRun(a)
        yield* a.append(next(1, [started, draft("inbound.received", { data: { text: "ä\u0000\ud800" } })]))
        const lines = (yield* a.page(runId, 0, 10)).map(({ hash = "", line, sequence }) => ({
          hash,
          line,
          sequence
        }))
        const { headHash } = Option.getOrThrow(yield* a.run(facts.ownerId, runId))
        const changed = lines.map((one, index) =>
          index === 1 ? { ...one, line: one.line.replace("run.", "ruN.") } : one
        )
        assert.isUndefined(verify(runId, lines, headHash))
        assert.strictEqual(verify(runId, changed, headHash)?.sequence, 2)
        assert.strictEqual(verify(runId, [lines[0]!, lines[2]!], headHash)?.sequence, 2)
        assert.strictEqual(verify(runId, lines.slice(0, 2), headHash)?.sequence, 3)
        assert.strictEqual(verify(RunId.make("run_other"), lines, headHash)?.sequence, 1)
      })
    )

    promise("forgets a run that is over, once, and keeps its tombstone for its owner", (a, b) =>
      Effect.gen(function* () {
        const { facts, next, runId } = yield* newRun(a)
        yield* a.append(next(1, [started, draft("run.completed")]))
        const { headHash } = Option.getOrThrow(yield* a.run(facts.ownerId, runId))
        const tries = [a, b, a, b].map((ledger) => ledger.purge(runId, "on request"))
        const gone = yield* Effect.all(tries, { concurrency: "unbounded" })
        assert.lengthOf(gone.filter(Boolean), 1)
        assert.lengthOf(yield* b.page(runId, 0, 10), 0)
        assert.isTrue(Option.isNone(yield* b.run(facts.ownerId, runId)))
        for (const id of [runId, facts.reportId]) {
          const left = Option.getOrThrow(yield* b.tombstone(facts.ownerId, id))
          assert.deepInclude(left, { runId, lines: 3, headHash, reason: "on request" })
          assert.match(left.purgedAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
        }
        assert.isTrue(Option.isNone(yield* b.tombstone(OwnerId.make("own_other"), runId)))
      })
    )

    promise("never forgets a run that is not over, nor one that is not there", (a) =>
      Effect.gen(function* () {
        const { facts, next, runId } = yield* newRun(a)
        yield* a.append(next(1, [started]))
        yield* a.release(runId, 1)
        assert.isFalse(yield* a.purge(runId, "on request"))
        assert.isFalse(yield* a.purge(RunId.make("run_\0"), "on request"))
        assert.lengthOf(yield* a.page(runId, 0, 10), 2)
        assert.isTrue(Option.isNone(yield* a.tombstone(facts.ownerId, runId)))
      })
    )

    promise("counts days from the end of a run, the oldest first", (a) =>
      Effect.gen(function* () {
        const [first, open, second] = yield* Effect.all([newRun(a), newRun(a), newRun(a)])
        for (const { next, runId } of [first, second]) {
          yield* a.append(next(1, [started, draft("run.completed")]))
          yield* a.release(runId, 1)
          yield* Effect.sleep("5 millis")
        }
        yield* a.release(open.runId, 1)
        assert.deepStrictEqual(yield* a.expired(0, 10), [first.runId, second.runId])
        assert.deepStrictEqual(yield* a.expired(0, 1), [first.runId])
        assert.deepStrictEqual(yield* a.expired(1, 10), [])
      })
    )

    promise("counts them too for a run whose process was lost before it gave it back", (a) =>
      Effect.gen(function* () {
        const [over, open] = yield* Effect.all([newRun(a), newRun(a)])
        yield* a.append(over.next(1, [started, draft("run.completed")]))
        yield* a.append(open.next(1, [started]))
        yield* Effect.sleep("5 millis")
        assert.deepStrictEqual(yield* a.expired(0, 10), [over.runId])
        assert.deepStrictEqual(yield* a.expired(1, 10), [])
      })
    )

    promise("tells the time in one form", (a) =>
      Effect.map(a.now, (now) => assert.match(now, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/))
    )
  })
