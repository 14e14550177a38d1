import { it } from "@effect/vitest"
import { Context, Effect, Layer, Option, type Scope } from "effect"
import { assert, describe } from "vitest"
import type { RunId } from "../../schema/Ids.ts"
import { Feed } from "../../src/ledger/feed/feed.ts"
import { LedgerMemory, memoryStore } from "../../src/ledger/LedgerMemory.ts"
import { RunLogs } from "../../src/ledger/run/RunLog.ts"
import { RunLogsLive } from "../../src/ledger/run/RunLogsLive.ts"
import { claimRun } from "../../src/runs/claimRun.ts"
import { type HeldRun, makeRunHost, type Worker } from "../../src/runs/RunHost.ts"
import { stopRun } from "../../src/runs/stopRun.ts"
import { created, draft, newFacts, type SampleAction, sample, started } from "../support/runs/sampleRun.ts"

const leaseSeconds = 60

/** A worker that ends its run when it is asked to stop, after it has written the request down. */
const obedient = (run: HeldRun<SampleAction>): Effect.Effect<Worker> =>
  Effect.succeed({
    work: Effect.never,
    stop: Effect.ignore(run.record([draft("cancel.requested"), draft("run.cancelled")])),
    drain: Effect.void
  })

/** Makes processes on one ledger, which notify one another. */
const world = Effect.sync(() => {
  const store = memoryStore()
  return (owner: string) =>
    Effect.gen(function* () {
      const context = yield* Layer.build(
        Feed.layer({ pollSeconds: 0.05 }).pipe(
          Layer.provideMerge(RunLogsLive.layer({ leaseSeconds })),
          Layer.provideMerge(LedgerMemory.layer({ store, owner, leaseSeconds }))
        )
      )
      const host = yield* makeRunHost<SampleAction, Worker, never>({
        leaseSeconds,
        drainLimit: 0,
        makeWorker: obedient
      }).pipe(Effect.provide(context))
      const facts = newFacts()
      return {
        host,
        facts,
        begin: Effect.flatMap(
          Context.get(context, RunLogs).create(sample, facts, [created, started]),
          ({ actions, log }) => Effect.as(host.launch(log, actions, "new"), log)
        ),
        claim: (runId: RunId) =>
          Effect.map(claimRun(sample, runId, { leaseSeconds }), Option.getOrThrow).pipe(
            Effect.provide(context)
          ),
        stop: (runId: RunId) => stopRun({ host, ownerId: facts.ownerId, runId }).pipe(Effect.provide(context))
      }
    })
})

const live = (title: string, body: () => Effect.Effect<void, unknown, Scope.Scope>) =>
  it.scopedLive(title, body)

describe("stopping a run", () => {
  live("is done by its worker in this process", () =>
    Effect.gen(function* () {
      const us = yield* (yield* world)("us")
      yield* us.begin
      assert.strictEqual((yield* us.stop(us.facts.runId)).snapshot.view.status, "cancelled")
      const refused = yield* Effect.flip(us.stop(us.facts.runId))
      assert.include(refused.message, "is over: cancelled")
    })
  )

  live("is done by the process that works on it", () =>
    Effect.gen(function* () {
      const processOf = yield* world
      const [us, others] = [yield* processOf("us"), yield* processOf("others")]
      yield* others.begin
      const row = yield* us.stop(others.facts.runId)
      assert.strictEqual(row.snapshot.view.status, "cancelled")
    })
  )

  live("is done once a run that is just claimed here has its worker", () =>
    Effect.gen(function* () {
      const processOf = yield* world
      const [us, others] = [yield* processOf("us"), yield* processOf("others")]
      const { runId } = others.facts
      yield* Effect.flatMap(others.begin, (log) => log.close("released"))
      const { log } = yield* us.claim(runId)
      const later = Effect.delay(us.host.launch(log, [], "released"), "100 millis")
      const [row] = yield* Effect.all([us.stop(runId), later], { concurrency: "unbounded" })
      assert.strictEqual(row.snapshot.view.status, "cancelled")
    })
  )
})
