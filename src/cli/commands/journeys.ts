/** Lists journeys, packs and scenarios, and for a target whether they can be run. */
import { Args, Command } from "@effect/cli"
import { Effect, Option } from "effect"
import { catalogueFor, scenarioLines, wholeCatalogue } from "../connecting/catalogueLines.ts"
import { namedConnection } from "../connecting/namedConnection.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"

/** `plugfest journeys`: lists what can be played. For a target: what it can be played with, and why the others cannot. */
export const journeysCommand = Command.make(
  "journeys",
  {
    ...serviceFlags,
    target: Args.text({ name: "target" }).pipe(
      Args.withDescription("the id or label of a connection, or sandbox; left out: the whole catalogue"),
      Args.optional
    )
  },
  (given) =>
    Effect.gen(function* () {
      const { api } = yield* serviceOf(given)
      const name = Option.getOrUndefined(given.target)
      const connection =
        name === undefined || name === "sandbox" ? undefined : yield* namedConnection(api, name)
      const target = connection?._id ?? name
      const catalogue = yield* api.testing.journeys({ urlParams: target === undefined ? {} : { target } })
      const terminal = yield* TerminalOutput
      if (given.json) return yield* terminal.print(JSON.stringify(catalogue))
      const lines = name === undefined ? wholeCatalogue(catalogue) : catalogueFor(name, catalogue, connection)
      for (const line of [...lines, ...scenarioLines(catalogue, connection)])
        yield* terminal.print(plain(line))
    }).pipe(reaching)
)
