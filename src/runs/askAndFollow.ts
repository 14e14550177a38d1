import { Effect, Option, Schedule, Stream } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { Feed } from "../ledger/feed/feed.ts"

/** Time between two requests: a notification can be lost, and a process that is claiming the run has no worker yet. */
const askEvery = "250 millis"
const limit = "5 seconds"

/** What is wanted of the process that works on a run. */
interface AskedElsewhere<A, E, R, E2, R2> {
  readonly runId: RunId
  /** Position of the run's last event that needs no look. */
  readonly after: number
  /** Asks for it, and may have the answer at once. Safe to repeat. */
  readonly ask: Effect.Effect<Option.Option<A>, E, R>
  /** Looks for the answer in the run; none if it is not there yet. */
  readonly look: Effect.Effect<Option.Option<A>, E2, R2>
}

/**
 * Asks the process that works on a run for something, four times a second, and follows the run: each event is a reason to look
 * for the answer. None after five seconds without one.
 */
export const askAndFollow = Effect.fnUntraced(function* <A, E, R, E2, R2>({
  after,
  ask,
  look,
  runId
}: AskedElsewhere<A, E, R, E2, R2>) {
  const feed = yield* Feed
  const asked = Stream.repeatEffectWithSchedule(ask, Schedule.spaced(askEvery))
  // One look for all events that have come meanwhile.
  const shown = feed.follow(runId, after).pipe(
    Stream.chunks,
    Stream.mapEffect(() => look)
  )
  const answers = Stream.merge(asked, shown).pipe(Stream.filterMap((answer) => answer))
  return Option.flatten(yield* Effect.timeoutOption(Stream.runHead(answers), limit))
})
