/** API keys and the accounts that own them. The secret of a key is shown once. Port; see KeyStorePostgres. */
import { Context, type Effect, type Option, type Redacted } from "effect"
import type { ApiKeyView, Caller, Scope } from "../../schema/Account.ts"
import type { OwnerId } from "../../schema/Ids.ts"

/** An account: what owns keys, connections and runs. */
export interface Owner {
  readonly ownerId: OwnerId
  /** Its name, unique: `default` unless an operator makes more. */
  readonly account: string
  /** Name of its plan; the configured default when its row names none. */
  readonly plan: string
}

export interface NewKey {
  readonly ownerId: OwnerId
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  /** ISO 8601 UTC, or null: does not expire. */
  readonly expiresAt: string | null
}

/** A key just made: the only time that its text is known. */
export interface CreatedKey {
  readonly view: ApiKeyView
  readonly key: Redacted.Redacted<string>
}

/** Dies with `DatabaseDown` (Database.ts) while Postgres is away. An id of an impossible form is simply not found. */
export class KeyStore extends Context.Tag("store/KeyStore")<
  KeyStore,
  {
    /** The account of that name, made when it is not there. */
    readonly account: (name: string) => Effect.Effect<Owner>
    readonly owner: (ownerId: OwnerId) => Effect.Effect<Option.Option<Owner>>
    readonly create: (key: NewKey) => Effect.Effect<CreatedKey>
    /** Newest first, revoked and expired ones too. */
    readonly list: (ownerId: OwnerId) => Effect.Effect<ReadonlyArray<ApiKeyView>>
    readonly find: (ownerId: OwnerId, id: string) => Effect.Effect<Option.Option<ApiKeyView>>
    /** From now on refused. The view after it; none when it is not there. */
    readonly revoke: (ownerId: OwnerId, id: string) => Effect.Effect<Option.Option<ApiKeyView>>
    /** Lets the key end at that instant, or earlier if it does already (for a roll). */
    readonly expire: (ownerId: OwnerId, id: string, at: string) => Effect.Effect<Option.Option<ApiKeyView>>
    /**
     * Who calls with this key; none when it is malformed, unknown, revoked or expired. May answer from memory for
     * up to 5 seconds, so a key revoked by another process is refused at most 5 seconds later.
     */
    readonly findByKey: (key: Redacted.Redacted<string>) => Effect.Effect<Option.Option<Caller>>
    /**
     * Makes a key of account `default` with all scopes out of the operator's own text (at least 16 characters, of any
     * form). Idempotent. It works in processes that were told of it, and again after a revocation.
     */
    readonly ensureBootstrap: (key: Redacted.Redacted<string>) => Effect.Effect<void>
  }
>() {}
