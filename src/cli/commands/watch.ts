/** Follows a run from its first event. */
import { Args, Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { ReportId, RunId } from "../../../schema/Ids.ts"
import { followConformance } from "../follow/followConformance.ts"
import { followJourney } from "../follow/followJourney.ts"
import { recoverOption } from "../follow/journeyTarget.ts"
import { sayItGoesOn } from "../follow/sayItGoesOn.ts"
import { tellReport } from "../follow/tellReport.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { exitCodeOfRun, exitWith } from "../terminal/exitCode.ts"

/** `plugfest watch`: follows a journey run, or by its report a run of either kind. Exit codes as of `plugfest journey` and `test`. */
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
      const report = given.run.startsWith("rep_")
        ? yield* service.api.testing.run({ path: { id: ReportId.make(given.run) }, urlParams: {} })
        : undefined
      if (report?.kind === "conformance") {
        const ended = yield* followConformance(service, report).pipe(
          Effect.onInterrupt(() => sayItGoesOn(report._id))
        )
        yield* tellReport(service, ended, given)
        return yield* exitWith(exitCodeOfRun(ended))
      }
      const id = report?.runId ?? RunId.make(given.run)
      const run = yield* service.api.journeyRuns.read({ path: { id } })
      yield* followJourney(service, run, { json: given.json, recover: Option.getOrUndefined(given.recover) })
    }).pipe(reaching)
)
