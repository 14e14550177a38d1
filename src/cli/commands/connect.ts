/** `plugfest connect`: registers a partner's endpoint with a running service and shakes hands. */
import { Args, Command, Options } from "@effect/cli"
import { Data, Effect, Option, Redacted } from "effect"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { reaching } from "../reaching.ts"
import { serviceFlags, serviceOf } from "../serviceFlags.ts"
import { shakeHands } from "../shakeHands.ts"
import { TerminalOutput } from "../Terminal.ts"
import { UsageError } from "../UsageError.ts"

/** The partner broke the protocol. */
class PartnerWrong extends Data.TaggedError("PartnerWrong")<{ readonly message: string }> {}
/** No handshake, and it may not be the partner's fault: its name, the way there, or the token that we were given. */
class CannotJudge extends Data.TaggedError("CannotJudge")<{ readonly message: string }> {}

const roles = ["CPO", "EMSP"] as const
const defaultVariable = "PARTNER_TOKEN"

export const connectCommand = Command.make(
  "connect",
  {
    ...serviceFlags,
    partner: Args.text({ name: "versions-url" }).pipe(
      Args.withDescription("the partner's versions endpoint")
    ),
    tokenEnv: Options.text("token-env").pipe(
      Options.withDescription("the environment variable that holds the Token A which the partner gave you"),
      Options.withDefault(defaultVariable)
    ),
    theirRole: Options.choice("their-role", roles).pipe(Options.withDescription("what the partner is")),
    ourRole: Options.choice("our-role", roles).pipe(
      Options.withDescription("what plugfest plays; default: the other one"),
      Options.optional
    ),
    version: Options.choice("ocpi-version", OcpiVersion.literals),
    label: Options.text("label").pipe(
      Options.withDescription("a name for it; plugfest test takes it, too"),
      Options.optional
    ),
    environment: Options.choice("environment", ["test", "production"]).pipe(
      Options.withDescription("in production no check that writes is run"),
      Options.withDefault("test" as const)
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      const token = process.env[given.tokenEnv] ?? ""
      if (token === "")
        return yield* new UsageError({
          message: `Put the partner's Token A into the environment variable ${given.tokenEnv}, or name another with --token-env`
        })
      const { api } = yield* serviceOf(given)
      const created = yield* api.connections.create({
        headers: {},
        payload: {
          partnerBaseUrl: given.partner,
          theirRole: given.theirRole,
          ourRole: Option.getOrElse(given.ourRole, () => (given.theirRole === "CPO" ? "EMSP" : "CPO")),
          ocpiVersion: given.version,
          tokenA: Redacted.make(token),
          environment: given.environment,
          ...Option.match(given.label, { onNone: () => ({}), onSome: (label) => ({ label }) })
        }
      })
      yield* terminal.say(`connection ${created._id}; handshake:`)
      const connection = yield* shakeHands(api, created._id)
      yield* terminal.print(given.json ? JSON.stringify(connection) : connection._id)
      if (connection.status !== "registered")
        return yield* failureOf(connection.lastError ?? "no reason given")
    }).pipe(reaching)
).pipe(
  Command.withDescription(
    "Register a partner and shake hands; prints the connection's id. Exit code 1: the partner broke the protocol; " +
      "3: it could not be reached, or refused the token"
  )
)

/** The error begins with its class. */
function failureOf(error: string) {
  const message = `The handshake failed: ${error}`
  if (/^(config|unsupported):/.test(error)) return new UsageError({ message })
  return error.startsWith("protocol:") ? new PartnerWrong({ message }) : new CannotJudge({ message })
}
