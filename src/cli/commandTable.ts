/** The commands of `plugfest`: each is read when it is called, because most of a start is reading code. */
import { Command } from "@effect/cli"
import type { NodeContext } from "@effect/platform-node"
import { Effect } from "effect"
import type { TerminalOutput } from "./terminal/Terminal.ts"

/** A command whose file is read when it is needed. */
interface LateCommand {
  readonly name: string
  /** What it does, in a line of the overview. */
  readonly about: string
  /** What its own help says besides. */
  readonly more?: string
  readonly read: () => Promise<AnyCommand>
}

// biome-ignore lint/suspicious/noExplicitAny: name and arguments are invariant in the library's type, and each command has its own
type AnyCommand = Command.Command<any, NodeContext.NodeContext | TerminalOutput, unknown, any>

/** The commands by what one wants to do, in the order of the overview. */
export const commandGroups: ReadonlyArray<readonly [title: string, commands: ReadonlyArray<LateCommand>]> = [
  [
    "Begin",
    [
      {
        name: "demo",
        about: "See it work: service, sandbox partner, a suite, a journey",
        more: "It ends by itself.",
        read: async () => (await import("./commands/demo.ts")).demoCommand
      },
      {
        name: "serve",
        about: "Start the service",
        more: "Every setting is an environment variable and a flag; a flag wins.",
        read: async () => (await import("./commands/serve.ts")).serveCommand
      },
      {
        name: "open",
        about: "Open the console in a browser, signed in",
        more: "Prints a link that is good once.",
        read: async () => (await import("./commands/open.ts")).openCommand
      },
      {
        name: "doctor",
        about: "Look for what is in the way, and say what to do about it",
        more: "Looks at Node, data directory, disk, port, database, clock and public URL with the settings of this shell; with a URL also whether the service may call that partner.",
        read: async () => (await import("./commands/doctor.ts")).doctorCommand
      }
    ]
  ],
  [
    "Connect a partner",
    [
      {
        name: "connect",
        about: "Register with a partner, and print the connection's id",
        more: "A connection that failed before is tried again; one that is registered is said to be. Without a Token A, --invite makes the partner register with us.",
        read: async () => (await import("./commands/connect.ts")).connectCommand
      },
      {
        name: "connections",
        about: "List connections: the state of each, and what comes next",
        read: async () => (await import("./commands/connections.ts")).connectionsCommand
      },
      {
        name: "disconnect",
        about: "Unregister at a partner and remove the connection",
        more: "Its reports stay. A partner that is away is removed all the same.",
        read: async () => (await import("./commands/disconnect.ts")).disconnectCommand
      }
    ]
  ],
  [
    "Test",
    [
      {
        name: "suites",
        about: "List the conformance suites, or the checks of one",
        read: async () => (await import("./commands/suites.ts")).suitesCommand
      },
      {
        name: "test",
        about: "Grade a partner with a suite",
        more: "In GitHub Actions failed checks become annotations, and the report is added to the job's summary.",
        read: async () => (await import("./commands/test.ts")).testCommand
      },
      {
        name: "journeys",
        about: "List journeys, packs and scenarios, and which can be played",
        read: async () => (await import("./commands/journeys.ts")).journeysCommand
      },
      {
        name: "journey",
        about: "Play a journey or a pack with a partner",
        read: async () => (await import("./commands/journey.ts")).journeyCommand
      },
      {
        name: "watch",
        about: "Follow a run to its end; decide how an interrupted one goes on",
        read: async () => (await import("./commands/watch.ts")).watchCommand
      },
      {
        name: "scenario",
        about: "Journeys of your own: files, saved or played",
        read: async () => (await import("./commands/scenario.ts")).scenarioCommand
      },
      {
        name: "validate",
        about: "List every violation of one OCPI object in a JSON file",
        more: "Needs no service.",
        read: async () => (await import("./commands/validate.ts")).validateCommand
      }
    ]
  ],
  [
    "Read results",
    [
      {
        name: "runs",
        about: "List runs and their verdicts, the newest first",
        read: async () => (await import("./commands/runs.ts")).runsCommand
      },
      {
        name: "report",
        about: "Print or save a report",
        read: async () => (await import("./commands/report.ts")).reportCommand
      },
      {
        name: "compare",
        about: "Compare two runs, the earlier one first",
        read: async () => (await import("./commands/compare.ts")).compareCommand
      },
      {
        name: "verify",
        about: "Prove that the ledger of a run is what was recorded",
        more: "Recomputes its hashes, states and report, and names the first line that differs.",
        read: async () => (await import("./commands/verify.ts")).verifyCommand
      }
    ]
  ],
  [
    "Run the service",
    [
      {
        name: "keys",
        about: "Make, list, roll and revoke API keys; read their audit log",
        more: "Works on the database, so it needs no key.",
        read: async () => (await import("./commands/keys.ts")).keysCommand
      },
      {
        name: "secrets",
        about: "Encrypt stored partner secrets with a new key",
        more: "Works on the database, while servers run.",
        read: async () => (await import("./commands/secrets.ts")).secretsCommand
      },
      {
        name: "backup",
        about: "Copy keys and database into a folder, while the service runs",
        more: "One snapshot: nothing is changed, and no migration runs. The folder has its name only when it is whole.",
        read: async () => (await import("./commands/backup.ts")).backupCommand
      },
      {
        name: "restore",
        about: "Restore a backup into an empty database and data directory",
        more: "Every file is checked before anything is written. All is restored, or nothing. Backups of earlier versions are migrated.",
        read: async () => (await import("./commands/restore.ts")).restoreCommand
      },
      {
        name: "archive",
        about: "Move runs that ended into a folder or a bucket, or back",
        more: "Each becomes its signed export. Reports, streams and verify go on: they read it there.",
        read: async () => (await import("./commands/archive.ts")).archiveCommand
      },
      {
        name: "purge",
        about: "Delete runs that ended",
        more: "Each leaves a tombstone: when and why it was purged, the number of lines, and the hash of the last one.",
        read: async () => (await import("./commands/purge.ts")).purgeCommand
      },
      {
        name: "sandbox",
        about: "Run one sandbox partner alone, without the service",
        more: "Prints its versions URL and Token A as JSON.",
        read: async () => (await import("./commands/sandbox.ts")).sandboxCommand
      }
    ]
  ]
]

const table = commandGroups.flatMap(([, commands]) => commands)

/** The command with this name. */
export const commandNamed = (name: string): LateCommand | undefined => table.find((one) => one.name === name)

/** The names of all commands. */
export const commandNames: ReadonlyArray<string> = table.map(({ name }) => name)

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
