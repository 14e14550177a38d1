/** Retry schedules for the time that the database is away. */
import { Clock, Effect, FiberRef, Option, Schedule } from "effect"
import { type DatabaseDown, isLoss } from "./DatabaseDown.ts"

/** Each second, without end: for the start of the service, and for work that must not end. */
export const everySecond: Schedule.Schedule<unknown> = Schedule.spaced("1 second")

/** After 50, 100, 200 … ms, then each second, without end. */
export const untilBack: Schedule.Schedule<unknown> = Schedule.exponential("50 millis").pipe(
  Schedule.union(everySecond)
)

/**
 * Four retries, after 50, 100, 200 and 400 ms: for work whose caller waits, and should soon learn that the database is
 * away.
 */
export const briefly: Schedule.Schedule<unknown> = Schedule.intersect(
  Schedule.exponential("50 millis"),
  Schedule.recurs(4)
)

/** As `untilBack`, for so many seconds: for work that no caller waits for, e.g. a run for the term of its lease. */
export const forSeconds = (seconds: number): Schedule.Schedule<unknown> =>
  Schedule.upTo(untilBack, `${seconds} seconds`)

/** The retry schedule of the statements of a fiber and of its children; default `briefly`. */
const statementRetry: FiberRef.FiberRef<Schedule.Schedule<unknown>> = FiberRef.unsafeMake(briefly)

/** Retries a statement by `statementRetry`, and dies with `DatabaseDown` after that. It must be safe to run twice. */
export const retried = <A>(attempt: Effect.Effect<A, DatabaseDown>): Effect.Effect<A> =>
  // A schedule is set up only once it is needed: most statements succeed.
  Effect.catchAll(attempt, (failure) => {
    let isFirst = true
    const again = Effect.suspend(() => {
      if (!isFirst) return attempt
      isFirst = false
      return Effect.fail(failure)
    })
    return FiberRef.getWith(statementRetry, (schedule) =>
      again.pipe(
        Effect.retry(schedule),
        Effect.orDie,
        Effect.withClock(Clock.make()) // in real time under a test's clock too
      )
    )
  })

/** Retries each statement of this work for so many seconds, as an append to the ledger does, before it dies. */
export const retryStatementsFor =
  (seconds: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locally(work, statementRetry, forSeconds(seconds))

/**
 * Runs the effect again, once a second, for as long as it dies with `DatabaseDown`. For background work that must outlast an
 * outage; the effect must be safe to run twice.
 */
export const retryUntilBack = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchSomeDefect(effect, (defect) =>
    isLoss(defect)
      ? Option.some(
          Effect.zipRight(
            Effect.withClock(Effect.sleep("1 second"), Clock.make()),
            Effect.suspend(() => retryUntilBack(effect))
          )
        )
      : Option.none()
  )
