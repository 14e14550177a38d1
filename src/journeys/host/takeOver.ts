/** Taking up runs that nobody holds: after an orderly end they go on by themselves, after a lost lease they ask. */
import { Effect, Option, Schedule } from "effect"
import type { JourneyRunContext } from "../../../machines/journeyRunContext.ts"
import type { RunId } from "../../../schema/Ids.ts"
import { forSeconds } from "../../database/retry.ts"
import { Ledger, type RunRow } from "../../ledger/Ledger.ts"
import { type RunLog, RunLogs } from "../../ledger/run/RunLog.ts"
import { journeyKind } from "../recovery/recovery.ts"
import type { RunSupervisor } from "./RunSupervisor.ts"

/** Runs taken up in one go; a sweep goes on while there are as many. */
const sweepLimit = 20
/** Longest time between two sweeps: who waits for a decision to be offered waits for little more than the lease. */
const sweepSeconds = 1

/** Sweeps now and ten times a lease or more often, as long as the scope lives. */
export const sweepFor = (supervisor: RunSupervisor, leaseSeconds: number) =>
  Effect.gen(function* () {
    const ledger = yield* Ledger
    const logs = yield* RunLogs

    const takeUp = Effect.fn("JourneyRuns.takeUp")(function* (runId: RunId) {
      const claimed = yield* ledger.claim(runId)
      if (Option.isNone(claimed)) return
      const row = claimed.value
      // A ledger that offers other kinds is told at once that nobody is home.
      if (row.facts.kind !== "journey") return yield* ledger.release(runId, row.leaseEpoch)
      // Claimed and not opened, it would be held by nobody until its lease ends, and then ask.
      const log = yield* Effect.retry(logs.open(journeyKind, row), forSeconds(leaseSeconds))
      yield* takeRun(supervisor, log, row)
    })

    const sweep = Effect.gen(function* () {
      for (;;) {
        const found = yield* logs.claimable(sweepLimit, "journey")
        for (const runId of found) yield* takeUp(runId)
        if (found.length < sweepLimit) return
      }
    })
    yield* sweep.pipe(
      // The ledger is away: the next sweep tries again. One run that cannot be opened must not stop the others' sweep.
      Effect.catchAllCause((cause) => Effect.logWarning("Taking up journey runs failed", cause)),
      Effect.repeat(Schedule.spaced(`${Math.min(sweepSeconds, leaseSeconds / 10) * 1000} millis`)),
      Effect.forkScoped
    )
  })

const lost =
  "The process that worked on the run was lost: it ended, stood still or could not reach the database for longer than its lease"
const stalled = "storage: the ledger could not be written for longer than a lease lasts"

/** `row` is as the claim answered it: `released` says how the run had been left. */
const takeRun = (supervisor: RunSupervisor, log: RunLog, row: RunRow): Effect.Effect<void> => {
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
        .pipe(Effect.flatMap((asks) => supervisor.launch(log, asks)))
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
