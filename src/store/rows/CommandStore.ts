/** Rows of commands sent to partners. The party keeps their asynchronous results. */
import { Context, Effect, Layer, Option } from "effect"
import type { CommandName, CommandState } from "../../../schema/Command.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { type CommandId, type ConnectionId, type OwnerId, PartyId } from "../../../schema/Ids.ts"
import { Database } from "../../database/Database.ts"
import { isId, isoOrNull } from "../../database/storable.ts"
import { cleanerOf } from "../../redaction/scrubValue.ts"
import { traced } from "../../telemetry/traced.ts"
import { PartyCache } from "../parties/PartyCache.ts"
import type { SecretBox } from "../secrets/SecretBox.ts"

/** A command as it is stored. Times are ISO 8601 UTC with milliseconds. */
export interface CommandRow {
  readonly commandId: CommandId
  readonly ownerId: OwnerId
  readonly connectionId: ConnectionId
  readonly command: CommandName
  readonly state: CommandState
  /** Null until the exchange ended. */
  readonly exchange: Exchange | null
  /** Deadline of the asynchronous result, ISO 8601 UTC; null when none is awaited. */
  readonly deadline: string | null
  readonly createdAt: string
}

/** The fields that can change; an absent one stays as it is. */
type CommandPatch = Partial<Pick<CommandRow, "state" | "exchange" | "deadline">>

/**
 * The commands. Dies with `DatabaseDown` while Postgres is away. A malformed id is not found. Exchanges are redacted
 * before they are written: every token of the connection's party is replaced by a placeholder.
 */
export class CommandStore extends Context.Tag("store/CommandStore")<
  CommandStore,
  {
    /** Idempotent by id. */
    readonly insert: (row: CommandRow) => Effect.Effect<void>
    /** Returns the row after the change; none when it does not exist. */
    readonly update: (
      ownerId: OwnerId,
      id: string,
      patch: CommandPatch
    ) => Effect.Effect<Option.Option<CommandRow>>
    readonly find: (ownerId: OwnerId, id: string) => Effect.Effect<Option.Option<CommandRow>>
    /** Newest first; `cursor` is the id of the last item of the previous page. */
    readonly list: (
      ownerId: OwnerId,
      connectionId: string,
      page: { readonly cursor?: string; readonly limit: number }
    ) => Effect.Effect<ReadonlyArray<CommandRow>>
  }
>() {
  static readonly layer: Layer.Layer<CommandStore, never, Database | SecretBox> = Layer.effect(
    CommandStore,
    Effect.gen(function* () {
      const { query } = yield* Database
      const { secrets } = yield* PartyCache
      const clean = (connectionId: string, exchange: Exchange | null) =>
        Effect.map(secrets(PartyId.make(connectionId)), (known) =>
          exchange === null ? null : JSON.stringify(cleanerOf(known).value(exchange))
        )

      const insert = traced("CommandStore.insert")(function* (row: CommandRow) {
        yield* query({
          text: `INSERT INTO command (id, owner_id, connection_id, command, state, exchange, deadline, created_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT (id) DO NOTHING`,
          values: [
            row.commandId,
            row.ownerId,
            row.connectionId,
            row.command,
            row.state,
            yield* clean(row.connectionId, row.exchange),
            row.deadline,
            row.createdAt
          ]
        })
      })

      const update = traced("CommandStore.update")(function* (
        ownerId: OwnerId,
        id: string,
        patch: CommandPatch
      ) {
        const { exchange = null } = patch
        const before = yield* find(ownerId, id)
        if (Option.isNone(before)) return Option.none()
        const rows = yield* query<Stored>({
          text: `UPDATE command SET state = coalesce($3, state),
                   exchange = CASE WHEN $4 THEN $5::json ELSE exchange END,
                   deadline = CASE WHEN $6 THEN $7::timestamptz ELSE deadline END
                 WHERE owner_id = $1 AND id = $2 RETURNING *`,
          values: [
            ownerId,
            id,
            patch.state ?? null,
            patch.exchange !== undefined,
            yield* clean(before.value.connectionId, exchange),
            patch.deadline !== undefined,
            patch.deadline ?? null
          ]
        })
        return Option.map(Option.fromNullable(rows[0]), toRow)
      })

      const find = traced("CommandStore.find")(function* (ownerId: OwnerId, id: string) {
        if (!isId(id)) return Option.none()
        const rows = yield* query<Stored>({
          text: "SELECT * FROM command WHERE owner_id = $1 AND id = $2",
          values: [ownerId, id]
        })
        return Option.map(Option.fromNullable(rows[0]), toRow)
      })

      const list = traced("CommandStore.list")(function* (
        ownerId: OwnerId,
        connectionId: string,
        page: { readonly cursor?: string; readonly limit: number }
      ) {
        if (!isId(connectionId) || (page.cursor !== undefined && !isId(page.cursor))) return []
        const rows = yield* query<Stored>({
          text: `SELECT * FROM command WHERE owner_id = $1 AND connection_id = $2 AND ($3::text IS NULL OR id < $3)
                 ORDER BY id DESC LIMIT $4`,
          values: [ownerId, connectionId, page.cursor ?? null, page.limit]
        })
        return rows.map(toRow)
      })

      return CommandStore.of({ insert, update, find, list })
    })
  ).pipe(Layer.provide(PartyCache.layer))
}

interface Stored {
  readonly id: CommandId
  readonly owner_id: OwnerId
  readonly connection_id: ConnectionId
  readonly command: CommandName
  readonly state: CommandState
  readonly exchange: Exchange | null
  readonly deadline: Date | null
  readonly created_at: Date
}

const toRow = (stored: Stored): CommandRow => ({
  commandId: stored.id,
  ownerId: stored.owner_id,
  connectionId: stored.connection_id,
  command: stored.command,
  state: stored.state,
  exchange: stored.exchange,
  deadline: isoOrNull(stored.deadline),
  createdAt: stored.created_at.toISOString()
})
