/** The entry of the command line; exit codes are in exitCode.ts. */
import { CliConfig, Command, ValidationError } from "@effect/cli"
import { NodeContext, NodeRuntime } from "@effect/platform-node"
import { Cause, Effect, Layer, Option } from "effect"
import { commandsFor } from "./commandTable.ts"
import { exitCodeOf, exitWith, teardown } from "./exitCode.ts"
import { plain, TerminalOutput } from "./Terminal.ts"

const plugfest = (commands: Effect.Effect.Success<ReturnType<typeof commandsFor>>) =>
  Command.make("plugfest").pipe(
    Command.withDescription(
      "Test OCPI partner integrations. Exit codes: 0 passed, done, or stopped by SIGTERM or Ctrl-C; 1 the partner, or the object, " +
        "is wrong; 2 wrong usage or configuration; 3 not enough could be judged; 4 authentication or plan; 5 the service could not " +
        "be reached or started; 130 interrupted"
    ),
    Command.withSubcommands(commands)
  )

const program = commandsFor(process.argv.slice(2)).pipe(
  Effect.flatMap((commands) =>
    Command.run(plugfest(commands), { name: "plugfest", version: "1.0.0" })(process.argv)
  ),
  Effect.catchAllCause((cause) =>
    Effect.gen(function* () {
      if (Cause.isInterruptedOnly(cause)) return
      const failure = Option.getOrUndefined(Cause.failureOption(cause))
      // The library has already printed what is wrong with the arguments.
      if (failure !== undefined && ValidationError.isValidationError(failure)) return yield* exitWith(2)
      const terminal = yield* TerminalOutput
      const tag = failure === undefined ? undefined : (failure as { readonly _tag?: string })._tag
      const message = failure instanceof Error ? failure.message : Cause.pretty(cause)
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

NodeRuntime.runMain(program, { disableErrorReporting: true, disablePrettyLogger: true, teardown })
