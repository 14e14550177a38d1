/**
 * Rows of connections: what the API shows of them. Protocol state (tokens, endpoints, dialect) is in the party with the
 * same id.
 */
import { Context, Effect, Layer, Option } from "effect"
import type { ConnectionStatus, Environment } from "../../../schema/Connection.ts"
import { type ConnectionId, type OwnerId, PartyId } from "../../../schema/Ids.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { Database } from "../../database/Database.ts"
import { isId, isoOrNull, storable } from "../../database/storable.ts"
import { cleanerOf } from "../../redaction/scrubValue.ts"
import { traced } from "../../telemetry/traced.ts"
import { PartyCache } from "../parties/PartyCache.ts"
import type { SecretBox } from "../secrets/SecretBox.ts"

/** A connection as it is stored. Times are ISO 8601 UTC with milliseconds. */
export interface ConnectionRow {
  readonly id: ConnectionId
  readonly ownerId: OwnerId
  readonly label: string
  readonly environment: Environment
  readonly partnerBaseUrl: string
  readonly ourRole: Role
  readonly theirRole: Role
  readonly ocpiVersion: OcpiVersion
  readonly status: ConnectionStatus
  readonly lastError: string | null
  readonly createdAt: string
  readonly registeredAt: string | null
}

/** The fields that can change; an absent one stays as it is. */
type ConnectionPatch = Partial<
  Pick<
    ConnectionRow,
    "label" | "environment" | "partnerBaseUrl" | "ocpiVersion" | "status" | "lastError" | "registeredAt"
  >
>

/** Which connections to list, newest first. */
export interface ConnectionListQuery {
  readonly ownerId: OwnerId
  readonly status?: ConnectionStatus
  readonly ocpiVersion?: OcpiVersion
  /** Id of the last item of the previous page (ids are time-ordered). */
  readonly cursor?: string
  readonly limit: number
}

/** Whose rows a call may read and change: one owner's, or all (`system`, for calls that a partner caused). */
type ConnectionOwner = OwnerId | "system"

/**
 * The connections. Dies with `DatabaseDown` while Postgres is away. A malformed id is not found. Texts are redacted
 * before they are written: every token of the connection's party is replaced by a placeholder.
 */
export class ConnectionStore extends Context.Tag("store/ConnectionStore")<
  ConnectionStore,
  {
    /** Idempotent by id. */
    readonly insert: (row: ConnectionRow) => Effect.Effect<void>
    readonly find: (owner: ConnectionOwner, id: string) => Effect.Effect<Option.Option<ConnectionRow>>
    /** Newest first. */
    readonly list: (query: ConnectionListQuery) => Effect.Effect<ReadonlyArray<ConnectionRow>>
    readonly count: (ownerId: OwnerId) => Effect.Effect<number>
    /** Returns the row after the change; none when it does not exist or is another owner's. */
    readonly update: (
      owner: ConnectionOwner,
      id: string,
      patch: ConnectionPatch
    ) => Effect.Effect<Option.Option<ConnectionRow>>
    /** True when there was something to remove. Commands, reports and ledgers stay. */
    readonly remove: (owner: ConnectionOwner, id: string) => Effect.Effect<boolean>
  }
>() {
  static readonly layer: Layer.Layer<ConnectionStore, never, Database | SecretBox> = Layer.effect(
    ConnectionStore,
    Effect.gen(function* () {
      const { query } = yield* Database
      const { secrets } = yield* PartyCache
      const cleaner = (id: string) => Effect.map(secrets(PartyId.make(id)), cleanerOf)

      const insert = traced("ConnectionStore.insert")(function* (row: ConnectionRow) {
        const { text } = yield* cleaner(row.id)
        yield* query({
          text: `INSERT INTO connection (id, owner_id, label, environment, partner_base_url, our_role, their_role,
                   ocpi_version, status, last_error, created_at, registered_at)
                 VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) ON CONFLICT (id) DO NOTHING`,
          values: [
            row.id,
            row.ownerId,
            storable(text(row.label)),
            row.environment,
            storable(text(row.partnerBaseUrl)),
            row.ourRole,
            row.theirRole,
            row.ocpiVersion,
            row.status,
            row.lastError === null ? null : storable(text(row.lastError)),
            row.createdAt,
            row.registeredAt
          ]
        })
      })

      const find = traced("ConnectionStore.find")(function* (owner: ConnectionOwner, id: string) {
        if (!isId(id)) return Option.none()
        const rows = yield* query<Stored>({
          name: "connection_find",
          text: "SELECT * FROM connection WHERE id = $1 AND ($2::text IS NULL OR owner_id = $2)",
          values: [id, ownerOrAny(owner)]
        })
        return Option.map(Option.fromNullable(rows[0]), toRow)
      })

      const list = traced("ConnectionStore.list")(function* (wanted: ConnectionListQuery) {
        if (wanted.cursor !== undefined && !isId(wanted.cursor)) return []
        const rows = yield* query<Stored>({
          text: `SELECT * FROM connection WHERE owner_id = $1
                   AND ($2::text IS NULL OR status = $2) AND ($3::text IS NULL OR ocpi_version = $3)
                   AND ($4::text IS NULL OR id < $4)
                 ORDER BY id DESC LIMIT $5`,
          values: [
            wanted.ownerId,
            wanted.status ?? null,
            wanted.ocpiVersion ?? null,
            wanted.cursor ?? null,
            wanted.limit
          ]
        })
        return rows.map(toRow)
      })

      const count = traced("ConnectionStore.count")(function* (ownerId: OwnerId) {
        const rows = yield* query<{ readonly n: number }>({
          text: "SELECT count(*) n FROM connection WHERE owner_id = $1",
          values: [ownerId]
        })
        return rows[0]?.n ?? 0
      })

      const update = traced("ConnectionStore.update")(function* (
        owner: ConnectionOwner,
        id: string,
        patch: ConnectionPatch
      ) {
        const changed = columns.filter(([field]) => patch[field] !== undefined)
        if (!isId(id) || changed.length === 0) return yield* find(owner, id)
        const { text } = yield* cleaner(id)
        const rows = yield* query<Stored>({
          text: `UPDATE connection SET ${changed.map(([, column], at) => `${column} = $${at + 3}`).join(", ")}
                 WHERE id = $1 AND ($2::text IS NULL OR owner_id = $2) RETURNING *`,
          values: [
            id,
            ownerOrAny(owner),
            ...changed.map(([field]) => {
              const value = patch[field] ?? null
              return value === null ? null : storable(partnersWords.includes(field) ? text(value) : value)
            })
          ]
        })
        return Option.map(Option.fromNullable(rows[0]), toRow)
      })

      const remove = traced("ConnectionStore.remove")(function* (owner: ConnectionOwner, id: string) {
        if (!isId(id)) return false
        const rows = yield* query({
          text: "DELETE FROM connection WHERE id = $1 AND ($2::text IS NULL OR owner_id = $2) RETURNING id",
          values: [id, ownerOrAny(owner)]
        })
        return rows.length > 0
      })

      return ConnectionStore.of({ insert, find, list, count, update, remove })
    })
  ).pipe(Layer.provide(PartyCache.layer))
}

interface Stored {
  readonly id: ConnectionRow["id"]
  readonly owner_id: OwnerId
  readonly label: string
  readonly environment: Environment
  readonly partner_base_url: string
  readonly our_role: Role
  readonly their_role: Role
  readonly ocpi_version: OcpiVersion
  readonly status: ConnectionStatus
  readonly last_error: string | null
  readonly created_at: Date
  readonly registered_at: Date | null
}

const toRow = (stored: Stored): ConnectionRow => ({
  id: stored.id,
  ownerId: stored.owner_id,
  label: stored.label,
  environment: stored.environment,
  partnerBaseUrl: stored.partner_base_url,
  ourRole: stored.our_role,
  theirRole: stored.their_role,
  ocpiVersion: stored.ocpi_version,
  status: stored.status,
  lastError: stored.last_error,
  createdAt: stored.created_at.toISOString(),
  registeredAt: isoOrNull(stored.registered_at)
})

const columns: ReadonlyArray<readonly [keyof ConnectionPatch, string]> = [
  ["label", "label"],
  ["environment", "environment"],
  ["partnerBaseUrl", "partner_base_url"],
  ["ocpiVersion", "ocpi_version"],
  ["status", "status"],
  ["lastError", "last_error"],
  ["registeredAt", "registered_at"]
]

/** Fields that may contain a partner's text or its address. */
const partnersWords: ReadonlyArray<keyof ConnectionPatch> = ["label", "partnerBaseUrl", "lastError"]

const ownerOrAny = (owner: ConnectionOwner) => (owner === "system" ? null : owner)
