/** Runs one sandbox partner in memory, without the service and its database. */
import { Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { SandboxActivity } from "../../../schema/Sandbox.ts"
import { faultIds, sandboxAlone } from "../../main.ts"
import { publicUrlOf } from "../../publicUrl.ts"
import { settingFlags, settingsFrom } from "../service/settingFlags.ts"
import { untilStopped } from "../terminal/exitCode.ts"
import { withRealPort } from "../terminal/freePort.ts"
import { logging } from "../terminal/logging.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** The newest OCPI version that a sandbox partner can use. */
const newest =
  versionsWhere(({ objects }) => objects.Location !== undefined).at(-1) ?? OcpiVersion.literals[0]

/**
 * `plugfest sandbox`: runs one sandbox partner in memory. Prints its versions URL and Token A as JSON, then runs until
 * it is interrupted.
 */
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
      Options.withDescription("the role of the partner; default: CPO"),
      Options.withDefault("CPO")
    ),
    version: Options.choice("ocpi-version", OcpiVersion.literals).pipe(
      Options.withDescription(`the OCPI version that it serves; default: ${newest}`),
      Options.withDefault(newest)
    ),
    faults: Options.text("fault").pipe(
      Options.withDescription("id of a fault to switch on; a wrong id lists all"),
      Options.repeated
    ),
    seed: Options.integer("seed").pipe(
      Options.withDescription("the same seed gives the same data"),
      Options.withDefault(1)
    ),
    speed: Options.float("speed").pipe(
      Options.withDescription("simulated seconds per real second"),
      Options.optional
    ),
    activity: Options.choice("activity", SandboxActivity.literals).pipe(
      Options.withDescription(
        "what it does by itself once registered: nothing, push its objects, or also read lists and charge"
      ),
      Options.withDefault("catalogue")
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      // A developer runs it beside the system under test, so loopback addresses are allowed by default.
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
        Effect.catchTag("UnfitFault", ({ id, message }) => new UsageError({ message: unfit(id, message) })),
        Effect.provide(logging(settings)),
        untilStopped
      )
    })
)

/** Why the fault cannot be switched on. There is no service to ask here, so the command itself lists the faults. */
const unfit = (id: string, message: string): string =>
  faultIds.includes(id)
    ? message
    : [
        message.replace("; GET /sandbox/faults lists them", ""),
        "There are:",
        ...faultIds.map((one) => `  ${one}`)
      ].join("\n")
