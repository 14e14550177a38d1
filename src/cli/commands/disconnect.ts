/** Unregisters at a partner and removes the connection. */
import { Args, Command } from "@effect/cli"
import { Effect } from "effect"
import { namedConnection } from "../connecting/namedConnection.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"

/** `plugfest disconnect`: unregisters at the partner, as far as it can be reached, and removes the connection. */
export const disconnectCommand = Command.make(
  "disconnect",
  {
    ...serviceFlags,
    connection: Args.text({ name: "connection" }).pipe(
      Args.withDescription("the id or label of the connection")
    )
  },
  (given) =>
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      const { api } = yield* serviceOf(given)
      const { _id } = yield* namedConnection(api, given.connection)
      const removed = yield* api.connections.remove({ path: { id: _id } })
      yield* terminal.print(given.json ? JSON.stringify(removed) : _id)
      yield* terminal.say("Removed, with its tokens; reports stay.")
    }).pipe(reaching)
)
