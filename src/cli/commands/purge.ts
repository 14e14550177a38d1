/** Purges ended runs, directly in the database, so no API key is needed. */
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { RunId } from "../../../schema/Ids.ts"
import { purgeRuns } from "../../operator.ts"
import { archiveSettings, databaseSettings, settingFlags, settingsFrom } from "../service/settingFlags.ts"
import { daysOf } from "../terminal/days.ts"
import { besideTheAnswer } from "../terminal/logging.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** `plugfest purge`: purges ended runs, directly in the database. Exit code 2 when a named run could not be purged. */
export const purgeCommand = Command.make(
  "purge",
  {
    flags: settingFlags([...databaseSettings, ...archiveSettings, "encryptionKeys", "signingKeys"]),
    olderThan: Options.text("older-than").pipe(
      Options.withPseudoName("days"),
      Options.withDescription(
        "purge runs that ended more than so many days ago, e.g. 90d, and exchanges outside of runs of that age"
      ),
      Options.optional
    ),
    dryRun: Options.boolean("dry-run").pipe(
      Options.withDescription("only print which runs would be purged, at most 10000; needs --older-than")
    ),
    json: Options.boolean("json").pipe(
      Options.withDescription("print the ids of the runs, and how many exchanges, as JSON")
    ),
    runs: Args.text({ name: "run-id" }).pipe(Args.withDescription("the id of a run to purge"), Args.repeated)
  },
  Effect.fn(function* (given) {
    const terminal = yield* TerminalOutput
    const days = Option.isNone(given.olderThan) ? undefined : yield* daysOf(given.olderThan.value)
    if ((days === undefined) === (given.runs.length === 0))
      return yield* new UsageError({ message: "Give either run ids or --older-than" })
    if (given.dryRun && days === undefined)
      return yield* new UsageError({ message: "--dry-run needs --older-than" })
    const { exchanges, kept, purged } = yield* purgeRuns(yield* settingsFrom(given.flags), {
      days,
      runs: given.runs.map((id) => RunId.make(id)),
      dryRun: given.dryRun
    })
    if (given.json)
      yield* terminal.print(
        JSON.stringify({ dryRun: given.dryRun, runs: purged, exchanges, notPurged: kept })
      )
    else for (const id of purged) yield* terminal.print(plain(id))
    const done = given.dryRun ? "would be purged" : "purged"
    yield* terminal.say(`${purged.length} ${purged.length === 1 ? "run" : "runs"} ${done}`)
    if (days !== undefined)
      yield* terminal.say(
        `${exchanges} ${exchanges === 1 ? "exchange" : "exchanges"} outside of runs ${done}`
      )
    if (kept.length > 0)
      return yield* new UsageError({
        message: `Not purged, because the run is unknown or has not ended: ${kept.map(plain).join(", ")}`
      })
  })
).pipe(Command.provide(besideTheAnswer))
