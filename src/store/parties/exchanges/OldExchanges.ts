/**
 * Deletes old exchanges with partners. The exchanges of a run are in its ledger and are purged with it; these are the
 * ones that parties keep: partners' calls, registrations, and all that belongs to no run.
 */
import { Context, Effect, Layer } from "effect"
import { Database } from "../../../database/Database.ts"
import { dropOldPartitions } from "../../../database/partitions/dropOldPartitions.ts"
import { traced } from "../../../telemetry/traced.ts"

/** The old exchanges. Dies with `DatabaseDown` while Postgres is away. */
export class OldExchanges extends Context.Tag("store/OldExchanges")<
  OldExchanges,
  {
    /** How many are older than so many days and may be deleted, because their connection has no open run. */
    readonly count: (days: number) => Effect.Effect<number>
    /** Removes those that are a whole month of all exchanges, and returns how many they were. */
    readonly purgeMonths: (days: number) => Effect.Effect<number>
    /** Removes the oldest of them, at most so many, and returns how many. Any number of processes may do so at once. */
    readonly purge: (days: number, limit: number) => Effect.Effect<number>
  }
>() {
  static readonly layer: Layer.Layer<OldExchanges, never, Database> = Layer.effect(
    OldExchanges,
    Effect.gen(function* () {
      const { pool, query } = yield* Database

      const count = traced("OldExchanges.count")(function* (days: number) {
        const rows = yield* query<{ readonly n: number }>({
          text: `SELECT count(*) n FROM party_exchange e WHERE ${old}`,
          values: [days]
        })
        return rows[0]?.n ?? 0
      })

      const purge = traced("OldExchanges.purge")(function* (days: number, limit: number) {
        const rows = yield* query({
          text: `DELETE FROM party_exchange WHERE (party_id, exchange_id) IN (
                   SELECT party_id, exchange_id FROM party_exchange e WHERE ${old}
                   ORDER BY kept_at LIMIT $2 FOR UPDATE SKIP LOCKED
                 ) RETURNING 1`,
          values: [days, limit]
        })
        return rows.length
      })

      const purgeMonths = traced("OldExchanges.purgeMonths")((days: number) =>
        Effect.orDie(dropOldPartitions(pool, "party_exchange", days))
      )

      return OldExchanges.of({ count, purge, purgeMonths })
    })
  )
}

// An open run may still have to read what the partner sent. A party has its connection's id.
const old = `e.kept_at < clock_timestamp() - $1::float8 * interval '1 day'
  AND NOT EXISTS (SELECT FROM run r WHERE r.connection_id = e.party_id COLLATE "C" AND NOT r.closed)`
