/** The connection that an order of a run names. */
import { Effect } from "effect"
import type { Caller } from "../../../../schema/Account.ts"
import { NotFound } from "../../../../schema/Errors.ts"
import type { ConnectionId } from "../../../../schema/Ids.ts"
import { Ledger } from "../../../ledger/Ledger.ts"
import { Connections } from "../../connections/Connections.ts"

/**
 * Makes the function that finds the connection of an order. The refusal of one that was removed, after runs of it, says what to order
 * instead.
 */
export const makeOrderedConnection = Effect.gen(function* () {
  const connections = yield* Connections
  const ledger = yield* Ledger
  return (caller: Caller, id: ConnectionId) =>
    Effect.catchTag(connections.owned(caller, id), "NotFound", (missing) =>
      Effect.flatMap(
        Effect.orDie(ledger.list({ ownerId: caller.ownerId, connectionId: id, limit: 1 })),
        ([run]) =>
          run === undefined
            ? missing
            : new NotFound({
                message: `Connection ${id} was removed; the reports of its runs stay readable. Order on another connection, or with "target": "sandbox" on a sandbox partner that is made anew`
              })
      )
    )
})
