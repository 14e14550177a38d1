/** `plugfest sandbox`: one sandbox partner alone, in memory, as a process of its own. */
import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { SandboxActivity } from "../../../schema/Sandbox.ts"
import { publicUrlOf } from "../../layers.ts"
import { sandboxAlone } from "../../main.ts"
import { untilStopped } from "../exitCode.ts"
import { withRealPort } from "../freePort.ts"
import { logging } from "../logging.ts"
import { settingFlags, settingsFrom } from "../settingFlags.ts"
import { TerminalOutput } from "../Terminal.ts"
import { UsageError } from "../UsageError.ts"

/** The newest version that a partner can be played in. */
const newest =
  versionsWhere(({ objects }) => objects.Location !== undefined).at(-1) ?? OcpiVersion.literals[0]

export const sandboxCommand = Command.make(
  "sandbox",
  {
    flags: settingFlags([
      "port",
      "host",
      "publicUrl",
      "egressAllowCidrs",
      "partnerTimeoutSeconds",
      "logLevel",
      "logFormat"
    ]),
    role: Options.choice("role", ["CPO", "EMSP"]).pipe(
      Options.withDescription("what it plays"),
      Options.withDefault("CPO")
    ),
    version: Options.choice("ocpi-version", OcpiVersion.literals).pipe(Options.withDefault(newest)),
    faults: Options.text("fault").pipe(
      Options.withDescription("id of a fault from GET /sandbox/faults; may be given several times"),
      Options.repeated
    ),
    seed: Options.integer("seed").pipe(
      Options.withDescription("the same seed gives the same data"),
      Options.withDefault(1)
    ),
    speed: Options.float("speed").pipe(
      Options.withDescription("simulated seconds per second"),
      Options.optional
    ),
    activity: Options.choice("activity", SandboxActivity.literals).pipe(
      Options.withDescription("what it does of its own accord: nothing, send what it has, or charge as well"),
      Options.withDefault("catalogue")
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      // It is run by a developer beside the system under test: loopback is where its counterpart lives.
      const preset =
        process.env["EGRESS_ALLOW_CIDRS"] === undefined ? { egressAllowCidrs: "127.0.0.0/8,::1/128" } : {}
      const settings = yield* Effect.flatMap(
        settingsFrom(given.flags, { port: "0", ...preset }),
        withRealPort
      )
      const order = {
        theirRole: given.role,
        ocpiVersion: given.version,
        faults: given.faults,
        seed: given.seed,
        activity: given.activity,
        ...Option.match(given.speed, { onNone: () => ({}), onSome: (speed) => ({ speed }) })
      }
      return yield* sandboxAlone(settings, order, (partner) =>
        Effect.zipRight(
          terminal.say(
            `Sandbox ${given.role}, OCPI ${given.version}, on ${publicUrlOf(settings)}. Ctrl-C ends it.`
          ),
          terminal.print(JSON.stringify(partner))
        )
      ).pipe(
        Effect.catchTag("UnfitFault", ({ message }) => new UsageError({ message })),
        Effect.provide(logging(settings)),
        untilStopped
      )
    })
).pipe(Command.withDescription("Run one sandbox partner alone; prints its versions URL and Token A as JSON"))
