/** Restores a backup into an empty database and an empty data directory. */
import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { restoreBackup } from "../../operator.ts"
import { databaseSettings, settingFlags, settingsFrom } from "../service/settingFlags.ts"
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
    flags: settingFlags([...databaseSettings, "encryptionKeys", "signingKeys"]),
    json: Options.boolean("json").pipe(Options.withDescription("print what was restored as JSON")),
    folder: Args.text({ name: "folder" }).pipe(
      Args.withDescription("a folder that plugfest backup has written")
    )
  },
  Effect.fn(function* (given) {
    const terminal = yield* TerminalOutput
    const {
      keysIn,
      manifest,
      runs: verified,
      unreadable
    } = yield* restoreBackup(yield* settingsFrom(given.flags), given.folder, (step) =>
      terminal.status(`  ${step}`)
    )
    const { madeAt, tables } = manifest
    const { lines, notIntact, runs } = verified
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    if (given.json)
      yield* terminal.print(
        JSON.stringify({
          madeAt,
          tables: tables.length,
          rows,
          runs,
          lines,
          keysIn: keysIn ?? null,
          notIntact,
          unreadable
        })
      )
    else yield* terminal.print(`restored as of ${madeAt}: ${tables.length} tables with ${rows} rows`)
    yield* terminal.say(
      `${runs} ${runs === 1 ? "run" : "runs"} with ${lines} lines, verified up to the hash of the last one`
    )
    if (keysIn !== undefined) yield* terminal.say(`The keys are in ${plain(keysIn)}`)
    for (const { message, runId } of notIntact)
      yield* terminal.say(`NOT INTACT when the backup was made  ${plain(runId)}: ${plain(message)}`)
    for (const message of unreadable) yield* terminal.say(plain(message))
    if (notIntact.length + unreadable.length > 0) yield* exitWith(1)
  })
).pipe(Command.provide(besideTheAnswer))
