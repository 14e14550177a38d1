/** What is said when nobody follows a run any more. */
import { Effect } from "effect"
import { TerminalOutput } from "../terminal/Terminal.ts"

/** Says on stderr that the run goes on, and how to come back to it. `id`: of the run, or of its report. */
export const sayItGoesOn = Effect.fn("cli.sayItGoesOn")(function* (id: string) {
  const terminal = yield* TerminalOutput
  yield* terminal.say(`  The run goes on in the service: plugfest watch ${id} comes back to it`)
})
