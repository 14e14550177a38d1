/** Follows a journey run from its first event. */
import { Args, Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { RunId } from "../../../schema/Ids.ts"
import { followJourney } from "../follow/followJourney.ts"
import { recoverOption } from "../journeyTarget.ts"
import { reaching } from "../reaching.ts"
import { serviceFlags, serviceOf } from "../serviceFlags.ts"

/** `plugfest watch`: follows a journey run. Exit codes as of `plugfest journey`. */
export const watchCommand = Command.make(
  "watch",
  {
    ...serviceFlags,
    run: Args.text({ name: "run" }).pipe(Args.withDescription("a run id or a report id")),
    recover: recoverOption
  },
  (given) =>
    Effect.gen(function* () {
      const service = yield* serviceOf(given)
      const run = yield* service.api.journeyRuns.read({ path: { id: RunId.make(given.run) } })
      yield* followJourney(service, run, { json: given.json, recover: Option.getOrUndefined(given.recover) })
    }).pipe(reaching)
)
