/** Requests to stop a run, which may reach another process than the one that works on it. */
import { Effect, Queue } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { Placement } from "../placement/Placement.ts"

/** Calls `cancel` for each request of another process, as long as the scope lives. */
export const cancelOnStopRequest = Effect.fnUntraced(function* <R>(
  cancel: (runId: RunId) => Effect.Effect<unknown, never, R>
) {
  const placement = yield* Placement
  const requests = yield* placement.stop.subscribe
  yield* Queue.take(requests).pipe(
    Effect.flatMap((runId) => (runId === null ? Effect.void : Effect.fork(cancel(runId)))),
    Effect.forever,
    Effect.forkScoped
  )
})
