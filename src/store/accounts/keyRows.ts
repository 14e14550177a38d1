/** The statements behind KeyStore. */
import { Effect, Option } from "effect"
import type { ApiKeyView, Scope } from "../../../schema/Account.ts"
import type { KeyId, OwnerId } from "../../../schema/Ids.ts"
import type { Query } from "../../database/statement.ts"
import { isoOrNull, storable } from "../../database/storable.ts"
import { hashOf } from "../secrets/apiKey.ts"

/** A row of `api_key`. */
export interface KeyRow {
  readonly id: KeyId
  readonly owner_id: OwnerId
  readonly name: string
  readonly prefix: string
  readonly last4: string
  readonly hash: Buffer
  readonly scopes: ReadonlyArray<Scope>
  readonly created_at: Date
  readonly expires_at: Date | null
  readonly last_used_at: Date | null
  readonly revoked_at: Date | null
}

/** A key with its owner's account name and plan. */
export type FoundKey = KeyRow & { readonly account: string; readonly plan: string | null }

interface OwnerRow {
  readonly id: OwnerId
  readonly account: string
  readonly plan: string | null
}

interface InsertKey {
  readonly id: string
  readonly ownerId: OwnerId
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresAt: string | null
  readonly prefix: string
  readonly text: string
}

/** A key as listings show it: prefix and last four characters, nothing else of the secret. */
export const viewOf = (row: KeyRow): ApiKeyView => ({
  _id: row.id,
  name: row.name,
  prefix: row.prefix,
  last4: row.last4,
  scopes: row.scopes,
  createdAt: row.created_at.toISOString(),
  expiresAt: isoOrNull(row.expires_at),
  lastUsedAt: isoOrNull(row.last_used_at),
  revokedAt: isoOrNull(row.revoked_at)
})

/** The statements on `owner` and `api_key`. */
export const keyRows = ({ query }: { readonly query: Query }) => ({
  /** The owner of that name; created with that id if there is none. */
  account: (id: string, name: string) =>
    Effect.map(
      query<OwnerRow>({
        text: `INSERT INTO owner (id, account) VALUES ($1, $2)
               ON CONFLICT (account) DO UPDATE SET account = excluded.account RETURNING id, account, plan`,
        values: [id, storable(name)]
      }),
      (rows) => rows[0]!
    ),

  owner: (id: OwnerId) =>
    first(query<OwnerRow>({ text: "SELECT id, account, plan FROM owner WHERE id = $1", values: [id] })),

  /** Returns the row with that text: an existing one stays as it is, even if revoked or expired. */
  insert: (key: InsertKey) =>
    Effect.map(
      query<KeyRow>({
        text: `INSERT INTO api_key (id, owner_id, name, prefix, last4, hash, scopes, created_at, expires_at)
               VALUES ($1, $2, $3, $4, $5, $6, $7, date_trunc('milliseconds', clock_timestamp()), $8)
               ON CONFLICT (hash) DO UPDATE SET hash = excluded.hash RETURNING *`,
        values: [
          key.id,
          key.ownerId,
          storable(key.name),
          key.prefix,
          storable(key.text.slice(-4)),
          hashOf(key.text),
          key.scopes,
          key.expiresAt
        ]
      }),
      (rows) => rows[0]!
    ),

  renew: ({ id, ownerId, prefix, text }: Pick<InsertKey, "id" | "ownerId" | "prefix" | "text">) =>
    first(
      query<KeyRow>({
        text: `UPDATE api_key SET hash = $3, prefix = $4, last4 = $5
               WHERE owner_id = $1 AND id = $2 RETURNING *`,
        values: [ownerId, id, hashOf(text), prefix, storable(text.slice(-4))]
      })
    ),

  list: (ownerId: OwnerId) =>
    query<KeyRow>({ text: "SELECT * FROM api_key WHERE owner_id = $1 ORDER BY id DESC", values: [ownerId] }),

  find: (ownerId: OwnerId, id: string) =>
    first(
      query<KeyRow>({ text: "SELECT * FROM api_key WHERE owner_id = $1 AND id = $2", values: [ownerId, id] })
    ),

  revoke: (ownerId: OwnerId, id: string) =>
    first(
      query<KeyRow>({
        text: `UPDATE api_key SET revoked_at = coalesce(revoked_at, clock_timestamp())
               WHERE owner_id = $1 AND id = $2 RETURNING *`,
        values: [ownerId, id]
      })
    ),

  /** least() ignores NULL, so a key without an expiry gets this one. */
  expire: (ownerId: OwnerId, id: string, at: string) =>
    first(
      query<KeyRow>({
        text: "UPDATE api_key SET expires_at = least(expires_at, $3) WHERE owner_id = $1 AND id = $2 RETURNING *",
        values: [ownerId, id, at]
      })
    ),

  countGood: (ownerId: OwnerId) =>
    Effect.map(
      query<{ readonly n: number }>({
        text: `SELECT count(*) n FROM api_key WHERE owner_id = $1 AND revoked_at IS NULL
                 AND (expires_at IS NULL OR expires_at > clock_timestamp())`,
        values: [ownerId]
      }),
      (rows) => rows[0]?.n ?? 0
    ),

  /** Which of them are revoked, expired or deleted. */
  ended: (ids: ReadonlyArray<KeyId>) =>
    Effect.map(
      query<{ readonly id: KeyId }>({
        name: "api_key_ended",
        text: `SELECT wanted.id FROM unnest($1::text[]) wanted(id) WHERE NOT EXISTS (
                 SELECT FROM api_key k WHERE k.id = wanted.id AND revoked_at IS NULL
                   AND (expires_at IS NULL OR expires_at > clock_timestamp()))`,
        values: [ids]
      }),
      (rows) => rows.map(({ id }) => id)
    ),

  /**
   * The valid key with that hash or id; records its use at most once a minute, and once an hour in the audit log, as `entry`.
   * An invalid key gives no row, like an unknown one: reading a row takes time, and that time would reveal that the key
   * existed.
   */
  use: (by: "hash" | "id", value: Buffer | string, entry: string) =>
    first(
      query<FoundKey>({
        name: `api_key_use_${by}`,
        text: `WITH used AS (
                 UPDATE api_key k SET last_used_at = clock_timestamp() FROM api_key before
                 WHERE k.${by} = $1 AND before.id = k.id
                   AND k.revoked_at IS NULL AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())
                   AND (k.last_used_at IS NULL OR k.last_used_at < clock_timestamp() - interval '1 minute')
                 RETURNING k.owner_id, k.id, before.last_used_at
               ), noted AS (
                 INSERT INTO audit_entry (id, owner_id, key_id, action, status)
                 SELECT $2, owner_id, id, 'key.used', 200 FROM used
                 WHERE last_used_at IS NULL OR date_trunc('hour', last_used_at) < date_trunc('hour', clock_timestamp())
                 ON CONFLICT (id) DO NOTHING
               )
               SELECT k.*, o.account, o.plan FROM api_key k JOIN owner o ON o.id = k.owner_id
               WHERE k.${by} = $1 AND k.revoked_at IS NULL
                 AND (k.expires_at IS NULL OR k.expires_at > clock_timestamp())`,
        values: [value, entry]
      })
    )
})

const first = <A>(rows: Effect.Effect<ReadonlyArray<A>>): Effect.Effect<Option.Option<A>> =>
  Effect.map(rows, (found) => Option.fromNullable(found[0]))
