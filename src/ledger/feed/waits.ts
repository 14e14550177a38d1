/** Waits for the next line of a run, without reading it: for long polls. */
import { Effect } from "effect"
import type { RunId } from "../../../schema/Ids.ts"
import type { Ledger } from "../Ledger.ts"
import type { RunLogs } from "../run/RunLog.ts"

/** The waits of this process for runs of other ones, which `wake` ends; `next` as in `Feed`. */
export const makeWaits = (
  runLogs: RunLogs["Type"],
  ledger: Pick<Ledger["Type"], "page">,
  pollSeconds: number
) => {
  const waiting = new Map<RunId, Set<() => void>>()

  const elsewhere = (runId: RunId, after: number) =>
    Effect.async<void>((resume) => {
      const wake = () => resume(Effect.void)
      const others = waiting.get(runId)
      if (others === undefined) waiting.set(runId, new Set([wake]))
      else others.add(wake)
      return Effect.sync(() => {
        const left = waiting.get(runId)
        left?.delete(wake)
        if (left?.size === 0) waiting.delete(runId)
      })
    }).pipe(
      // A line that was written before the wait began wakes nobody.
      Effect.raceFirst(
        // Should the run be archived meanwhile, the wait ends by its time.
        Effect.option(ledger.page(runId, after, 1, { isOpen: true })).pipe(
          Effect.flatMap((page) =>
            page._tag === "Some" && page.value.length > 0 ? Effect.void : Effect.never
          )
        )
      ),
      Effect.timeoutOption(`${pollSeconds} seconds`),
      Effect.asVoid
    )

  const wake = (runId: RunId) => {
    const ended = waiting.get(runId)
    if (ended === undefined) return
    waiting.delete(runId)
    for (const one of ended) one()
  }

  return {
    next: (runId: RunId, after: number): Effect.Effect<void> =>
      Effect.suspend(() =>
        runLogs.live(runId) === undefined ? elsewhere(runId, after) : runLogs.moved(runId, after)
      ),
    wake,
    wakeAll: () => {
      for (const runId of [...waiting.keys()]) wake(runId)
    }
  }
}

/** What `makeWaits` makes. */
export type Waits = ReturnType<typeof makeWaits>
