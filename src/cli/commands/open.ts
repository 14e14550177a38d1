/** Opens the console in a browser, signed in. */
import { Command, Options } from "@effect/cli"
import { Effect } from "effect"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { openInBrowser } from "../terminal/openInBrowser.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"

/** `plugfest open`: makes a link that signs a browser in, prints it, and opens it where there is a browser. */
export const openCommand = Command.make(
  "open",
  {
    ...serviceFlags,
    printOnly: Options.boolean("print-only").pipe(
      Options.withDescription("print the link and start no browser")
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      const { api } = yield* serviceOf(given)
      const link = yield* api.session.makeLink({ headers: {} })
      yield* terminal.print(given.json ? JSON.stringify(link) : link.url)
      yield* terminal.say("The link signs one browser in, once, within 10 minutes.")
      if (!given.printOnly && !(yield* openInBrowser(link.url)))
        yield* terminal.say("No browser was started here: open the link yourself.")
    }).pipe(reaching)
)
