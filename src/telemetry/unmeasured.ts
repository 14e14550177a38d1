/** What the library measures of its own fibers, and nobody reads. */
import { Effect, RuntimeFlags, RuntimeFlagsPatch } from "effect"

/** The work, and the fibers that it begins, without the library's counts of fibers. Our own metrics are kept. */
export const unmeasured: <A, E, R>(work: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R> =
  Effect.withRuntimeFlagsPatch(RuntimeFlagsPatch.disable(RuntimeFlags.RuntimeMetrics))
