/** The audit log: which actions each API key made. Of requests and answers only ids are stored. */
import { Context, Effect, Layer } from "effect"
import type { AuditEntry } from "../../../schema/Account.ts"
import type { KeyId, OwnerId } from "../../../schema/Ids.ts"
import { Database } from "../../database/Database.ts"
import { dropOldPartitions } from "../../database/partitions/dropOldPartitions.ts"
import { isId, storable } from "../../database/storable.ts"
import { traced } from "../../telemetry/traced.ts"

/** An entry to insert; the database adds the time. */
export interface NewEntry {
  readonly id: string
  readonly ownerId: OwnerId
  /** Null: the operator, at the command line. */
  readonly keyId: KeyId | null
  readonly action: string
  readonly target: string | null
  /** Null until `end`. */
  readonly status: number | null
  readonly result: string | null
  readonly requestId: string | null
  /** The answer was a replay. */
  readonly replay: boolean
}

/** One page of entries, newest first. */
export interface AuditPage {
  readonly limit: number
  /** Id of the last entry of the previous page. */
  readonly cursor?: string
  readonly keyId?: string
}

/** The audit log. Dies with `DatabaseDown` while Postgres is away. */
export class AuditStore extends Context.Tag("store/AuditStore")<
  AuditStore,
  {
    /** Idempotent by id. */
    readonly insert: (entry: NewEntry) => Effect.Effect<void>
    /** Sets how the action ended: the HTTP status, and the id of what it created. */
    readonly end: (id: string, status: number, result: string | null) => Effect.Effect<void>
    readonly list: (ownerId: OwnerId, page: AuditPage) => Effect.Effect<ReadonlyArray<AuditEntry>>
    /** Removes entries older than so many days and returns how many. */
    readonly prune: (days: number) => Effect.Effect<number>
  }
>() {
  static readonly layer: Layer.Layer<AuditStore, never, Database> = Layer.effect(
    AuditStore,
    Effect.gen(function* () {
      const { pool, query } = yield* Database

      const insert = traced("AuditStore.insert")(function* (entry: NewEntry) {
        yield* query({
          name: "audit_insert",
          text: `INSERT INTO audit_entry (id, owner_id, key_id, action, target, status, result, request_id, replay)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9) ON CONFLICT (id) DO NOTHING`,
          values: [
            entry.id,
            entry.ownerId,
            entry.keyId,
            entry.action,
            entry.target === null ? null : storable(entry.target),
            entry.status,
            entry.result,
            entry.requestId,
            entry.replay
          ]
        })
      })

      const end = traced("AuditStore.end")(function* (id: string, status: number, result: string | null) {
        yield* query({
          name: "audit_end",
          text: "UPDATE audit_entry SET status = $2, result = $3 WHERE id = $1",
          values: [id, status, result]
        })
      })

      const list = traced("AuditStore.list")(function* (ownerId: OwnerId, page: AuditPage) {
        const { cursor = null, keyId = null, limit } = page
        if ((cursor !== null && !isId(cursor)) || (keyId !== null && !isId(keyId))) return []
        const rows = yield* query<Stored>({
          text: `SELECT e.*, k.name AS key_name FROM audit_entry e LEFT JOIN api_key k ON k.id = e.key_id
                 WHERE e.owner_id = $1 AND ($2::text IS NULL OR e.id < $2) AND ($3::text IS NULL OR e.key_id = $3)
                 ORDER BY e.id DESC LIMIT $4`,
          values: [ownerId, cursor, keyId, limit]
        })
        return rows.map(entryOf)
      })

      const prune = traced("AuditStore.prune")(function* (days: number) {
        const inMonths = yield* Effect.orDie(dropOldPartitions(pool, "audit_entry", days))
        const rows = yield* query({
          text: `DELETE FROM audit_entry WHERE at < clock_timestamp() - $1 * interval '1 day' RETURNING 1`,
          values: [days]
        })
        return inMonths + rows.length
      })

      return AuditStore.of({ insert, end, list, prune })
    })
  )
}

interface Stored {
  readonly id: string
  readonly at: Date
  readonly key_id: KeyId | null
  readonly key_name: string | null
  readonly action: string
  readonly target: string | null
  readonly result: string | null
  readonly status: number | null
  readonly request_id: string | null
  readonly replay: boolean
}

const entryOf = (stored: Stored): AuditEntry => ({
  _id: stored.id,
  at: stored.at.toISOString(),
  key: stored.key_id === null ? null : { _id: stored.key_id, name: stored.key_name ?? "" },
  action: stored.action,
  target: stored.target,
  result: stored.result,
  status: stored.status,
  requestId: stored.request_id,
  replay: stored.replay
})
