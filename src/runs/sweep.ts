/** Claims runs of one kind that no process holds: those of processes that ended or were lost. */
import { Effect, Option, Schedule } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import type { RunRow } from "../ledger/Ledger.ts"
import type { RequestedAction, RunKindOf } from "../ledger/run/RunKind.ts"
import { type RunLog, RunLogs } from "../ledger/run/RunLog.ts"
import { traced } from "../telemetry/traced.ts"
import { claimRun } from "./claimRun.ts"

/** How many runs one query claims; a sweep continues while a query returns as many. */
const sweepLimit = 20
/** Longest time between two sweeps, so that a lost run resumes little later than its lease ends. */
const sweepSeconds = 1

/** The kind of run to claim, and what to do with a claimed run. */
interface Sweep<Action extends RequestedAction, R, Context> {
  readonly kind: RunKindOf<Action, string, Context>
  /** Duration of a lease in the ledger. */
  readonly leaseSeconds: number
  /** Called with a run that this process has just claimed. `row.released`: its former process released it; else that process was lost. */
  readonly onClaimed: (log: RunLog<Action, Context>, row: RunRow) => Effect.Effect<void, never, R>
}

/** Sweeps now, and then at least ten times per lease, as long as the scope lives. */
export const sweepRuns = Effect.fnUntraced(function* <Action extends RequestedAction, R, Context>({
  kind,
  leaseSeconds,
  onClaimed
}: Sweep<Action, R, Context>) {
  const logs = yield* RunLogs

  const claimOne = traced("runs.takeUp")(function* (runId: RunId) {
    const claimed = yield* claimRun(kind, runId, { leaseSeconds })
    if (Option.isNone(claimed)) return
    const { log, row } = claimed.value
    // On a failure stop renewing the lease: otherwise the run would stand still for as long as this process lives.
    yield* Effect.onError(onClaimed(log, row), () => log.close("expiring"))
  })

  const sweep = Effect.gen(function* () {
    for (;;) {
      const found = yield* logs.claimable(sweepLimit, kind.name)
      for (const runId of found) yield* claimOne(runId)
      if (found.length < sweepLimit) return
    }
  })
  yield* sweep.pipe(
    // If the ledger is unavailable, the next sweep tries again. One run that cannot be opened must not end the sweeps.
    Effect.catchAllCause((cause) => Effect.logWarning(`Taking up ${kind.name} runs failed`, cause)),
    Effect.repeat(Schedule.spaced(`${Math.min(sweepSeconds, leaseSeconds / 10) * 1000} millis`)),
    Effect.forkScoped
  )
})
