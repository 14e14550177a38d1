/** `plugfest serve`: the service, until it is told to stop. */
import { Command } from "@effect/cli"
import { Effect } from "effect"
import { publicUrlOf } from "../../layers.ts"
import { serve } from "../../main.ts"
import { untilStopped } from "../exitCode.ts"
import { withRealPort } from "../freePort.ts"
import { logFormatOf, logging } from "../logging.ts"
import { settingFlags, settingsFrom } from "../settingFlags.ts"
import { TerminalOutput } from "../Terminal.ts"

export const serveCommand = Command.make("serve", { flags: settingFlags() }, ({ flags }) =>
  Effect.gen(function* () {
    const terminal = yield* TerminalOutput
    const settings = yield* Effect.flatMap(settingsFrom(flags), withRealPort)
    const url = publicUrlOf(settings)
    // With JSON logs every line on stdout is JSON, this one too; and it is written whatever the level.
    const started =
      logFormatOf(settings) === "json"
        ? terminal.print(JSON.stringify({ message: "listening", url }))
        : terminal.print(`plugfest listening on ${url}`)
    return yield* serve(settings, started).pipe(Effect.provide(logging(settings)), untilStopped)
  })
).pipe(Command.withDescription("Start the service. Every setting is an environment variable and a flag."))
