/** Marks the logs and traces of work for a run. */
import { Effect } from "effect"
import type { RunId } from "../../schema/Ids.ts"

/** Annotates every log line of the work with `runId`, and every span with `plugfest.run_id`. */
export const ofRun =
  (runId: RunId) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    work.pipe(Effect.annotateLogs({ runId }), Effect.annotateSpans({ "plugfest.run_id": runId }))
