/**
 * The database's time of day, carried on by this process's monotonic clock, so that all processes agree. A wall clock
 * that is wrong or too fast is never held against a partner.
 */
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { Database } from "./Database.ts"
import type { DatabaseDown } from "./DatabaseDown.ts"
import type { Query } from "./statement.ts"

/** How often the database is asked for its time. */
export interface SharedTimeOptions {
  /** Default 10. */
  readonly everySeconds?: number
}

/** A sample with a longer round trip (milliseconds) is dropped, unless it is the first. */
const roundTripMillis = 500

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
export const takeSample = (
  query: Query<DatabaseDown>,
  { clock, sample }: SharedTime["Type"]
): Effect.Effect<void, DatabaseDown> =>
  Effect.gen(function* () {
    const before = clock.unsafeCurrentTimeNanos()
    const [row] = yield* query<{ readonly now: number }>({
      text: "select extract(epoch from clock_timestamp())::float8 * 1000 as now"
    })
    if (row !== undefined) sample(row.now, before, clock.unsafeCurrentTimeNanos())
  })

/** `base` supplies the monotonic clock and sleeping; its time of day counts only until the first sample. */
export function makeSharedTime(base: Clock.Clock): SharedTime["Type"] {
  let offsetMillis: number | undefined
  const monotonicMillis = () => Number(base.unsafeCurrentTimeNanos()) / 1e6
  const millis = () =>
    offsetMillis === undefined ? base.unsafeCurrentTimeMillis() : Math.floor(monotonicMillis() + offsetMillis)
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
      if (offsetMillis !== undefined && after - before > BigInt(roundTripMillis) * 1_000_000n) return
      offsetMillis = databaseMillis - Number(before + (after - before) / 2n) / 1e6
    }
  }
}
