/** The commands of `plugfest`: each is read when it is called, because most of a start is reading code. */
import { Command } from "@effect/cli"
import type { NodeContext } from "@effect/platform-node"
import { Effect } from "effect"
import type { TerminalOutput } from "./Terminal.ts"

/** A command whose file is read when it is needed. */
interface LateCommand {
  readonly name: string
  /** What it does, and its exit codes where they are its own. */
  readonly about: string
  readonly read: () => Promise<AnyCommand>
}

// biome-ignore lint/suspicious/noExplicitAny: name and arguments are invariant in the library's type, and each command has its own
type AnyCommand = Command.Command<any, NodeContext.NodeContext | TerminalOutput, unknown, any>

const table: ReadonlyArray<LateCommand> = [
  {
    name: "serve",
    about: "Start the service. Every setting is an environment variable and a flag.",
    read: async () => (await import("./commands/serve.ts")).serveCommand
  },
  {
    name: "open",
    about: "Open the console in a browser, signed in: prints a link that is good once",
    read: async () => (await import("./commands/open.ts")).openCommand
  },
  {
    name: "demo",
    about: "Run the service, a suite and a journey against a sandbox partner; ends by itself",
    read: async () => (await import("./commands/demo.ts")).demoCommand
  },
  {
    name: "keys",
    about: "Manage API keys and read their audit log",
    read: async () => (await import("./commands/keys.ts")).keysCommand
  },
  {
    name: "purge",
    about:
      "Purge ended runs. Each leaves a tombstone: when and why it was purged, the number of lines, and the hash of the last one",
    read: async () => (await import("./commands/purge.ts")).purgeCommand
  },
  {
    name: "secrets",
    about: "Manage the encryption of stored partner secrets",
    read: async () => (await import("./commands/secrets.ts")).secretsCommand
  },
  {
    name: "sandbox",
    about: "Run one sandbox partner without the service; prints its versions URL and Token A as JSON",
    read: async () => (await import("./commands/sandbox.ts")).sandboxCommand
  },
  {
    name: "validate",
    about:
      "List every violation of an OCPI object in a JSON file. Exit code 0: valid; 1: invalid; 2: wrong usage or unreadable file",
    read: async () => (await import("./commands/validate.ts")).validateCommand
  },
  {
    name: "verify",
    about:
      "Recompute the hashes, states and report of a run and name the first line that differs. Exit code 0: intact; 1: " +
      "something differs; 2: wrong usage or unreadable file",
    read: async () => (await import("./commands/verify.ts")).verifyCommand
  },
  {
    name: "connect",
    about:
      "Create a connection to a partner and run the handshake; prints the connection's id. Exit code 1: the partner broke the " +
      "protocol; 3: it could not be reached, or refused the token",
    read: async () => (await import("./commands/connect.ts")).connectCommand
  },
  {
    name: "suites",
    about: "List the conformance suites of a running service",
    read: async () => (await import("./commands/suites.ts")).suitesCommand
  },
  {
    name: "test",
    about:
      "Grade a partner. Exit code 0: passed; 1: the partner is wrong; 3: not enough could be judged. In GitHub Actions failed " +
      "checks become annotations, and the report is added to the job summary",
    read: async () => (await import("./commands/test.ts")).testCommand
  },
  {
    name: "report",
    about: "Print a report. The exit code says only whether it could be read, not its verdict",
    read: async () => (await import("./commands/report.ts")).reportCommand
  },
  {
    name: "compare",
    about: "Compare two runs, the earlier one first. Exit code 1: a check fails that did not fail before",
    read: async () => (await import("./commands/compare.ts")).compareCommand
  },
  {
    name: "journeys",
    about: "List journeys, packs and saved scenarios; for a target, whether they can be run",
    read: async () => (await import("./commands/journeys.ts")).journeysCommand
  },
  {
    name: "journey",
    about:
      "Play a journey with a partner. Exit code 0: passed; 1: the partner is wrong; 3: interrupted, or not enough could be judged",
    read: async () => (await import("./commands/journey.ts")).journeyCommand
  },
  {
    name: "watch",
    about:
      "Follow a journey run to its end, and with --recover decide how it continues after an interruption",
    read: async () => (await import("./commands/watch.ts")).watchCommand
  },
  {
    name: "scenario",
    about: "Scenarios: journeys with inputs, limits, assertions and faults, as files or saved in the service",
    read: async () => (await import("./commands/scenario.ts")).scenarioCommand
  }
]

/**
 * The commands for these arguments: the one that they call with all that it takes, the others by name and description.
 * Completions are made of all of them.
 */
export const commandsFor = (
  args: ReadonlyArray<string>
): Effect.Effect<[AnyCommand, ...Array<AnyCommand>]> => {
  const whole = args.some((arg) => /^--(completions|wizard)(=|$)/.test(arg))
  const called = args.find((arg) => table.some(({ name }) => name === arg))
  const [first, ...others] = table.map(({ about, name, read }) =>
    Effect.map(
      whole || name === called ? Effect.promise(read) : Effect.succeed<AnyCommand>(Command.make(name)),
      Command.withDescription(about)
    )
  )
  return Effect.all([first!, ...others])
}
