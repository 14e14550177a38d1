/**
 * The database's time of day, carried on by this process's monotonic clock, so that all processes agree. A wall clock
 * that is wrong or too fast is never held against a partner.
 */
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { Database } from "./Database.ts"
import type { DatabaseDown } from "./DatabaseDown.ts"
import type { Query } from "./statement.ts"

/** How often the database is asked for its time. */
interface SharedTimeOptions {
  /** Default 10. */
  readonly everySeconds?: number
}

/** By how much two clocks may part: a ten thousandth of the time that passes. */
const drift = 1e-4

/** What was found out of the database's clock. Times in milliseconds. */
interface Reading {
  /** The database's time of day, less the monotonic clock. */
  readonly offset: number
  /** The offset is at most so far from the true one: half of the statement's round trip. */
  readonly error: number
  /** When it was taken, by the monotonic clock. */
  readonly at: number
}

/** The clock that all processes on one database share. */
export class SharedTime extends Context.Tag("database/SharedTime")<
  SharedTime,
  {
    /** Shows the time of the clock that it was made from until the first sample; sleeps as that one does. */
    readonly clock: Clock.Clock
    /**
     * Takes a sample: the database's clock in milliseconds, between two readings of the monotonic clock in nanoseconds.
     */
    readonly sample: (databaseMillis: number, before: bigint, after: bigint) => void
  }
>() {
  /**
   * Sets the shared clock as the `Clock` of all that is built with this layer. It needs samples from `followed` to show
   * the database's time.
   */
  static readonly layer: Layer.Layer<SharedTime> = Layer.unwrapEffect(
    Effect.map(Effect.clock, (base) => {
      const time = makeSharedTime(base)
      return Layer.merge(Layer.succeed(SharedTime, time), Layer.setClock(time.clock))
    })
  )

  /** Samples the database's clock at an interval. While the database is away the monotonic clock carries on. */
  static readonly followed = ({
    everySeconds = 10
  }: SharedTimeOptions = {}): Layer.Layer<never, never, SharedTime | Database> =>
    Layer.scopedDiscard(
      Effect.gen(function* () {
        const { attempt } = yield* Database
        const ask = Effect.ignore(takeSample(attempt, yield* SharedTime))
        yield* ask
        yield* Effect.forkScoped(Effect.schedule(ask, Schedule.spaced(`${everySeconds} seconds`)))
      })
    )
}

/** Asks the database for the time. */
export const takeSample = Effect.fnUntraced(function* (
  query: Query<DatabaseDown>,
  { clock, sample }: SharedTime["Type"]
): Effect.fn.Return<void, DatabaseDown> {
  const before = clock.unsafeCurrentTimeNanos()
  const [row] = yield* query<{ readonly now: number }>({
    text: "select extract(epoch from clock_timestamp())::float8 * 1000 as now"
  })
  if (row !== undefined) sample(row.now, before, clock.unsafeCurrentTimeNanos())
})

/** `base` supplies the monotonic clock and sleeping; its time of day counts only until the first sample. */
export function makeSharedTime(base: Clock.Clock): SharedTime["Type"] {
  let best: Reading | undefined
  const monotonicMillis = () => Number(base.unsafeCurrentTimeNanos()) / 1e6
  const millis = () =>
    best === undefined ? base.unsafeCurrentTimeMillis() : Math.floor(monotonicMillis() + best.offset)
  return {
    clock: {
      [Clock.ClockTypeId]: Clock.ClockTypeId,
      unsafeCurrentTimeMillis: millis,
      unsafeCurrentTimeNanos: () => base.unsafeCurrentTimeNanos(),
      currentTimeMillis: Effect.sync(millis),
      currentTimeNanos: base.currentTimeNanos,
      sleep: (duration) => base.sleep(duration)
    },
    sample: (databaseMillis, before, after) => {
      const [sent, answered] = [Number(before) / 1e6, Number(after) / 1e6]
      const error = (answered - sent) / 2
      const reading = { offset: databaseMillis - sent - error, error, at: answered }
      if (best === undefined || isBetter(reading, best)) best = reading
    }
  }
}

/**
 * Is the new reading the nearer one? An earlier one of a shorter round trip stays until it may have drifted by more than the new one
 * may be wrong. When both cannot be true, a clock was set or a machine was suspended since, and the new one counts.
 */
function isBetter(reading: Reading, before: Reading): boolean {
  const drifted = before.error + drift * (reading.at - before.at)
  return reading.error <= drifted || Math.abs(reading.offset - before.offset) > reading.error + drifted
}
