import { Cause, Effect } from "effect"

/** Work that begins again, a minute after it has failed. The log names it. */
export const restartOnFailure = <E, R>(
  name: string,
  work: Effect.Effect<unknown, E, R>
): Effect.Effect<void, never, R> =>
  Effect.asVoid(work).pipe(
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause)
        ? Effect.interrupt
        : Effect.zipRight(
            Effect.logError(`The work "${name}" failed, and begins again in a minute`, cause),
            Effect.delay(
              Effect.suspend(() => restartOnFailure(name, work)),
              "1 minute"
            )
          )
    )
  )
