/** How often the ledger is tried again that cannot be reached or written. */
import { Schedule } from "effect"

/** 50 + 100 + 200 + 400 ms: somebody waits for an answer, and would rather hear that the database is away. */
export const shortly: Schedule.Schedule<unknown> = Schedule.intersect(
  Schedule.exponential("50 millis"),
  Schedule.recurs(4)
)

/** Soon at first, then each second, for as long: nobody waits but the run itself. */
export const patiently = (seconds: number): Schedule.Schedule<unknown> =>
  Schedule.exponential("50 millis").pipe(
    Schedule.union(Schedule.spaced("1 second")),
    Schedule.upTo(`${seconds} seconds`)
  )
