/** Compares two runs of a running service. */
import { Args, Command } from "@effect/cli"
import { Effect } from "effect"
import { comparisonLines } from "../follow/comparisonLines.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { exitWith } from "../terminal/exitCode.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"

/** `plugfest compare`: compares two runs. Exit code 1 when a check fails that did not fail before. */
export const compareCommand = Command.make(
  "compare",
  {
    ...serviceFlags,
    earlier: Args.text({ name: "earlier" }).pipe(
      Args.withDescription("the report id or run id of the earlier run")
    ),
    later: Args.text({ name: "later" }).pipe(Args.withDescription("and of the later one"))
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      const { api } = yield* serviceOf(given)
      const found = yield* api.testing.compareRuns({
        path: { id: given.later },
        urlParams: { with: given.earlier }
      })
      for (const line of given.json ? [JSON.stringify(found)] : comparisonLines(found))
        yield* terminal.print(line)
      yield* exitWith(found.newlyFailing.length > 0 ? 1 : 0)
    }).pipe(reaching)
)
