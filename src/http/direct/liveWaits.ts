/**
 * Long polls of runs that this process works on, without a fiber but for their time: woken by the run's own appends, by the
 * time, or by the shutdown. A run that leaves this process meanwhile is waited for as the contract's routes do.
 */
import { Effect, Exit, Runtime } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type { RunRow } from "../../ledger/Ledger.ts"
import { RunLogs } from "../../ledger/run/RunLog.ts"
import { OwnedRuns } from "../../services/runs/OwnedRuns.ts"
import { isAwaited, Runs } from "../../services/runs/Runs.ts"
import { Draining } from "../request/Draining.ts"

/** For what, and how long in seconds. */
export interface LiveWait {
  readonly seconds: number
  readonly since: number
  readonly untilEnd: boolean
}

/**
 * Calls `done` once with the run as it is when the wait is over; with undefined when it could not be read. Returns what ends
 * the wait without that, for a client that leaves. Undefined: the run does not live in this process.
 */
type LiveWaits = (
  caller: Caller,
  row: RunRow,
  wait: LiveWait,
  done: (row: RunRow | undefined) => void
) => (() => void) | undefined

/** Makes the waits; they end when the server drains. */
export const makeLiveWaits = Effect.gen(function* () {
  const owned = yield* OwnedRuns
  const logs = yield* RunLogs
  const runs = yield* Runs
  const draining = yield* Draining
  const clock = yield* Effect.clock
  const run = Runtime.runCallback(yield* Effect.runtime<never>())
  /** What ends each wait at once. */
  const waiting = new Set<() => void>()
  run(draining.begun, { onExit: () => [...waiting].forEach((end) => end()) })

  const waits: LiveWaits = (caller, row, { seconds, since, untilEnd }, done) => {
    // What waits now would be ended by nothing: the waits of before were ended when the drain began.
    if (draining.isDraining()) return undefined
    const { runId } = row.facts
    const until = clock.unsafeCurrentTimeMillis() + Math.min(seconds, runs.waitMaxSeconds) * 1000
    let isOver = false
    let forget: (() => void) | undefined
    let stopReading = () => {}

    const leave = () => {
      isOver = true
      waiting.delete(end)
      stopTimer()
      forget?.()
      stopReading()
    }
    const finish = (now: RunRow | undefined) => {
      if (isOver) return
      leave()
      done(now)
    }
    const elsewhere = () => {
      const waitSeconds = Math.max(0, until - clock.unsafeCurrentTimeMillis()) / 1000
      const now = runs.read(caller, runId)
      const read = Effect.raceFirst(
        runs.read(caller, runId, { waitSeconds, since, untilEnd }),
        Effect.zipRight(draining.begun, now)
      )
      stopReading = run(read, { onExit: (exit) => finish(Exit.isSuccess(exit) ? exit.value : undefined) })
    }
    /** The time is over, or the server drains. */
    const end = () => {
      const now = owned.findAtOnce(caller, runId)
      if (now !== undefined) finish(now)
    }
    const look = () => {
      if (isOver) return
      const now = owned.findAtOnce(caller, runId)
      if (now !== undefined && isAwaited(now, { since, untilEnd })) return finish(now)
      forget = now === undefined ? undefined : logs.onNext(runId, wake)
      if (forget === undefined) elsewhere()
    }
    // Not within the append: whoever made it goes on first, and several of one turn are one.
    const wake = () => void setImmediate(look)

    forget = logs.onNext(runId, wake)
    if (forget === undefined) return undefined
    waiting.add(end)
    const stopTimer = run(Effect.sleep(`${Math.max(0, until - clock.unsafeCurrentTimeMillis())} millis`), {
      onExit: (exit) => {
        if (Exit.isSuccess(exit)) end()
      }
    })
    // The caller may have been admitted by a query, and the run gone on meanwhile.
    if (isAwaited(row, { since, untilEnd })) wake()
    return leave
  }
  return waits
})
