/** Restores a backup into an empty database and an empty data directory. */
import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { restoreBackup } from "../../operator.ts"
import { archiveSettings, databaseSettings, settingFlags, settingsFrom } from "../service/settingFlags.ts"
import { exitWith } from "../terminal/exitCode.ts"
import { besideTheAnswer } from "../terminal/logging.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"

/**
 * `plugfest restore`: fills an empty database and an empty DATA_DIR from a backup. Exit code 1 when it was restored with runs
 * that are not intact, or with secrets that the keys do not decrypt.
 */
export const restoreCommand = Command.make(
  "restore",
  {
    flags: settingFlags([...databaseSettings, ...archiveSettings, "encryptionKeys", "signingKeys"]),
    json: Options.boolean("json").pipe(Options.withDescription("print what was restored as JSON")),
    folder: Args.text({ name: "folder" }).pipe(
      Args.withDescription("a folder that plugfest backup has written")
    )
  },
  Effect.fn(function* (given) {
    const terminal = yield* TerminalOutput
    const {
      archive,
      keysIn,
      manifest,
      runs: verified,
      unreadable
    } = yield* restoreBackup(yield* settingsFrom(given.flags), given.folder, (step) =>
      terminal.status(`  ${step}`)
    )
    const { madeAt, tables } = manifest
    const { archived, lines, notIntact, runs } = verified
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    if (given.json)
      yield* terminal.print(
        JSON.stringify({
          madeAt,
          tables: tables.length,
          rows,
          runs,
          lines,
          archived,
          archive: archive ?? null,
          keysIn: keysIn ?? null,
          notIntact,
          unreadable
        })
      )
    else yield* terminal.print(`restored as of ${madeAt}: ${tables.length} tables with ${rows} rows`)
    yield* terminal.say(
      `${runs} ${runs === 1 ? "run" : "runs"} with ${lines} lines, verified up to the hash of the last one`
    )
    if (archived.runs > 0) {
      const archivedRuns = `${archived.runs} archived ${archived.runs === 1 ? "run" : "runs"} with ${archived.lines} lines`
      yield* terminal.say(
        archive === undefined
          ? `${archivedRuns} not looked at: give ARCHIVE_URL, where they are (${plain(manifest.archive?.place ?? "unknown")})`
          : `${archivedRuns}, ${archive.intact} of them verified where they are`
      )
    }
    if (archive?.stopped !== undefined) yield* terminal.say(plain(archive.stopped))
    for (const { message } of archive?.damaged ?? []) yield* terminal.say(`NOT INTACT  ${plain(message)}`)
    if (keysIn !== undefined) yield* terminal.say(`The keys are in ${plain(keysIn)}`)
    for (const { message, runId } of notIntact)
      yield* terminal.say(`NOT INTACT when the backup was made  ${plain(runId)}: ${plain(message)}`)
    for (const message of unreadable) yield* terminal.say(plain(message))
    const notRead = (archive?.damaged.length ?? 0) + (archive?.stopped === undefined ? 0 : 1)
    if (notIntact.length + unreadable.length + notRead > 0) yield* exitWith(1)
  })
).pipe(Command.provide(besideTheAnswer))
