/**
 * Takes over a journey run that this process has claimed: a released run resumes by itself, a lost one is interrupted
 * and offers decisions.
 */
import { Effect } from "effect"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import type { JourneyRunAction } from "../../../machines/journeyRunSetup.ts"
import type { RunRow } from "../../ledger/Ledger.ts"
import type { RunLog } from "../../ledger/run/RunLog.ts"
import type { JourneyHost } from "./journeyHost.ts"

const lost =
  "The process that worked on the run was lost: it ended, stood still or could not reach the database for longer than its lease"
const stalled = "storage: the ledger could not be written for longer than a lease lasts"

/** Resumes or interrupts a claimed run. `row` is the result of the claim; `released`: its former process released it. */
export const takeOver = (
  host: JourneyHost,
  log: RunLog<JourneyRunAction, JourneyRunContext>,
  row: RunRow
): Effect.Effect<void> => {
  const machine = log.machine()
  const { open } = machine.context
  const goesOn = row.released && open.length === 0 && machine.can({ type: "run.resumed" })
  const work = goesOn
    ? log
        .record([
          {
            type: "run.resumed",
            key: `resumed/${log.epoch}`,
            data: { reason: "Released by its former process, and nothing was open" }
          }
        ])
        .pipe(Effect.flatMap((actions) => host.launch(log, actions, "released")))
    : log
        .record([
          {
            type: "run.interrupted",
            key: `interrupted/${log.epoch}`,
            data: {
              reason: `${log.stalled ? stalled : lost}${open.length === 0 ? "" : ", and the outcome of a request is unknown"}`,
              unknown: open.map(({ id }) => id)
            }
          },
          // The log fills in options and version from the machine's state at that point.
          { type: "recovery.offered", key: `offered/${log.epoch}` }
        ])
        // An interrupted run waits for a decision and needs no worker.
        .pipe(Effect.zipRight(log.close("released")))
  return Effect.catchTag(work, "StaleRun", () => log.close("expiring"))
}
