/** Runs a handshake and shows its exchanges. */
import { Effect } from "effect"
import type { HandshakeOrder } from "../../../schema/Connection.ts"
import type { ConnectionId } from "../../../schema/Ids.ts"
import { requestName } from "../../findings/answers.ts"
import type { Service } from "../service/Service.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"

/** Runs the handshake, prints its exchanges, not those of an earlier one, to stderr and returns the connection, registered or not. */
export const runHandshake = Effect.fn("cli.runHandshake")(function* (
  api: Service["api"],
  id: ConnectionId,
  order: HandshakeOrder = {}
) {
  const terminal = yield* TerminalOutput
  const earlier = yield* api.connections.exchanges({ path: { id }, urlParams: { limit: 1000 } })
  const seen = new Set(earlier.map((exchange) => exchange.id))
  const connection = yield* api.connections.handshake({
    path: { id },
    headers: {},
    urlParams: {},
    payload: order
  })
  const exchanges = yield* api.connections.exchanges({ path: { id }, urlParams: { limit: 1000 } })
  for (const exchange of exchanges) {
    if (seen.has(exchange.id)) continue
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
