import { Effect } from "effect"
import type { RunLog } from "../ledger/run/RunLog.ts"

/** Closes a run that we cannot continue as `failed`, which is never held against the partner, and releases it. */
export const failRun = (log: RunLog, reason: string): Effect.Effect<void> =>
  log.record([{ type: "run.failed", key: "run/failed", data: { reason } }]).pipe(
    Effect.zipRight(log.close("released")),
    Effect.catchTag("StaleRun", () => log.close("expiring"))
  )
