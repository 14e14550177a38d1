/** Makes a backup, directly of the database, so no API key is needed. */
import { Args, Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { makeBackup } from "../../operator.ts"
import { archiveSettings, databaseSettings, settingFlags, settingsFrom } from "../service/settingFlags.ts"
import { exitWith } from "../terminal/exitCode.ts"
import { besideTheAnswer } from "../terminal/logging.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"

/**
 * `plugfest backup`: keys and database in one folder. Exit code 1 when the backup is made of runs that are not intact, or of
 * secrets that the keys do not decrypt.
 */
export const backupCommand = Command.make(
  "backup",
  {
    flags: settingFlags([...databaseSettings, ...archiveSettings, "encryptionKeys", "signingKeys"]),
    withoutKeys: Options.boolean("without-keys").pipe(
      Options.withDescription("leave the keys out; a restore then needs ENCRYPTION_KEYS and SIGNING_KEYS")
    ),
    json: Options.boolean("json").pipe(Options.withDescription("print what the backup holds as JSON")),
    folder: Args.text({ name: "folder" }).pipe(
      Args.withDescription("where the backup is written; a folder that does not exist yet")
    )
  },
  Effect.fn(function* (given) {
    const terminal = yield* TerminalOutput
    const { folder, leftOut, manifest, unreadable } = yield* makeBackup(yield* settingsFrom(given.flags), {
      folder: given.folder,
      withKeys: !given.withoutKeys,
      onStep: (step) => terminal.status(`  ${step}`)
    })
    const { archive, keys, lines, madeAt, notIntact, runs, tables } = manifest
    const rows = tables.reduce((sum, table) => sum + table.rows, 0)
    yield* terminal.print(
      given.json
        ? JSON.stringify({
            folder,
            madeAt,
            tables: tables.length,
            rows,
            runs,
            lines,
            archive,
            keys,
            notIntact,
            unreadable,
            leftOut
          })
        : plain(folder)
    )
    yield* terminal.say(`${tables.length} tables with ${rows} rows, as they were at ${madeAt}`)
    yield* terminal.say(
      `${runs} ${runs === 1 ? "run" : "runs"} with ${lines} lines, verified up to the hash of the last one`
    )
    if (archive !== undefined && archive.runs > 0)
      yield* terminal.say(
        `The ${archive.lines} lines of ${archive.runs} archived ${archive.runs === 1 ? "run" : "runs"} are not in it: they are in ${plain(archive.place ?? "the archive")}, of which you make a copy of its own`
      )
    yield* terminal.say(
      keys
        ? "The keys are in the folder: whoever can read it can read the tokens of partners and sign exports. Store it where only you can"
        : "The keys are not in the folder: without them no secret of a partner in it can be read"
    )
    if (leftOut.length > 0)
      yield* terminal.say(`Not in it, because plugfest did not make them: ${leftOut.map(plain).join(", ")}`)
    for (const { message, runId } of notIntact)
      yield* terminal.say(`NOT INTACT  ${plain(runId)}: ${plain(message)}`)
    for (const message of unreadable) yield* terminal.say(plain(message))
    if (notIntact.length + unreadable.length > 0) yield* exitWith(1)
  })
).pipe(Command.provide(besideTheAnswer))
