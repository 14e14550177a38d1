/** Work that is repeated. */
import { Effect, Schedule, type Scope } from "effect"

/** Does the work now and each time after so many seconds, for as long as the scope is open. */
export const every = (seconds: number, work: Effect.Effect<void>): Effect.Effect<void, never, Scope.Scope> =>
  Effect.asVoid(Effect.forkScoped(Effect.schedule(work, Schedule.spaced(`${seconds * 1000} millis`))))
