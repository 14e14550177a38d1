/** `plugfest serve`: the service, until it is told to stop. */
import { Command } from "@effect/cli"
import { Effect } from "effect"
import { serve } from "../../main.ts"
import { settingFlags, settingsFrom } from "../settingFlags.ts"

export const serveCommand = Command.make("serve", { flags: settingFlags() }, ({ flags }) =>
  Effect.flatMap(settingsFrom(flags), serve)
).pipe(Command.withDescription("Start the service. Every setting is an environment variable and a flag."))
