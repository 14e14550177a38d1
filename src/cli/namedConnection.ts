/** Finds a connection by id or label. */
import { Effect } from "effect"
import { ConnectionId } from "../../schema/Ids.ts"
import type { Service } from "./Service.ts"
import { plain } from "./Terminal.ts"
import { UsageError } from "./UsageError.ts"

const page = 100

/** The connection; UsageError when no connection, or more than one, has the label. */
export const namedConnection = Effect.fn("cli.namedConnection")(function* (
  api: Service["api"],
  name: string
) {
  if (name.startsWith("conn_")) return yield* api.connections.read({ path: { id: ConnectionId.make(name) } })
  const found = []
  let cursor: string | undefined
  while (true) {
    const some = yield* api.connections.list({
      urlParams: { limit: page, ...(cursor === undefined ? {} : { cursor }) }
    })
    found.push(...some.filter(({ label }) => label === name))
    cursor = some.at(-1)?._id
    if (some.length < page) break
  }
  const [only] = found
  if (only !== undefined && found.length === 1) return only
  return yield* new UsageError({
    message:
      found.length === 0
        ? `There is no connection with the id or label ${plain(name)}`
        : `${found.length} connections have the label ${plain(name)}: ${found.map(({ _id }) => _id).join(", ")}`
  })
})
