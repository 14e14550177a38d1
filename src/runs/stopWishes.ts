/** Wishes to stop a run, which may come to another process than the one that has it. */
import { Effect, Option, PubSub, Queue } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { Signals } from "../database/Signals.ts"

/** Calls `cancel` for each wish that another process tells of, as long as the scope lives. */
export const heedStopWishes = <R>(cancel: (runId: RunId) => Effect.Effect<unknown, never, R>) =>
  Effect.gen(function* () {
    const signals = yield* Effect.serviceOption(Signals)
    if (Option.isNone(signals)) return
    const wishes = yield* PubSub.subscribe(signals.value.stop.heard)
    yield* Queue.take(wishes).pipe(
      Effect.flatMap((runId) => (runId === null ? Effect.void : Effect.fork(cancel(runId)))),
      Effect.forever,
      Effect.forkScoped
    )
  })
