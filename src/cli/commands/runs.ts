/** Lists the runs of an account. */
import { Args, Command, Options } from "@effect/cli"
import { Effect, Option } from "effect"
import { Verdict } from "../../../schema/Assertion.ts"
import type { ConnectionId } from "../../../schema/Ids.ts"
import { RunKind, type RunReport } from "../../../schema/RunReport.ts"
import { namedConnection } from "../connecting/namedConnection.ts"
import { runLines } from "../follow/runLines.ts"
import type { Service } from "../service/Service.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"

/** The most runs that one call of the service brings. */
const page = 100

/** `plugfest runs`: lists runs of suites and journeys, the newest first. */
export const runsCommand = Command.make(
  "runs",
  {
    ...serviceFlags,
    connection: Args.text({ name: "connection" }).pipe(
      Args.withDescription(
        "the id or label of a connection; left out: the runs of all, also of removed ones"
      ),
      Args.optional
    ),
    kind: Options.choice("kind", RunKind.literals).pipe(
      Options.withDescription("only runs of suites, or of journeys"),
      Options.optional
    ),
    verdict: Options.choice("verdict", Verdict.literals).pipe(
      Options.withDescription("only runs with this verdict"),
      Options.optional
    ),
    limit: Options.integer("limit").pipe(
      Options.withDescription("the most to list; default: 25"),
      Options.withDefault(25)
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      const { api } = yield* serviceOf(given)
      const connection = yield* Effect.transposeMapOption(given.connection, (name) =>
        namedConnection(api, name)
      )
      const runs = yield* newestRuns(api, given.limit, {
        ...Option.match(connection, { onNone: () => ({}), onSome: ({ _id }) => ({ connectionId: _id }) }),
        ...Option.match(given.kind, { onNone: () => ({}), onSome: (kind) => ({ kind }) }),
        ...Option.match(given.verdict, { onNone: () => ({}), onSome: (verdict) => ({ verdict }) })
      })
      if (given.json) return yield* terminal.print(JSON.stringify(runs))
      if (runs.length === 0)
        return yield* terminal.say("There are no such runs. Begin one: plugfest test --help")
      for (const line of runLines(runs)) yield* terminal.print(line)
      if (runs.length === given.limit)
        yield* terminal.say(`These are the newest ${given.limit}; for more: --limit`)
    }).pipe(reaching)
)

const newestRuns = Effect.fn("cli.newestRuns")(function* (
  api: Service["api"],
  wanted: number,
  which: {
    readonly connectionId?: ConnectionId
    readonly kind?: RunKind
    readonly verdict?: Verdict
  }
) {
  const found: Array<RunReport> = []
  while (true) {
    const limit = Math.min(page, wanted - found.length)
    const last = found.at(-1)
    const some = yield* api.testing.runs({
      urlParams: { ...which, limit, ...(last === undefined ? {} : { cursor: last._id }) }
    })
    found.push(...some)
    if (some.length < limit || found.length >= wanted) return found
  }
})
