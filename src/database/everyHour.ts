import { Cause, Effect, Schedule } from "effect"
import { retryUntilBack } from "./retry.ts"

/**
 * Works now, and then every hour as long as the scope lives, e.g. removes old rows. An outage of the database is waited for; any
 * other failure is logged with the message. The work must be safe to run twice.
 */
export const everyHour = <R>(work: Effect.Effect<unknown, never, R>, message: string) =>
  retryUntilBack(work).pipe(
    Effect.catchAllCause((cause) =>
      Cause.isInterruptedOnly(cause) ? Effect.void : Effect.logError(message, cause)
    ),
    Effect.repeat(Schedule.spaced("1 hour")),
    Effect.forkScoped
  )
