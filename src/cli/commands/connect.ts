/** Creates a connection in a running service and runs its handshake. */
import { Args, Command, Options } from "@effect/cli"
import { Data, Effect, Option, Redacted } from "effect"
import type { Connection } from "../../../schema/Connection.ts"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { registrationPart } from "../../../schema/Suite.ts"
import { againWith, article, looksLike, nextStep, roleSeen, sameAs } from "../connecting/connectionAdvice.ts"
import { egressRemedy } from "../connecting/egressRemedy.ts"
import { allConnections } from "../connecting/namedConnection.ts"
import { runHandshake } from "../connecting/runHandshake.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"

/** The partner broke the protocol; exit code 1. */
class PartnerWrong extends Data.TaggedError("PartnerWrong")<{ readonly message: string }> {}
/** The handshake failed, perhaps not by a fault of the partner: host name, network or token may be wrong; exit code 3. */
class CannotJudge extends Data.TaggedError("CannotJudge")<{ readonly message: string }> {}

const roles = ["CPO", "EMSP"] as const
const defaultVariable = "PARTNER_TOKEN"

/**
 * `plugfest connect`: runs the handshake of a new connection, or of the one that the partner has and that is not registered yet.
 * Exit code 1 when the partner breaks the protocol, 3 when it cannot be reached or refuses the token.
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
    ),
    invite: Options.boolean("invite").pipe(
      Options.withDescription(
        "give the partner a Token A of ours, with which it registers; needs no Token A of theirs"
      )
    ),
    another: Options.boolean("another").pipe(
      Options.withDescription("make one more connection, although this partner has one")
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      if (!/^https?:/i.test(given.partner) || !URL.canParse(given.partner))
        return yield* new UsageError({
          message: `${plain(given.partner)} is no URL; give the partner's versions endpoint, like https://cpo.example/ocpi/versions`
        })
      const { api } = yield* serviceOf(given)
      const wanted = {
        partnerBaseUrl: given.partner,
        theirRole: given.theirRole,
        ourRole: Option.getOrElse(given.ourRole, () => (given.theirRole === "CPO" ? "EMSP" : "CPO")),
        ocpiVersion: given.version,
        environment: given.environment
      } as const
      const label = Option.getOrUndefined(given.label)
      const known = given.another
        ? undefined
        : sameAs(yield* allConnections(api), { ...wanted, hub: given.hub, label })
      const show = (connection: Connection) =>
        terminal.print(given.json ? JSON.stringify(connection) : connection._id)
      if (known?.status === "registered") {
        yield* terminal.say(`already registered as ${known._id} (${plain(known.label)})`)
        yield* terminal.say(`next: ${nextStep(known)}`)
        return yield* show(known)
      }
      const token = process.env[given.tokenEnv] ?? ""
      if (token === "" && !given.invite) return yield* new UsageError({ message: noToken(given.tokenEnv) })
      const made =
        known ??
        (yield* api.connections.create({
          headers: {},
          payload: {
            ...wanted,
            ...(given.invite ? {} : { tokenA: Redacted.make(token) }),
            ...(given.hub ? { hub: true } : {}),
            ...(label === undefined ? {} : { label })
          }
        }))
      if (given.invite) {
        const invitation = yield* api.connections.invite({ path: { id: made._id }, headers: {} })
        yield* terminal.say(`connection ${made._id}; give the partner these two, over a safe way:`)
        yield* terminal.say(`  versions URL  ${invitation.versionsUrl}`)
        yield* terminal.say(`  Token A       ${invitation.token}`)
        yield* terminal.say(
          `It is valid until ${invitation.expiresAt} and shown once. plugfest connections says when the partner has registered.`
        )
        return yield* terminal.print(
          given.json ? JSON.stringify({ connectionId: made._id, ...invitation }) : made._id
        )
      }
      const again = known === undefined ? "" : `, ${known.status} before, tried again`
      yield* terminal.say(`connection ${made._id}${again}; handshake:`)
      const order = known === undefined ? {} : { tokenA: Redacted.make(token) }
      const connection = yield* runHandshake(api, made._id, order)
      yield* show(connection)
      if (connection.status !== "registered")
        return yield* failureOf(connection.lastError ?? "no reason given", connection)
      const seen = roleSeen(connection)
      if (seen !== undefined) {
        return yield* new UsageError({
          message: [
            `${looksLike(connection, seen)}.`,
            `It was named as ${article(wanted.theirRole)}, and nothing in its suites fits. Connect it as what it is:`,
            `  plugfest disconnect ${connection._id}`,
            `  ${againWith({ ...connection, theirRole: seen })}`
          ].join("\n")
        })
      }
      yield* terminal.say(`next: ${nextStep(connection)}`)
    }).pipe(
      Effect.catchTag("Unsupported", ({ message }) =>
        Effect.fail(
          new UsageError({
            message: message.includes("EGRESS_ALLOW_CIDRS")
              ? `${message}.\nStart the service so: ${egressRemedy(given.partner)}`
              : message
          })
        )
      ),
      reaching
    )
)

const noToken = (variable: string) =>
  [
    `The environment variable ${variable} is empty. Two ways to register:`,
    `  the partner gave you a Token A:  export ${variable}=…  and the same command again (--token-env names another variable)`,
    "  there is none yet:               the same command with --invite, which makes one for the partner to register with us"
  ].join("\n")

/** Maps the kind at the beginning of `lastError` to the error of the command; names the suite whose report has the details. */
function failureOf(error: string, connection: Connection) {
  const message = `The handshake failed: ${error}`
  if (/^(config|unsupported):/.test(error)) return new UsageError({ message })
  if (!/^(protocol|auth):/.test(error)) return new CannotJudge({ message })
  const more = `${message}. For a report: plugfest test ${connection._id} --suite ${registrationPart}`
  return error.startsWith("protocol:")
    ? new PartnerWrong({ message: more })
    : new CannotJudge({ message: more })
}
