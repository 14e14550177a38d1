/** Rows of saved scenarios. */
import { Context, Effect, Layer, Option } from "effect"
import type { OwnerId } from "../../../schema/Ids.ts"
import type { ScenarioDraft } from "../../../schema/Scenario.ts"
import { Database } from "../../database/Database.ts"
import { isId, storable } from "../../database/storable.ts"
import { traced } from "../../telemetry/traced.ts"

/** A scenario as it is stored. Times are ISO 8601 UTC with milliseconds. */
export interface ScenarioRow {
  readonly id: string
  readonly ownerId: OwnerId
  readonly draft: ScenarioDraft
  /** From 1; grows with each change. */
  readonly version: number
  readonly createdAt: string
  readonly updatedAt: string
}

/** The saved scenarios. Dies with `DatabaseDown` while Postgres is away. A malformed id is not found. */
export class ScenarioStore extends Context.Tag("store/ScenarioStore")<
  ScenarioStore,
  {
    /** Idempotent by id. */
    readonly insert: (row: ScenarioRow) => Effect.Effect<void>
    readonly find: (ownerId: OwnerId, id: string) => Effect.Effect<Option.Option<ScenarioRow>>
    readonly count: (ownerId: OwnerId) => Effect.Effect<number>
    /** Newest first; `cursor` is the id of the last item of the previous page. */
    readonly list: (
      ownerId: OwnerId,
      page: { readonly cursor?: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<ScenarioRow>>
    /** Returns the row after the change; none when it does not exist or its version is not `from`. */
    readonly change: (
      ownerId: OwnerId,
      id: string,
      from: number,
      to: Pick<ScenarioRow, "draft" | "updatedAt">
    ) => Effect.Effect<Option.Option<ScenarioRow>>
    /** Returns the removed row. */
    readonly remove: (ownerId: OwnerId, id: string) => Effect.Effect<Option.Option<ScenarioRow>>
  }
>() {
  static readonly layer: Layer.Layer<ScenarioStore, never, Database> = Layer.effect(
    ScenarioStore,
    Effect.gen(function* () {
      const { query } = yield* Database
      const one = (text: string, values: ReadonlyArray<string | number>) =>
        Effect.map(query<Stored>({ text, values: [...values] }), (rows) =>
          Option.map(Option.fromNullable(rows[0]), toRow)
        )

      const insert = traced("ScenarioStore.insert")(function* (row: ScenarioRow) {
        yield* query({
          text: `INSERT INTO scenario (id, owner_id, draft, version, created_at, updated_at)
                 VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (id) DO NOTHING`,
          values: [row.id, row.ownerId, textOf(row.draft), row.version, row.createdAt, row.updatedAt]
        })
      })

      const find = traced("ScenarioStore.find")(function* (ownerId: OwnerId, id: string) {
        if (!isId(id)) return Option.none()
        return yield* one("SELECT * FROM scenario WHERE owner_id = $1 AND id = $2", [ownerId, id])
      })

      const count = traced("ScenarioStore.count")((ownerId: OwnerId) =>
        Effect.map(
          query<{ readonly count: number }>({
            text: "SELECT count(*)::int AS count FROM scenario WHERE owner_id = $1",
            values: [ownerId]
          }),
          ([row]) => row?.count ?? 0
        )
      )

      const list = traced("ScenarioStore.list")(function* (
        ownerId: OwnerId,
        { cursor, limit }: { readonly cursor?: string; readonly limit: number }
      ) {
        if (cursor !== undefined && !isId(cursor)) return []
        const rows = yield* query<Stored>({
          text: `SELECT * FROM scenario WHERE owner_id = $1 AND ($2::text IS NULL OR id < $2)
                 ORDER BY id DESC LIMIT $3`,
          values: [ownerId, cursor ?? null, limit]
        })
        return rows.map(toRow)
      })

      const change = traced("ScenarioStore.change")(function* (
        ownerId: OwnerId,
        id: string,
        from: number,
        to: Pick<ScenarioRow, "draft" | "updatedAt">
      ) {
        if (!isId(id)) return Option.none()
        return yield* one(
          `UPDATE scenario SET draft = $4, version = version + 1, updated_at = $5
           WHERE owner_id = $1 AND id = $2 AND version = $3 RETURNING *`,
          [ownerId, id, from, textOf(to.draft), to.updatedAt]
        )
      })

      const remove = traced("ScenarioStore.remove")(function* (ownerId: OwnerId, id: string) {
        if (!isId(id)) return Option.none()
        return yield* one("DELETE FROM scenario WHERE owner_id = $1 AND id = $2 RETURNING *", [ownerId, id])
      })

      return ScenarioStore.of({ insert, find, count, list, change, remove })
    })
  )
}

interface Stored {
  readonly id: string
  readonly owner_id: OwnerId
  readonly draft: string
  readonly version: number
  readonly created_at: Date
  readonly updated_at: Date
}

const textOf = (draft: ScenarioDraft): string => storable(JSON.stringify(draft))

const toRow = (stored: Stored): ScenarioRow => ({
  id: stored.id,
  ownerId: stored.owner_id,
  draft: JSON.parse(stored.draft), // we wrote it, from a decoded draft
  version: stored.version,
  createdAt: stored.created_at.toISOString(),
  updatedAt: stored.updated_at.toISOString()
})
