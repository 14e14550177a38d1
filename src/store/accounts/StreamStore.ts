/** Open event streams over all processes. Those of a dead process do not count. */
import { Context, Effect, Layer } from "effect"
import type { KeyId, OwnerId } from "../../../schema/Ids.ts"
import { Database } from "../../database/Database.ts"
import { Presence } from "../../placement/presence/Presence.ts"
import { traced } from "../../telemetry/traced.ts"

/** The open streams. Dies with `DatabaseDown` while Postgres is away. */
export class StreamStore extends Context.Tag("store/StreamStore")<
  StreamStore,
  {
    readonly count: (ownerId: OwnerId) => Effect.Effect<number>
    /** Adds a stream of this process. Idempotent by id. */
    readonly open: (id: string, ownerId: OwnerId, keyId: KeyId) => Effect.Effect<void>
    readonly close: (id: string) => Effect.Effect<void>
    /** Removes the streams of dead processes. */
    readonly prune: Effect.Effect<void>
  }
>() {
  static readonly layer: Layer.Layer<StreamStore, never, Database | Presence> = Layer.effect(
    StreamStore,
    Effect.gen(function* () {
      const { query } = yield* Database
      const { processId } = yield* Presence

      const count = traced("StreamStore.count")(function* (ownerId: OwnerId) {
        const rows = yield* query<{ readonly n: number }>({
          name: "open_stream_count",
          text: `SELECT count(*) n FROM open_stream s JOIN server_process p ON p.id = s.process_id
                 WHERE s.owner_id = $1 AND p.alive_until > clock_timestamp()`,
          values: [ownerId]
        })
        return rows[0]?.n ?? 0
      })

      const open = traced("StreamStore.open")(function* (id: string, ownerId: OwnerId, keyId: KeyId) {
        yield* query({
          name: "open_stream_open",
          text: `INSERT INTO open_stream (id, owner_id, key_id, process_id) VALUES ($1, $2, $3, $4)
                 ON CONFLICT (id) DO NOTHING`,
          values: [id, ownerId, keyId, processId]
        })
      })

      const close = traced("StreamStore.close")(function* (id: string) {
        yield* query({
          name: "open_stream_close",
          text: "DELETE FROM open_stream WHERE id = $1",
          values: [id]
        })
      })

      const prune = query({
        text: `DELETE FROM open_stream s WHERE NOT EXISTS
                 (SELECT FROM server_process p WHERE p.id = s.process_id AND p.alive_until > clock_timestamp() - interval '1 hour')`
      }).pipe(Effect.asVoid)

      return StreamStore.of({ count, open, close, prune })
    })
  )
}
