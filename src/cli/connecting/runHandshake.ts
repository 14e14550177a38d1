/** Runs a handshake and shows its exchanges. */
import { Effect } from "effect"
import type { HandshakeOrder } from "../../../schema/Connection.ts"
import type { ConnectionId } from "../../../schema/Ids.ts"
import { requestName } from "../../findings/answers.ts"
import type { Service } from "../service/Service.ts"
import { plain, TerminalOutput } from "../terminal/Terminal.ts"

/** No handshake has as many exchanges. */
const mostShown = 100

/** Runs the handshake, prints its exchanges, not those of an earlier one, to stderr and returns the connection, registered or not. */
export const runHandshake = Effect.fn("cli.runHandshake")(function* (
  api: Service["api"],
  id: ConnectionId,
  order: HandshakeOrder = {}
) {
  const terminal = yield* TerminalOutput
  const newest = (limit: number) =>
    api.connections.exchanges({ path: { id }, urlParams: { order: "newest", limit } })
  const [earlier] = yield* newest(1)
  const connection = yield* api.connections.handshake({
    path: { id },
    headers: {},
    urlParams: {},
    payload: order
  })
  const exchanges = yield* newest(mostShown)
  const known = exchanges.findIndex((exchange) => exchange.id === earlier?.id)
  for (const exchange of (known < 0 ? exchanges : exchanges.slice(0, known)).toReversed()) {
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
