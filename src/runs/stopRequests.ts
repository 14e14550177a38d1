/** Requests to stop a run, which may reach another process than the one that works on it. */
import { Effect, Option, Queue } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { Notifications } from "../database/Notifications.ts"

/** Calls `cancel` for each request of another process, as long as the scope lives. */
export const cancelOnStopRequest = <R>(cancel: (runId: RunId) => Effect.Effect<unknown, never, R>) =>
  Effect.gen(function* () {
    const notifications = yield* Effect.serviceOption(Notifications)
    if (Option.isNone(notifications)) return
    const requests = yield* notifications.value.stop.subscribe
    yield* Queue.take(requests).pipe(
      Effect.flatMap((runId) => (runId === null ? Effect.void : Effect.fork(cancel(runId)))),
      Effect.forever,
      Effect.forkScoped
    )
  })
