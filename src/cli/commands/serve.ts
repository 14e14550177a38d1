/** Starts the service and runs it until SIGTERM or Ctrl-C. */
import { Command } from "@effect/cli"
import { Effect } from "effect"
import { headStart } from "../../headStart.ts"
import { publicUrlOf } from "../../publicUrl.ts"
import { serveWithEngine } from "../launch/engine.ts"
import { withoutSecrets } from "../launch/secretFlags.ts"
import { settingFlags, settingsFrom } from "../service/settingFlags.ts"
import { untilStopped } from "../terminal/exitCode.ts"
import { withRealPort } from "../terminal/freePort.ts"
import { logFormatOf, logging } from "../terminal/logging.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"

/** `plugfest serve`: starts the service. Ends with 0 on SIGTERM or Ctrl-C. */
export const serveCommand = Command.make("serve", { flags: settingFlags() }, ({ flags }) =>
  Effect.gen(function* () {
    const terminal = yield* TerminalOutput
    const settings = yield* Effect.flatMap(settingsFrom(flags), withRealPort)
    const url = publicUrlOf(settings)
    // With JSON logs every line on stdout must be JSON. Printed, not logged, so that it does not depend on LOG_LEVEL.
    const address = publicUrlOf({ ...settings, publicUrl: undefined })
    const started =
      logFormatOf(settings) === "json"
        ? terminal.print(
            JSON.stringify({ message: "listening", url, ...(address === url ? {} : { address }) })
          )
        : terminal.print(
            address === url
              ? `plugfest listening on ${url}`
              : `plugfest listening on ${address}, reached at ${url}`
          )
    // The link signs in whoever opens it, so it is printed on a terminal and never written to a log.
    const isSeen = process.stdout.isTTY === true && logFormatOf(settings) === "pretty"
    const offered = (makeLink: Effect.Effect<string | undefined>) =>
      Effect.flatMap(isSeen ? makeLink : Effect.succeed(undefined), (link) =>
        link === undefined
          ? Effect.void
          : terminal.print(
              `Open the console, signed in (once, within 10 minutes; another link: plugfest open):\n  ${link}`
            )
      )
    const listening = Effect.zipRight(Effect.sync(serveWithEngine), started)
    return yield* Effect.gen(function* () {
      for (const flag of withoutSecrets(process.argv.slice(2)).flags) yield* Effect.logWarning(seenFlag(flag))
      // Before most of the code is read, because Postgres gets ready meanwhile.
      yield* headStart(settings)
      const { serve } = yield* Effect.promise(() => import("../../main.ts"))
      return yield* serve(settings, (makeLink) => Effect.zipRight(listening, offered(makeLink)))
    }).pipe(Effect.scoped, Effect.provide(logging(settings)), untilStopped)
  })
)

const seenFlag = (flag: string): string =>
  `--${flag} is a secret: other users of the machine may see the arguments of a process as it starts, and shells keep them. Set ${flag.toUpperCase().replaceAll("-", "_")} instead.`
