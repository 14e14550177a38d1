/** For how long a statement is tried again while the database is away. */
import { Effect, FiberRef, Schedule } from "effect"

/** 50 + 100 + 200 + 400 ms: whoever asked us for something is told soon. */
const aboutASecond: Schedule.Schedule<unknown> = Schedule.intersect(
  Schedule.exponential("50 millis"),
  Schedule.recurs(4)
)

/** How statements of a fiber, and of those that it forks, are tried again. */
export const lossPatience: FiberRef.FiberRef<Schedule.Schedule<unknown>> = FiberRef.unsafeMake(aboutASecond)

/** Lets the work stand still for so many seconds at each statement, as an append to the ledger does, before it dies. */
export const standingStill =
  (seconds: number) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.locally(
      work,
      lossPatience,
      Schedule.exponential("50 millis").pipe(
        Schedule.union(Schedule.spaced("1 second")),
        Schedule.upTo(`${seconds} seconds`)
      )
    )
