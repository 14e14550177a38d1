/** Lists the conformance suites of a running service. */
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"

/**
 * `plugfest suites`: lists the conformance suites, or the checks of one. Its filters are the OCPI version and the role of the
 * partner.
 */
export const suitesCommand = Command.make(
  "suites",
  {
    ...serviceFlags,
    version: Options.choice("ocpi-version", OcpiVersion.literals).pipe(
      Options.withDescription("only suites of this OCPI version"),
      Options.optional
    ),
    role: Options.choice("role", ["CPO", "EMSP"]).pipe(
      Options.withDescription("only suites for partners of this role"),
      Options.optional
    ),
    suite: Args.text({ name: "suite" }).pipe(
      Args.withDescription("a suite, to list its checks: its id, or the last part, as in core"),
      Args.optional
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      const { api } = yield* serviceOf(given)
      const asked = Option.getOrUndefined(given.suite)
      const suites = (yield* api.testing.suites()).filter(
        ({ id, ocpiVersion, theirRole }) =>
          (asked === undefined || id === asked || id.endsWith(`-${asked}`)) &&
          Option.getOrElse(given.version, () => ocpiVersion) === ocpiVersion &&
          Option.getOrElse(given.role, () => theirRole) === theirRole
      )
      if (asked !== undefined && suites.length <= 1) {
        const suite = yield* api.testing.suite({ path: { id: suites[0]?.id ?? asked } })
        if (given.json) return yield* terminal.print(JSON.stringify(suite))
        for (const { id, module, strength, title } of suite.checks)
          yield* terminal.print(`${id.padEnd(10)}  ${strength.padEnd(6)}  ${module.padEnd(16)}  ${title}`)
        return
      }
      if (given.json) return yield* terminal.print(JSON.stringify(suites))
      const width = Math.max(0, ...suites.map(({ id }) => id.length))
      for (const { checkCount, id, mutating, name } of suites) {
        const checks = `${checkCount} ${checkCount === 1 ? "check " : "checks"}`.padStart(10)
        yield* terminal.print(`${id.padEnd(width)}  ${checks}  ${mutating ? "writes" : "reads "}  ${name}`)
      }
      if (asked !== undefined)
        yield* terminal.say(
          "The checks of one: give its id, or --ocpi-version and --role beside the last part."
        )
    }).pipe(reaching)
)
