/** Runs a handshake and shows its exchanges. */
import { Effect } from "effect"
import type { ConnectionId } from "../../schema/Ids.ts"
import { requestName } from "../findings/answers.ts"
import type { Service } from "./Service.ts"
import { plain, TerminalOutput } from "./Terminal.ts"

/** Runs the handshake, prints its exchanges to stderr and returns the connection, registered or not. */
export const shakeHands = Effect.fn("cli.shakeHands")(function* (api: Service["api"], id: ConnectionId) {
  const terminal = yield* TerminalOutput
  const connection = yield* api.connections.handshake({ path: { id }, headers: {}, payload: {} })
  const exchanges = yield* api.connections.exchanges({ path: { id }, urlParams: {} })
  for (const exchange of exchanges) {
    const arrow = exchange.direction === "outbound" ? "->" : "<-"
    const status = exchange.response?.httpStatus ?? exchange.outcome
    const millis = Math.round(exchange.durationMs)
    yield* terminal.say(plain(`  ${arrow} ${requestName(exchange)} ${status}, ${millis} ms`))
  }
  if (connection.status === "registered") {
    const words = `  registered, ${connection.endpoints.length} endpoints negotiated`
    yield* terminal.say(terminal.paint("green", words))
  }
  return connection
})
