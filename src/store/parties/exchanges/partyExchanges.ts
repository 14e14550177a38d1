/** The exchanges of parties, in Postgres. */
import { Effect } from "effect"
import type { Exchange } from "../../../../schema/Exchange.ts"
import type { PartyId } from "../../../../schema/Ids.ts"
import { makeBatch } from "../../../database/batches/batch.ts"
import { bigintArray, textArray } from "../../../database/batches/binaryArrays.ts"
import type { Database } from "../../../database/Database.ts"
import { retried } from "../../../database/retry.ts"
import { isId } from "../../../database/storable.ts"
import { type ExchangePage, refusedKept } from "../PartyStore.ts"
import { type ExchangeRow, inboundOf } from "../partyRows.ts"
import type { RecordConditions, Searched } from "../scrubbedParties.ts"

/** An exchange to be stored, and what must be so that it may be. */
interface Entry {
  readonly id: PartyId
  readonly exchange: Exchange
  readonly json: string
  /** The party must have these tokens, or be gone (null). */
  readonly tokenVersion: number | null
  /** The party must have this revision; null: any. */
  readonly revision: number | null
}

const no = Effect.succeed(false)

/** The most exchanges that are stored in one statement. */
const together = 128

/** The methods of `PartyStore` on exchanges. `arrived` runs for each inbound exchange once it is stored. */
export const partyExchanges = (
  { pool, query }: Pick<Database["Type"], "pool" | "query">,
  arrived: (id: PartyId) => Effect.Effect<void>
) => {
  const stored = makeBatch<Entry, boolean>({
    most: together,
    run: async (entries) => {
      const [only] = entries
      if (entries.length === 1 && only !== undefined) {
        const { rowCount } = await pool.query(recordOne(only))
        return [(rowCount ?? 0) > 0]
      }
      const { rows } = await pool.query<{ readonly at: number }>(recordMany(entries))
      const written = new Set(rows.map(({ at }) => at))
      return entries.map((_, at) => written.has(at + 1))
    }
  })

  const record = (
    id: PartyId,
    exchange: Exchange,
    { tokenVersion }: Searched,
    { asOf, refused }: RecordConditions
  ) =>
    Effect.suspend(() => {
      if (!isId(id)) return Effect.succeed(true)
      const json = JSON.stringify(exchange)
      const entry = { id, exchange, json, tokenVersion, revision: asOf?.revision ?? null }
      const written =
        refused === undefined
          ? retried(stored(entry))
          : Effect.map(query(recordRefused(entry)), (rows) => rows.length > 0)
      if (exchange.direction !== "inbound") return written
      return Effect.flatMap(written, (done) => (done ? Effect.as(arrived(id), true) : no))
    })

  const exchanges = Effect.fnUntraced(function* (
    id: PartyId,
    after: number,
    limit: number,
    direction?: Exchange["direction"]
  ) {
    if (!isId(id)) return []
    const rows = yield* query<ExchangeRow>({
      name: "party_exchanges",
      text: `SELECT position, party_id, exchange FROM party_exchange
             WHERE party_id = $1 AND position > $2 AND ($4::text IS NULL OR direction = $4) ORDER BY position LIMIT $3`,
      values: [id, after, limit, direction ?? null]
    })
    return rows.map(inboundOf)
  })

  const exchangesBefore = Effect.fnUntraced(function* (id: PartyId, page: ExchangePage) {
    if (!isId(id) || (page.cursor !== undefined && !isId(page.cursor))) return []
    const rows = yield* query<ExchangeRow>(pageBefore(id, page))
    return rows.map(inboundOf)
  })

  const exchangesById = Effect.fnUntraced(function* (id: PartyId, exchangeIds: ReadonlyArray<string>) {
    if (!isId(id) || exchangeIds.length === 0) return []
    const rows = yield* query<ExchangeRow>({
      name: "party_exchanges_by_id",
      text: "SELECT position, party_id, exchange FROM party_exchange WHERE party_id = $1 AND exchange_id = ANY ($2)",
      values: [id, exchangeIds.filter(isId)]
    })
    return rows.map((row) => inboundOf(row).exchange)
  })

  const inboundAfter = Effect.fnUntraced(function* (id: PartyId, position: number, limit: number) {
    if (!isId(id)) return []
    const rows = yield* query<ExchangeRow>({
      name: "party_inbound",
      text: `SELECT position, party_id, exchange FROM party_exchange
             WHERE party_id = $1 AND position > $2 AND direction = 'inbound' ORDER BY position LIMIT $3`,
      values: [id, position, limit]
    })
    return rows.map(inboundOf)
  })

  const head = Effect.fnUntraced(function* (id: PartyId) {
    if (!isId(id)) return 0
    const rows = yield* query<{ readonly head: number | null }>({
      name: "party_head",
      text: "SELECT max(position) head FROM party_exchange WHERE party_id = $1",
      values: [id]
    })
    return rows[0]?.head ?? 0
  })

  return { record, exchanges, exchangesBefore, exchangesById, inboundAfter, head }
}

const inDirection = { inbound: "AND direction = 'inbound'", outbound: "AND direction = 'outbound'" }

/** A statement for each kind of page: the index of inbound ones serves only a statement that says so by a literal. */
const pageBefore = (id: PartyId, { cursor, direction, limit, upTo }: ExchangePage) => ({
  name: `party_exchanges_before_${direction ?? "all"}${cursor === undefined ? "" : "_cursor"}`,
  text: `SELECT position, party_id, exchange FROM party_exchange
         WHERE party_id = $1 AND position <= $2 ${direction === undefined ? "" : inDirection[direction]}
         ${
           cursor === undefined
             ? ""
             : "AND position < (SELECT position FROM party_exchange WHERE party_id = $1 AND exchange_id = $4)"
         }
         ORDER BY position DESC LIMIT $3`,
  values: [id, upTo ?? Number.MAX_SAFE_INTEGER, limit, ...(cursor === undefined ? [] : [cursor])]
})

// One writer per party at a time, and the position is drawn while the lock is held: positions of a party become visible in
// order, so a reader who has seen one has seen all before it.

const columns = "position, party_id, exchange_id, direction, exchange, refused"
const again =
  "ON CONFLICT (party_id, exchange_id) DO UPDATE SET exchange = excluded.exchange, refused = excluded.refused"

/** SQL: has the party those tokens, or is it gone, and has it that revision? */
const isAsExpected = (id: string, tokenVersion: string, revision: string) => `
  CASE WHEN ${revision}::bigint IS NULL
    THEN NOT EXISTS (SELECT FROM party WHERE id = ${id} AND token_version IS DISTINCT FROM ${tokenVersion}::bigint)
    ELSE EXISTS (SELECT FROM party WHERE id = ${id} AND token_version = ${tokenVersion}::bigint AND revision = ${revision}::bigint)
  END`

const recordOne = ({ exchange, id, json, revision, tokenVersion }: Entry) => ({
  name: "party_record",
  text: `INSERT INTO party_exchange (${columns})
         SELECT nextval('party_exchange_position_seq'), $1, $2, $3, $4, false
         FROM (SELECT pg_advisory_xact_lock(hashtextextended($1, 0))) one_at_a_time
         WHERE ${isAsExpected("$1", "$5", "$6")} ${again}`,
  values: [id, exchange.id, exchange.direction, json, tokenVersion, revision]
})

/** Gives the places, from 1, of those that were stored. All processes take the locks in the same order. */
const recordMany = (entries: ReadonlyArray<Entry>) => ({
  name: "party_record_many",
  text: `WITH entry AS (
           SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[], $6::bigint[]) WITH ORDINALITY
             AS e (id, exchange_id, direction, exchange, token_version, revision, at)
         ), locked AS MATERIALIZED (
           SELECT id, pg_advisory_xact_lock(hashtextextended(id, 0)) FROM (SELECT DISTINCT id FROM entry ORDER BY id) one
         ), chosen AS MATERIALIZED (
           SELECT entry.* FROM entry JOIN locked USING (id)
           WHERE ${isAsExpected("entry.id", "entry.token_version", "entry.revision")} ORDER BY at
         ), written AS (
           INSERT INTO party_exchange (${columns})
           SELECT nextval('party_exchange_position_seq'), id, exchange_id, direction, exchange::json, false FROM chosen ${again}
         )
         SELECT at FROM chosen`,
  values: [
    textArray(entries.map(({ id }) => id)),
    textArray(entries.map(({ exchange }) => exchange.id)),
    textArray(entries.map(({ exchange }) => exchange.direction)),
    textArray(entries.map(({ json }) => json)),
    bigintArray(entries.map(({ tokenVersion }) => tokenVersion)),
    bigintArray(entries.map(({ revision }) => revision))
  ]
})

/** Of the refused ones the oldest make room for the new one. */
const recordRefused = ({ exchange, id, json, revision, tokenVersion }: Entry) => ({
  name: "party_record_refused",
  text: `WITH old AS (
           DELETE FROM party_exchange WHERE party_id = $1 AND refused AND position <= (
             SELECT position FROM party_exchange WHERE party_id = $1 AND refused ORDER BY position DESC OFFSET $7 - 1 LIMIT 1
           )
         )
         INSERT INTO party_exchange (${columns})
         SELECT nextval('party_exchange_position_seq'), $1, $2, $3, $4, true
         FROM (SELECT pg_advisory_xact_lock(hashtextextended($1, 0))) one_at_a_time
         WHERE ${isAsExpected("$1", "$5", "$6")} ${again} RETURNING 1`,
  values: [id, exchange.id, exchange.direction, json, tokenVersion, revision, refusedKept]
})
