/** Wishes to stop a run, which may come to another process than the one that has it. */
import { Effect, Option, Queue } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { Notifications } from "../database/Notifications.ts"

/** Calls `cancel` for each wish of another process, as long as the scope lives. */
export const heedStopWishes = <R>(cancel: (runId: RunId) => Effect.Effect<unknown, never, R>) =>
  Effect.gen(function* () {
    const notifications = yield* Effect.serviceOption(Notifications)
    if (Option.isNone(notifications)) return
    const wishes = yield* notifications.value.stop.subscribe
    yield* Queue.take(wishes).pipe(
      Effect.flatMap((runId) => (runId === null ? Effect.void : Effect.fork(cancel(runId)))),
      Effect.forever,
      Effect.forkScoped
    )
  })
