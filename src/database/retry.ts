/** How often, and for how long, work is tried again while the database is away. */
import { Clock, Effect, FiberRef, Option, Schedule } from "effect"
import { isLoss } from "./DatabaseDown.ts"

/** Soon at first, then each second, without end. */
export const untilBack: Schedule.Schedule<unknown> = Schedule.exponential("50 millis").pipe(
  Schedule.union(Schedule.spaced("1 second"))
)

/** 50 + 100 + 200 + 400 ms: somebody waits for an answer, and would rather hear that the database is away. */
export const briefly: Schedule.Schedule<unknown> = Schedule.intersect(
  Schedule.exponential("50 millis"),
  Schedule.recurs(4)
)

/** As `untilBack`, for so many seconds: nobody waits but the work itself, e.g. a run for the term of its lease. */
export const forSeconds = (seconds: number): Schedule.Schedule<unknown> =>
  Schedule.upTo(untilBack, `${seconds} seconds`)

/** How statements of a fiber, and of those that it forks, are tried again. */
export const statementRetry: FiberRef.FiberRef<Schedule.Schedule<unknown>> = FiberRef.unsafeMake(briefly)

/** Lets the work stand still for so many seconds at each statement, as an append to the ledger does, before it dies. */
export const standingStill =
  (seconds: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locally(work, statementRetry, forSeconds(seconds))

/**
 * Runs the effect again, once a second, for as long as it dies of a lost database. For work in the background that
 * must outlast an outage; the effect must be one that may run twice.
 */
export const outlast = <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.catchSomeDefect(effect, (defect) =>
    isLoss(defect)
      ? Option.some(
          Effect.zipRight(
            Effect.withClock(Effect.sleep("1 second"), Clock.make()),
            Effect.suspend(() => outlast(effect))
          )
        )
      : Option.none()
  )
