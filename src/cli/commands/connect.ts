/** Creates a connection in a running service and runs its handshake. */
import { Args, Command, Options } from "@effect/cli"
import { Data, Effect, Option, Redacted } from "effect"
import type { Connection } from "../../../schema/Connection.ts"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { registrationSuite } from "../../../schema/Suite.ts"
import { reaching } from "../reaching.ts"
import { serviceFlags, serviceOf } from "../serviceFlags.ts"
import { shakeHands } from "../shakeHands.ts"
import { TerminalOutput } from "../Terminal.ts"
import { UsageError } from "../UsageError.ts"

/** The partner broke the protocol; exit code 1. */
class PartnerWrong extends Data.TaggedError("PartnerWrong")<{ readonly message: string }> {}
/** The handshake failed, perhaps not by a fault of the partner: host name, network or token may be wrong; exit code 3. */
class CannotJudge extends Data.TaggedError("CannotJudge")<{ readonly message: string }> {}

const roles = ["CPO", "EMSP"] as const
const defaultVariable = "PARTNER_TOKEN"

/**
 * `plugfest connect`: creates a connection and runs the handshake. Exit code 1 when the partner breaks the protocol, 3
 * when it cannot be reached or refuses the token.
 */
export const connectCommand = Command.make(
  "connect",
  {
    ...serviceFlags,
    partner: Args.text({ name: "versions-url" }).pipe(
      Args.withDescription("the partner's versions endpoint")
    ),
    tokenEnv: Options.text("token-env").pipe(
      Options.withPseudoName("variable"),
      Options.withDescription(
        "the environment variable that holds the partner's Token A; default: PARTNER_TOKEN"
      ),
      Options.withDefault(defaultVariable)
    ),
    theirRole: Options.choice("their-role", roles).pipe(Options.withDescription("the role of the partner")),
    ourRole: Options.choice("our-role", roles).pipe(
      Options.withDescription("the role that plugfest plays; default: the opposite one"),
      Options.optional
    ),
    version: Options.choice("ocpi-version", OcpiVersion.literals).pipe(
      Options.withDescription("the OCPI version to register with")
    ),
    label: Options.text("label").pipe(
      Options.withDescription("a name for the connection, which other commands accept in place of its id"),
      Options.optional
    ),
    hub: Options.boolean("hub").pipe(
      Options.withDescription("show ourselves as a hub with two parties behind it, for the suite hub")
    ),
    environment: Options.choice("environment", ["test", "production"]).pipe(
      Options.withDescription("production: nothing that writes at the partner is run; default: test"),
      Options.withDefault("test" as const)
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      const token = process.env[given.tokenEnv] ?? ""
      if (token === "")
        return yield* new UsageError({
          message: `The environment variable ${given.tokenEnv} is empty: put the partner's Token A into it, or name another variable with --token-env`
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
          ...(given.hub ? { hub: true } : {}),
          ...Option.match(given.label, { onNone: () => ({}), onSome: (label) => ({ label }) })
        }
      })
      yield* terminal.say(`connection ${created._id}; handshake:`)
      const connection = yield* shakeHands(api, created._id)
      yield* terminal.print(given.json ? JSON.stringify(connection) : connection._id)
      if (connection.status !== "registered")
        return yield* failureOf(connection.lastError ?? "no reason given", connection)
    }).pipe(reaching)
)

/** Maps the kind at the beginning of `lastError` to the error of the command; names the suite whose report has the details. */
function failureOf(error: string, connection: Connection) {
  const message = `The handshake failed: ${error}`
  if (/^(config|unsupported):/.test(error)) return new UsageError({ message })
  if (!/^(protocol|auth):/.test(error)) return new CannotJudge({ message })
  const more = `${message}. For a report: plugfest test ${connection._id} --suite ${registrationSuite(connection)}`
  return error.startsWith("protocol:")
    ? new PartnerWrong({ message: more })
    : new CannotJudge({ message: more })
}
