import { Effect, Option } from "effect"

const pollMillis = 50
/** Polls in all: five seconds. */
const pollAttempts = 100
/** Notify again every so many polls, once a second: NOTIFY can be lost, and a process that is claiming the run has no worker yet. */
const notifyEvery = 20

/**
 * Asks the process that works on a run for something, and polls until it shows. Either effect may answer; none after five
 * seconds without an answer.
 */
export const notifyAndPoll = <A, E, R, E2, R2>(
  notify: Effect.Effect<Option.Option<A>, E, R>,
  look: Effect.Effect<Option.Option<A>, E2, R2>
): Effect.Effect<Option.Option<A>, E | E2, R | R2> =>
  Effect.gen(function* () {
    for (let attempt = 0; attempt < pollAttempts; attempt++) {
      if (attempt % notifyEvery === 0) {
        const answered = yield* notify
        if (Option.isSome(answered)) return answered
      }
      yield* Effect.sleep(pollMillis)
      const found = yield* look
      if (Option.isSome(found)) return found
    }
    return Option.none()
  })
