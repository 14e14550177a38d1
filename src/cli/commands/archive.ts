/** Moves ended runs into the archive and back, directly on the database, so no API key is needed. */
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { RunId } from "../../../schema/Ids.ts"
import { archiveRuns } from "../../operator.ts"
import { archiveSettings, databaseSettings, settingFlags, settingsFrom } from "../service/settingFlags.ts"
import { daysOf } from "../terminal/days.ts"
import { besideTheAnswer } from "../terminal/logging.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** `plugfest archive`: archives ended runs, or restores archived ones. Exit code 2 when a named run was kept where it is. */
export const archiveCommand = Command.make(
  "archive",
  {
    flags: settingFlags([...databaseSettings, ...archiveSettings, "encryptionKeys", "signingKeys"]),
    olderThan: Options.text("older-than").pipe(
      Options.withPseudoName("days"),
      Options.withDescription("archive runs that ended more than so many days ago, e.g. 30d"),
      Options.optional
    ),
    dryRun: Options.boolean("dry-run").pipe(
      Options.withDescription(
        "only print which runs would be archived, at most 1000, and say which objects no run needs; needs --older-than"
      )
    ),
    restore: Options.boolean("restore").pipe(
      Options.withDescription("put the lines of archived runs back into the database; needs run ids")
    ),
    json: Options.boolean("json").pipe(Options.withDescription("print the ids of the runs as JSON")),
    runs: Args.text({ name: "run-id" }).pipe(
      Args.withDescription("the id of a run to archive, or to restore"),
      Args.repeated
    )
  },
  Effect.fn(function* (given) {
    const terminal = yield* TerminalOutput
    const settings = yield* settingsFrom(given.flags)
    const days = Option.isNone(given.olderThan) ? undefined : yield* daysOf(given.olderThan.value)
    if (settings.archiveUrl === undefined)
      return yield* new UsageError({ message: "Say where runs are archived: --archive-url or ARCHIVE_URL" })
    if ((days === undefined) === (given.runs.length === 0))
      return yield* new UsageError({ message: "Give either run ids or --older-than" })
    if (given.dryRun && days === undefined)
      return yield* new UsageError({ message: "--dry-run needs --older-than" })
    if (given.restore && days !== undefined)
      return yield* new UsageError({ message: "--restore needs run ids" })
    const what = given.restore ? "restore" : "archive"
    const { kept, leftovers, moved, place } = yield* archiveRuns(settings, {
      what,
      days,
      runs: given.runs.map((id) => RunId.make(id)),
      dryRun: given.dryRun
    })
    if (given.json)
      yield* terminal.print(JSON.stringify({ dryRun: given.dryRun, what, runs: moved, leftovers, kept }))
    else for (const id of moved) yield* terminal.print(plain(id))
    const done = given.restore ? "restored from" : given.dryRun ? "would be archived in" : "archived in"
    const runs = `${moved.length} ${moved.length === 1 ? "run" : "runs"}`
    yield* terminal.say(`${runs} ${done} ${plain(place ?? "")}`)
    for (const name of leftovers) yield* terminal.say(`No run needs ${plain(name)}; it will be removed`)
    for (const { runId, why } of kept) yield* terminal.say(`${plain(runId)} stays where it is: ${plain(why)}`)
    if (kept.length > 0)
      return yield* new UsageError({
        message: `Not ${given.restore ? "restored" : "archived"}: ${kept.map(({ runId }) => plain(runId)).join(", ")}`
      })
  })
).pipe(Command.provide(besideTheAnswer))
