/** Finds a connection by id or label. */
import { Effect } from "effect"
import type { Connection } from "../../../schema/Connection.ts"
import { ConnectionId } from "../../../schema/Ids.ts"
import { meant } from "../../findings/nearest.ts"
import type { Service } from "../service/Service.ts"
import { plain } from "../terminal/Terminal.ts"
import { UsageError } from "../terminal/UsageError.ts"
import { preferred } from "./connectionAdvice.ts"

const page = 100

/** All connections of the key's account. */
export const allConnections = Effect.fn("cli.allConnections")(function* (api: Service["api"]) {
  const found: Array<Connection> = []
  let cursor: string | undefined
  while (true) {
    const some = yield* api.connections.list({
      urlParams: { limit: page, ...(cursor === undefined ? {} : { cursor }) }
    })
    found.push(...some)
    cursor = some.at(-1)?._id
    if (some.length < page) return found
  }
})

/**
 * The connection with this id or label. Of several with one label the registered one is meant, or, where none is, the newest;
 * UsageError when there is none, or several are registered.
 */
export const namedConnection = Effect.fn("cli.namedConnection")(function* (
  api: Service["api"],
  name: string
) {
  if (name.startsWith("conn_")) return yield* api.connections.read({ path: { id: ConnectionId.make(name) } })
  const all = yield* allConnections(api)
  const found = preferred(all.filter(({ label }) => label === name))
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  return yield* new UsageError({
    message:
      found.length === 0
        ? `There is no connection with the id or label ${plain(name)}. plugfest connections lists them${plain(
            meant(
              name,
              all.map(({ label }) => label)
            )
          )}`
        : `${found.length} registered connections have the label ${plain(name)}; name one by its id: ${found.map(({ _id }) => _id).join(", ")}`
  })
})
