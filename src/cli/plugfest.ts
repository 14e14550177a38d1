/** The entry of the command line; exit codes are in exitCode.ts. */
import { CliConfig, Command, ValidationError } from "@effect/cli"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Cause, Console, Effect, Layer, Option } from "effect"
import { commandsFor } from "./commandTable.ts"
import { completionScript } from "./help/completionScript.ts"
import { helpAskedFor, printHelp } from "./help/helpFor.ts"
import { mistake, unknownCommand } from "./help/mistakes.ts"
import { columnsOf, wrap } from "./help/wrap.ts"
import { asCommands } from "./terminal/asCommands.ts"
import { exitCodeOf, exitWith, teardown } from "./terminal/exitCode.ts"
import { endOnHangUp } from "./terminal/hangUp.ts"
import { plain, TerminalOutput } from "./terminal/Terminal.ts"
import { UsageError } from "./terminal/UsageError.ts"

const version = "1.0.0"
const args = process.argv.slice(2)

const plugfest = (commands: Effect.Effect.Success<ReturnType<typeof commandsFor>>) =>
  Command.make("plugfest").pipe(Command.withSubcommands(commands))

const run = Effect.gen(function* () {
  const asked = helpAskedFor(args)
  const unknown = unknownCommand(asked ?? args)
  if (unknown !== undefined) return yield* new UsageError({ message: unknown })
  if (asked !== undefined) return yield* printHelp(asked, version)
  const command = Command.run(plugfest(yield* commandsFor(args)), { name: "plugfest", version })
  // The library's own words about wrong arguments are not shown: `mistake` has better ones.
  return yield* Console.consoleWith((console) =>
    Effect.withConsole(command(process.argv), {
      ...console,
      log: (...parts) =>
        console.log(...parts.map((part) => (typeof part === "string" ? completionScript(part) : part))),
      error: () => Effect.void
    })
  )
})

const program = run.pipe(
  Effect.catchAllCause((cause) =>
    Effect.gen(function* () {
      if (Cause.isInterruptedOnly(cause)) return
      const failure = Option.getOrUndefined(Cause.failureOption(cause))
      const terminal = yield* TerminalOutput
      if (failure !== undefined && ValidationError.isValidationError(failure)) {
        const text = yield* mistake(failure, args)
        const lines = process.stderr.isTTY === true ? wrap(text, columnsOf(process.stderr)) : [text]
        for (const line of lines) yield* terminal.say(line)
        return yield* exitWith(2)
      }
      const tag = failure === undefined ? undefined : (failure as { readonly _tag?: string })._tag
      const message = failure instanceof Error ? asCommands(failure.message) : Cause.pretty(cause)
      yield* terminal.say(message.split("\n").map(plain).join("\n"))
      yield* exitWith(exitCodeOf(tag))
    })
  ),
  Effect.provide(
    Layer.mergeAll(
      TerminalOutput.layer,
      NodeContext.layer,
      CliConfig.layer({ showBuiltIns: false, finalCheckBuiltIn: false })
    )
  )
)

// EPIPE: a reader such as `head` has seen enough and closed the pipe. EIO: the terminal was closed. Neither is a failure of the command,
// which goes on to its own exit code.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE" && error.code !== "EIO") throw error
  })
endOnHangUp()

NodeRuntime.runMain(program, { disableErrorReporting: true, disablePrettyLogger: true, teardown })
