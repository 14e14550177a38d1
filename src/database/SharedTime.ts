/**
 * The time of day as all processes on one database have it: the database's, carried on by this process's monotonic clock.
 * A wall clock that is wrong, or runs too fast, is never held against a partner, and two processes never disagree.
 */
import { Clock, Context, Effect, Layer, Schedule } from "effect"
import { Database } from "./Database.ts"

export interface SharedTimeOptions {
  /** Default 10. */
  readonly everySeconds?: number
}

/** Longest round trip in milliseconds that still says what time it is, unless nothing better was ever heard. */
const roundTripMillis = 500

export class SharedTime extends Context.Tag("database/SharedTime")<
  SharedTime,
  {
    /** Until the database was asked for the first time, as the clock that it was made from. Sleeps as that one does. */
    readonly clock: Clock.Clock
    /** Says what the database's clock showed between two readings of the monotonic one, in nanoseconds. */
    readonly sample: (databaseMillis: number, before: bigint, after: bigint) => void
  }
>() {
  /** From now on, for whatever is built with it, the clock is the shared one. It still has to be told the time. */
  static readonly layer: Layer.Layer<SharedTime> = Layer.unwrapEffect(
    Effect.map(Effect.clock, (base) => {
      const time = makeSharedTime(base)
      return Layer.merge(Layer.succeed(SharedTime, time), Layer.setClock(time.clock))
    })
  )

  /** Asks the database now and then. While it is away, time goes on. */
  static readonly followed = ({
    everySeconds = 10
  }: SharedTimeOptions = {}): Layer.Layer<never, never, SharedTime | Database> =>
    Layer.scopedDiscard(
      Effect.gen(function* () {
        const { clock, sample } = yield* SharedTime
        const { attempt } = yield* Database
        const ask = Effect.gen(function* () {
          const before = clock.unsafeCurrentTimeNanos()
          const [row] = yield* attempt<{ readonly now: number }>({
            text: "select extract(epoch from clock_timestamp())::float8 * 1000 as now"
          })
          if (row !== undefined) sample(row.now, before, clock.unsafeCurrentTimeNanos())
        }).pipe(Effect.ignore)
        yield* ask
        yield* Effect.forkScoped(Effect.schedule(ask, Schedule.spaced(`${everySeconds} seconds`)))
      })
    )
}

/** `base` counts and sleeps; its time of day is only what there is until the first sample. */
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
