/** Work for a run says so: on every line that it logs, and in every span of its trace. */
import { Effect } from "effect"
import type { RunId } from "../../schema/Ids.ts"

export const ofRun =
  (runId: RunId) =>
  <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    work.pipe(Effect.annotateLogs({ runId }), Effect.annotateSpans({ "plugfest.run_id": runId }))
