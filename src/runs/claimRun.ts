import { Effect, Option, type Schedule } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { forSeconds } from "../database/retry.ts"
import { Ledger, type RunRow } from "../ledger/Ledger.ts"
import type { RequestedAction, RunKindOf } from "../ledger/run/RunKind.ts"
import { type RunLog, RunLogs } from "../ledger/run/RunLog.ts"

/** How to claim a run. */
export interface ClaimOptions {
  /** Duration of a lease in the ledger. */
  readonly leaseSeconds: number
  /** Also claims a run that waits for a decision, which no process works on. */
  readonly fromInterrupted?: boolean
  /** How the opening of the claimed run is tried again while the database is away. Default: for the term of the lease. */
  readonly retry?: Schedule.Schedule<unknown>
}

/** A run that this process has just claimed. */
export interface ClaimedRun<Action extends RequestedAction, Context> {
  readonly log: RunLog<Action, Context>
  /** The result of the claim. `released`: its former process released the run; else that process was lost. */
  readonly row: RunRow
}

/**
 * Claims a run of one kind and opens its log. None: another process holds it or was faster, or it is of another kind.
 */
export const claimRun = Effect.fnUntraced(function* <Action extends RequestedAction, Context>(
  kind: RunKindOf<Action, string, Context>,
  runId: RunId,
  { fromInterrupted = false, leaseSeconds, retry = forSeconds(leaseSeconds) }: ClaimOptions
) {
  const ledger = yield* Ledger
  const logs = yield* RunLogs
  const claim = yield* ledger.claim(runId, { fromInterrupted })
  if (Option.isNone(claim)) return Option.none<ClaimedRun<Action, Context>>()
  const row = claim.value
  // A ledger may return runs of other kinds: release them at once.
  if (row.facts.kind !== kind.name) {
    yield* ledger.release(runId, row.leaseEpoch)
    return Option.none<ClaimedRun<Action, Context>>()
  }
  // Retry: a claimed run that is not opened would stand still until its lease ends.
  const log = yield* Effect.retry(logs.open(kind, row), retry)
  return Option.some<ClaimedRun<Action, Context>>({ log, row })
})
