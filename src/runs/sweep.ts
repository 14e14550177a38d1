/** Taking up runs that nobody holds: those of processes that ended or were lost, of one kind. */
import { Effect, Option, Schedule } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import type { RunKind } from "../../schema/RunReport.ts"
import { forSeconds } from "../database/retry.ts"
import { Ledger, type RunRow } from "../ledger/Ledger.ts"
import { type RunKindOf, type RunLog, RunLogs } from "../ledger/run/RunLog.ts"

/** Runs taken up in one go; a sweep goes on while there are as many. */
const sweepLimit = 20
/** Longest time between two sweeps: who waits for a run to go on waits for little more than the lease. */
const sweepSeconds = 1

export interface Sweep<R> {
  readonly name: RunKind
  readonly kind: RunKindOf
  /** The ledger's term. */
  readonly leaseSeconds: number
  /** The run is held by this process now. `row` is as the claim answered it: `released` says how the run had been left. */
  readonly takeUp: (log: RunLog, row: RunRow) => Effect.Effect<void, never, R>
}

/** Sweeps now and ten times a lease or more often, as long as the scope lives. */
export const sweepRuns = <R>({ kind, leaseSeconds, name, takeUp }: Sweep<R>) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const logs = yield* RunLogs

    const claimed = Effect.fn("runs.takeUp")(function* (runId: RunId) {
      const claim = yield* ledger.claim(runId)
      if (Option.isNone(claim)) return
      const row = claim.value
      // A ledger that offers other kinds is told at once that nobody is home.
      if (row.facts.kind !== name) return yield* ledger.release(runId, row.leaseEpoch)
      // Claimed and not opened, it would be held by nobody until its lease ends.
      const log = yield* Effect.retry(logs.open(kind, row), forSeconds(leaseSeconds))
      // Held and not worked on, it would stand still for as long as this process lives: let its lease run out instead.
      yield* Effect.onError(takeUp(log, row), () => log.close("kept"))
    })

    const sweep = Effect.gen(function* () {
      for (;;) {
        const found = yield* logs.claimable(sweepLimit, name)
        for (const runId of found) yield* claimed(runId)
        if (found.length < sweepLimit) return
      }
    })
    yield* sweep.pipe(
      // The ledger is away: the next sweep tries again. One run that cannot be opened must not stop the others' sweep.
      Effect.catchAllCause((cause) => Effect.logWarning(`Taking up ${name} runs failed`, cause)),
      Effect.repeat(Schedule.spaced(`${Math.min(sweepSeconds, leaseSeconds / 10) * 1000} millis`)),
      Effect.forkScoped
    )
  })
