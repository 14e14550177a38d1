/** A journey run that this process took up: after an orderly end it goes on by itself, after a lost lease it asks. */
import { Effect } from "effect"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import type { RunRow } from "../../ledger/Ledger.ts"
import type { RunLog } from "../../ledger/run/RunLog.ts"
import type { JourneyHost } from "./journeyHost.ts"

const lost =
  "The process that worked on the run was lost: it ended, stood still or could not reach the database for longer than its lease"
const stalled = "storage: the ledger could not be written for longer than a lease lasts"

/** `row` is as the claim answered it: `released` says how the run had been left. */
export const takeRun = (host: JourneyHost, log: RunLog, row: RunRow): Effect.Effect<void> => {
  const machine = log.machine()
  // Runs of this kind are folded by the journey machine only.
  const { open } = machine.context as JourneyRunContext
  const goesOn = row.released && open.length === 0 && machine.can({ type: "run.resumed" })
  const work = goesOn
    ? log
        .record([
          {
            type: "run.resumed",
            key: `resumed/${log.epoch}`,
            data: { reason: "Given back in an orderly way, and nothing was open" }
          }
        ])
        .pipe(Effect.flatMap((asks) => host.launch(log, asks, "released")))
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
          // Options and version are filled in by the log, from the machine as it then stands.
          { type: "recovery.offered", key: `offered/${log.epoch}` }
        ])
        // An interrupted run waits for a decision and needs no worker.
        .pipe(Effect.zipRight(log.close("released")))
  return Effect.catchTag(work, "StaleRun", () => log.close("kept"))
}
