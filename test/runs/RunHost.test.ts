import { it } from "@effect/vitest"
import { Context, Deferred, Effect, Exit, Fiber, Layer, Option, Scope } from "effect"
import { assert, describe } from "vitest"
import { isEventOf } from "../../schema/LedgerEvent.ts"
import { Ledger } from "../../src/ledger/Ledger.ts"
import { LedgerMemory, memoryStore } from "../../src/ledger/LedgerMemory.ts"
import { RunLogs } from "../../src/ledger/run/RunLog.ts"
import { RunLogsLive } from "../../src/ledger/run/RunLogsLive.ts"
import { Placement } from "../../src/placement/Placement.ts"
import { CannotGoOn, type HeldRun, makeRunHost, type Worker } from "../../src/runs/RunHost.ts"
import { sweepRuns } from "../../src/runs/sweep.ts"
import { created, newFacts, type SampleAction, sample, started } from "../support/runs/sampleRun.ts"

const leaseSeconds = 1

type Employ = (run: HeldRun<SampleAction>) => Effect.Effect<Partial<Worker>, CannotGoOn>

/** A process with a host of sample runs. `work` of a worker: until it is drained, unless it says otherwise. */
const world = (employ: Employ) =>
  Effect.gen(function* () {
    const context = yield* Layer.build(
      RunLogsLive.layer({ leaseSeconds }).pipe(
        Layer.provideMerge(LedgerMemory.layer({ store: memoryStore(), owner: "us", leaseSeconds }))
      )
    )
    const logs = Context.get(context, RunLogs)
    const ledger = Context.get(context, Ledger)
    const process = yield* Scope.make()
    const host = yield* makeRunHost<SampleAction, Worker, never>({
      leaseSeconds,
      drainLimit: "1 minute",
      makeWorker: (run) =>
        Effect.map(employ(run), (worker) => ({
          work: Effect.never,
          stop: Effect.void,
          drain: Effect.void,
          ...worker
        }))
    }).pipe(Scope.extend(process), Effect.provide(context))
    const facts = newFacts()
    const rowNow = Effect.map(ledger.run(facts.ownerId, facts.runId), Option.getOrThrow)
    return {
      host,
      ledger,
      logs,
      facts,
      rowNow,
      context,
      launch: Effect.gen(function* () {
        const { actions, log } = yield* logs.create(sample, facts, [created, started])
        yield* host.launch(log, actions, "new")
        return log
      }),
      end: Scope.close(process, Exit.void),
      until: (state: string) =>
        Effect.repeat(Effect.delay(rowNow, "5 millis"), {
          until: ({ snapshot }) => snapshot.view.machine.value === state
        })
    }
  })

describe("the runs that a process works on", () => {
  it.scopedLive("ends a run that nobody can go on with as failed, with the reason", () =>
    Effect.gen(function* () {
      const { launch, until } = yield* world(() => new CannotGoOn({ reason: "its connection was deleted" }))
      const log = yield* launch
      yield* until("failed")
      assert.deepInclude(log.events().find(isEventOf("run.failed"))?.data, {
        reason: "its connection was deleted"
      })
    })
  )

  it.scopedLive("ends a run that a fault of ours broke as failed, and does not show the fault", () =>
    Effect.gen(function* () {
      const { launch, until } = yield* world(() => Effect.succeed({ work: Effect.die(new Error("secret")) }))
      const log = yield* launch
      yield* until("failed")
      assert.notInclude(JSON.stringify(log.events()), "secret")
    })
  )

  it.scopedLive("gives a run back that ended its work early, and when the process ends", () =>
    Effect.gen(function* () {
      const early = yield* world(() => Effect.succeed({ work: Effect.void }))
      yield* early.launch
      yield* Effect.repeat(early.rowNow, { until: ({ released }) => released })
      assert.isFalse(early.host.has(early.facts.runId))

      const drained = yield* Deferred.make<void>()
      const late = yield* world(() =>
        Effect.succeed({
          work: Deferred.await(drained),
          drain: Effect.asVoid(Deferred.succeed(drained, undefined))
        })
      )
      yield* late.launch
      yield* Effect.repeat(Effect.sync(late.host.workers), { until: (all) => all.length === 1 })
      yield* late.end
      assert.isTrue((yield* late.rowNow).released)
    })
  )

  it.scopedLive("drains a worker too that is still being made when the process ends", () =>
    Effect.gen(function* () {
      const [made, drained] = yield* Effect.all([Deferred.make<void>(), Deferred.make<void>()])
      const { end, launch, rowNow } = yield* world(() =>
        Effect.as(Deferred.await(made), {
          work: Deferred.await(drained),
          drain: Effect.asVoid(Deferred.succeed(drained, undefined))
        })
      )
      yield* launch
      const ending = yield* Effect.fork(end)
      yield* Effect.sleep("50 millis")
      yield* Deferred.succeed(made, undefined)
      yield* Fiber.join(ending)
      assert.isTrue(yield* Deferred.isDone(drained))
      assert.isTrue((yield* rowNow).released)
    })
  )

  it.scopedLive("asks the worker of a run, and says when there is none, or it has ended", () =>
    Effect.gen(function* () {
      const end = yield* Deferred.make<void>()
      const { facts, host, launch } = yield* world(() => Effect.succeed({ work: Deferred.await(end) }))
      assert.isFalse(yield* host.cancel(facts.runId))
      yield* launch
      assert.deepStrictEqual(yield* host.callWorker(facts.runId, () => Effect.succeed(7)), Option.some(7))
      const endsMeanwhile = Effect.zipRight(Deferred.succeed(end, undefined), Effect.never)
      assert.deepStrictEqual(yield* host.callWorker(facts.runId, () => endsMeanwhile), Option.none())
      assert.isUndefined(yield* host.callWorker(facts.runId, () => Effect.succeed(7)))
    })
  )

  it.scopedLive(
    "works on a run that it lost and claimed again while the worker of the lost lease is still there",
    () =>
      Effect.gen(function* () {
        let workers = 0
        const goOn = yield* Deferred.make<void>()
        const { context, facts, host, launch, until } = yield* world(({ record }) =>
          Effect.sync(() => {
            workers += 1
            return {
              work:
                workers === 1
                  ? Effect.zipRight(Deferred.await(goOn), record([{ type: "run.resumed", key: "too late" }]))
                  : record([{ type: "run.completed", key: "completed", data: {} }])
            }
          })
        )
        yield* launch
        yield* Effect.repeat(Effect.sync(host.workers), { until: (all) => all.length === 1 })
        // As after a time in which this process stood still: the lease is over, and nobody else came.
        yield* Context.get(context, Placement).release(facts.runId, 1)
        yield* sweepRuns({
          kind: sample,
          leaseSeconds,
          onClaimed: (log) => host.launch(log, [], "lost")
        }).pipe(Effect.provide(context))
        const { snapshot } = yield* Effect.timeout(until("completed"), "15 seconds")
        yield* Deferred.succeed(goOn, undefined)
        yield* Effect.repeat(Effect.delay(Effect.sync(host.workers), "5 millis"), {
          until: (all) => all.length === 0
        })
        assert.strictEqual(snapshot.view.lastSequence, 3)
      })
  )
})
