import { Data, Effect, Option } from "effect"
import type { OwnerId, RunId } from "../../schema/Ids.ts"
import { isTerminal } from "../../schema/RunReport.ts"
import { Ledger, type RunRow } from "../ledger/Ledger.ts"
import { RunLogs } from "../ledger/run/RunLog.ts"
import { Placement } from "../placement/Placement.ts"
import { askAndFollow } from "./askAndFollow.ts"

/** The run cannot be stopped: it is over, or the process that works on it did not react. */
export class NotStopped extends Data.TaggedError("NotStopped")<{ readonly message: string }> {}

/** The run to stop, and the host of its kind. */
interface StopOrder<R> {
  readonly ownerId: OwnerId
  readonly runId: RunId
  readonly host: {
    readonly cancel: (runId: RunId) => Effect.Effect<unknown>
    readonly has: (runId: RunId) => boolean
  }
  /** Claims and stops a run that no process works on; none if it is not such a run. Default: always none. */
  readonly claimAndStop?: Effect.Effect<Option.Option<RunRow>, never, R>
}

/**
 * Stops a run at its next safe point: by its worker in this process; or by claiming it, where no process works on it; or by the
 * process that works on it, which is notified. Returns the run's row when the request to stop is in the ledger, or a busy worker
 * of this process has it.
 */
export const stopRun = Effect.fnUntraced(function* <R = never>({
  claimAndStop = Effect.succeedNone,
  host,
  ownerId,
  runId
}: StopOrder<R>) {
  const ledger = yield* Ledger
  const logs = yield* RunLogs
  const placement = yield* Placement

  const look = Effect.suspend(() => {
    const live = logs.live(runId)
    if (live !== undefined && live.facts.ownerId === ownerId) return Effect.succeed(live)
    return Effect.flatMap(
      Effect.orDie(ledger.run(ownerId, runId)), // no caller can handle a lasting loss of the database
      Option.match({
        onNone: () => new NotStopped({ message: `There is no run ${runId}` }),
        onSome: Effect.succeed
      })
    )
  })
  const stopping = Effect.map(look, (row) =>
    isTerminal(row.snapshot.view.status) || row.snapshot.view.status === "cancelling"
      ? Option.some(row)
      : Option.none()
  )
  const byWorker = Effect.gen(function* () {
    yield* host.cancel(runId)
    const stopped = yield* stopping
    // A busy worker has the request; a worker that has released the run never read it.
    return Option.isSome(stopped) || !host.has(runId) ? stopped : Option.some(yield* look)
  })
  const byAnyone = Effect.gen(function* () {
    const stopped = yield* byWorker
    if (Option.isSome(stopped)) return stopped
    const taken = yield* claimAndStop
    if (Option.isNone(taken)) yield* placement.stop.publish(runId)
    return taken
  })

  const { lastSequence, status } = (yield* look).snapshot.view
  if (isTerminal(status)) return yield* new NotStopped({ message: `Run ${runId} is over: ${status}` })
  const here = yield* byWorker
  if (Option.isSome(here)) return here.value
  const stopped = yield* askAndFollow({ runId, after: lastSequence, ask: byAnyone, look: stopping })
  return yield* Option.match(stopped, {
    onNone: () =>
      // Its worker came here meanwhile, and has the request.
      host.has(runId)
        ? look
        : new NotStopped({
            message: `Run ${runId} is held by a process of this service that has not received the request to stop; try again shortly`
          }),
    onSome: Effect.succeed
  })
})
