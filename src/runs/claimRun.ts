import { Effect, Option, type Schedule } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { forSeconds } from "../database/retry.ts"
import { Ledger, type RunRow } from "../ledger/Ledger.ts"
import type { RequestedAction, RunKindOf } from "../ledger/run/RunKind.ts"
import { type RunLog, RunLogs } from "../ledger/run/RunLog.ts"
import { Placement } from "../placement/Placement.ts"

/** How to claim a run. */
interface ClaimOptions {
  /** Duration of a lease in the ledger. */
  readonly leaseSeconds: number
  /** Also claims a run that waits for a decision, which no process works on. */
  readonly fromInterrupted?: boolean
  /** How the opening of the claimed run is tried again while the database is away. Default: for the term of the lease. */
  readonly retry?: Schedule.Schedule<unknown>
}

/** A run that this process has just claimed. */
interface ClaimedRun<Action extends RequestedAction, Context> {
  readonly log: RunLog<Action, Context>
  /** `released`: its former process released the run, so resume it; else that process was lost, so interrupt it. */
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
  const placement = yield* Placement
  const claim = yield* placement.claim(runId, { kind: kind.name, fromInterrupted })
  if (Option.isNone(claim)) return Option.none<ClaimedRun<Action, Context>>()
  const { epoch, released } = claim.value
  // Retry: a claimed run that is not opened would stand still until its lease ends.
  return yield* Effect.retry(
    Effect.gen(function* () {
      const found = yield* ledger.claimed(runId)
      if (Option.isNone(found)) return Option.none<ClaimedRun<Action, Context>>()
      const row = { ...found.value, leaseEpoch: epoch, released }
      return Option.some<ClaimedRun<Action, Context>>({ log: yield* logs.open(kind, row), row })
    }),
    retry
  )
})
