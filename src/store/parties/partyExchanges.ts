/** The exchanges of parties, in Postgres. */
import { Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { PartyId } from "../../../schema/Ids.ts"
import type { Query } from "../../database/statement.ts"
import { isId } from "../../database/storable.ts"
import { refusedKept } from "./PartyStore.ts"
import { type ExchangeRow, inboundOf } from "./partyRows.ts"

/** The methods of `PartyStore` on exchanges. `arrived` runs for each inbound exchange once it is stored. */
export const partyExchanges = (query: Query, arrived: (id: PartyId) => Effect.Effect<unknown>) => {
  const record = Effect.fn("PartyStore.record")(function* (
    id: PartyId,
    exchange: Exchange,
    refused?: "refused"
  ) {
    if (!isId(id)) return
    yield* query({
      name: "party_record",
      // One writer per party at a time, and the position is drawn while the lock is held: positions of a party become
      // visible in order, so a reader who has seen one has seen all before it. Of the refused ones the oldest make room
      // for the new one.
      text: `WITH old AS (
               DELETE FROM party_exchange WHERE $5 AND party_id = $1 AND refused AND position <= (
                 SELECT position FROM party_exchange WHERE party_id = $1 AND refused
                 ORDER BY position DESC OFFSET $6 - 1 LIMIT 1
               )
             )
             INSERT INTO party_exchange (position, party_id, exchange_id, direction, exchange, refused)
             SELECT nextval('party_exchange_position_seq'), $1, $2, $3, $4, $5
             FROM (SELECT pg_advisory_xact_lock(hashtextextended($1, 0))) one_at_a_time
             ON CONFLICT (party_id, exchange_id) DO UPDATE SET exchange = excluded.exchange`,
      values: [
        id,
        exchange.id,
        exchange.direction,
        JSON.stringify(exchange),
        refused !== undefined,
        refusedKept
      ]
    })
    if (exchange.direction === "inbound") yield* arrived(id)
  })

  const exchanges = Effect.fn("PartyStore.exchanges")(function* (id: PartyId, after: number, limit: number) {
    if (!isId(id)) return []
    const rows = yield* query<ExchangeRow>({
      name: "party_exchanges",
      text: `SELECT position, party_id, exchange FROM party_exchange
             WHERE party_id = $1 AND position > $2 ORDER BY position LIMIT $3`,
      values: [id, after, limit]
    })
    return rows.map(inboundOf)
  })

  const inboundAfter = Effect.fn("PartyStore.inboundAfter")(function* (
    id: PartyId,
    position: number,
    limit: number
  ) {
    if (!isId(id)) return []
    const rows = yield* query<ExchangeRow>({
      name: "party_inbound",
      text: `SELECT position, party_id, exchange FROM party_exchange
             WHERE party_id = $1 AND position > $2 AND direction = 'inbound' ORDER BY position LIMIT $3`,
      values: [id, position, limit]
    })
    return rows.map(inboundOf)
  })

  const head = Effect.fn("PartyStore.head")(function* (id: PartyId) {
    if (!isId(id)) return 0
    const rows = yield* query<{ readonly head: number | null }>({
      name: "party_head",
      text: "SELECT max(position) head FROM party_exchange WHERE party_id = $1",
      values: [id]
    })
    return rows[0]?.head ?? 0
  })

  return { record, exchanges, inboundAfter, head }
}
