/** Lists the connections of an account. */
import { Command } from "@effect/cli"
import { Effect } from "effect"
import type { Connection } from "../../../schema/Connection.ts"
import { nextStep } from "../connecting/connectionAdvice.ts"
import { allConnections } from "../connecting/namedConnection.ts"
import { reaching } from "../service/ServiceUnreachable.ts"
import { serviceFlags, serviceOf } from "../service/serviceFlags.ts"
import { asCommands } from "../terminal/asCommands.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"

/** `plugfest connections`: lists the connections, with the state of each and what comes next. */
export const connectionsCommand = Command.make("connections", { ...serviceFlags }, (given) =>
  Effect.gen(function* () {
    const terminal = yield* TerminalOutput
    const { api } = yield* serviceOf(given)
    const all = yield* allConnections(api)
    if (given.json) return yield* terminal.print(JSON.stringify(all))
    if (all.length === 0) return yield* terminal.say("No connections yet. Make one: plugfest connect --help")
    for (const connection of all) {
      const colour = ({ registered: "green", failed: "red", pending: "yellow" } as const)[connection.status]
      const { _id, label, ocpiVersion, partnerBaseUrl, status, theirRole } = connection
      yield* terminal.print(
        `${_id}  ${terminal.paintData(colour, status.padEnd(10))}  ${plain(label)}  ${theirRole} ${ocpiVersion}  ${plain(partnerBaseUrl)}`
      )
      for (const line of below(connection)) yield* terminal.print(`  ${plain(line)}`)
    }
  }).pipe(reaching)
)

const below = (connection: Connection): ReadonlyArray<string> => [
  ...(connection.lastError === undefined ? [] : [`why   ${asCommands(connection.lastError)}`]),
  `next  ${nextStep(connection)}`
]
