/** API keys and the accounts that own them. The text of a key is shown once. */
import { timingSafeEqual } from "node:crypto"
import { Context, Duration, Effect, Exit, Layer, Option, Redacted } from "effect"
import { type ApiKeyView, allScopes, type Caller, type Scope } from "../../../schema/Account.ts"
import type { KeyId, OwnerId } from "../../../schema/Ids.ts"
import { Database } from "../../database/Database.ts"
import { newId } from "../../database/newId.ts"
import { sharedLookup } from "../../database/shared.ts"
import { isId, isoOrNull } from "../../database/storable.ts"
import { traced } from "../../telemetry/traced.ts"
import { hashOf, isApiKey, makeApiKey, shownPrefix } from "../secrets/apiKey.ts"
import { type FoundKey, type KeyRow, keyRows, viewOf } from "./keyRows.ts"

/** An account: what owns keys, connections and runs. */
interface Owner {
  readonly ownerId: OwnerId
  /** Its name, unique: `default` unless an operator makes more. */
  readonly account: string
  /** Name of its plan; the configured default when its row names none. */
  readonly plan: string
}

/** A key to create. */
export interface NewKey {
  /** Default: a new one. */
  readonly id?: string
  readonly ownerId: OwnerId
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  /** ISO 8601 UTC, or null: does not expire. */
  readonly expiresAt: string | null
}

/** A key just created: the only time that its text is known. */
export interface CreatedKey {
  readonly view: ApiKeyView
  readonly key: Redacted.Redacted<string>
}

/** A key that is neither revoked nor expired, looked up by its id. */
interface ValidKey {
  readonly caller: Caller
  readonly name: string
  /** ISO 8601 UTC, or null: does not expire. */
  readonly expiresAt: string | null
}

/** The accounts and their keys. Dies with `DatabaseDown` while Postgres is away. A malformed id is not found. */
export class KeyStore extends Context.Tag("store/KeyStore")<
  KeyStore,
  {
    /** The account of that name; created if it does not exist. */
    readonly account: (name: string) => Effect.Effect<Owner>
    readonly owner: (ownerId: OwnerId) => Effect.Effect<Option.Option<Owner>>
    readonly create: (key: NewKey) => Effect.Effect<CreatedKey>
    /** A new text for a key whose text was never handed out; none when the key does not exist. */
    readonly renew: (ownerId: OwnerId, id: string) => Effect.Effect<Option.Option<CreatedKey>>
    /** Newest first, revoked and expired ones too. */
    readonly list: (ownerId: OwnerId) => Effect.Effect<ReadonlyArray<ApiKeyView>>
    readonly find: (ownerId: OwnerId, id: string) => Effect.Effect<Option.Option<ApiKeyView>>
    /** Revokes the key for good and returns its view; none when it does not exist. */
    readonly revoke: (ownerId: OwnerId, id: string) => Effect.Effect<Option.Option<ApiKeyView>>
    /** Sets the key's expiry to that instant, unless it expires earlier (for a roll); none when it does not exist. */
    readonly expire: (ownerId: OwnerId, id: string, at: string) => Effect.Effect<Option.Option<ApiKeyView>>
    /**
     * The caller with this key; none when it is malformed, unknown, revoked or expired. May answer from memory for up to
     * 5 seconds, so a key revoked by another process is refused at most 5 seconds later.
     */
    readonly findByKey: (key: Redacted.Redacted<string>) => Effect.Effect<Option.Option<Caller>>
    /** The caller that `findByKey` would answer from memory; undefined: ask that one. */
    readonly findByKeyAtOnce: (key: string) => Caller | undefined
    /** The key with that id, and notes its use; none when it is unknown, revoked or expired. Never answers from memory. */
    readonly findById: (id: KeyId) => Effect.Effect<Option.Option<ValidKey>>
    /** How many of the owner's keys are neither revoked nor expired. */
    readonly countGood: (ownerId: OwnerId) => Effect.Effect<number>
    /** Those of the keys that are revoked, expired or deleted, by the database's present state. */
    readonly ended: (ids: ReadonlyArray<KeyId>) => Effect.Effect<ReadonlyArray<KeyId>>
    /**
     * Creates a key of account `default` with all scopes from the operator's own text (at least 16 characters, of any
     * form), and returns its view. Idempotent. The key works in every process that calls this, until it is revoked or
     * expires; calling this again does not change that.
     */
    readonly ensureBootstrap: (key: Redacted.Redacted<string>) => Effect.Effect<ApiKeyView>
  }
>() {
  /**
   * `defaultPlan`: the plan of owners whose row names none and who are not among `accounts` (account name -> plan).
   */
  static readonly layer = (options: {
    readonly defaultPlan: string
    readonly accounts?: Readonly<Record<string, string>>
  }): Layer.Layer<KeyStore, never, Database> =>
    Layer.effect(
      KeyStore,
      Effect.gen(function* () {
        const rows = keyRows(yield* Database)
        const clock = yield* Effect.clock
        // A Map, because an account may be called `constructor`.
        const plans = new Map(Object.entries(options.accounts ?? {}))
        // Bootstrap keys that this process accepts whatever their form: hex of their hashes.
        const literal = new Set<string>()
        const cache = yield* sharedLookup({
          capacity: 1000,
          timeToLive: (exit) => (Exit.isSuccess(exit) ? cacheTime : Duration.zero),
          lookup: (hash: string) =>
            Effect.flatMap(newId("audit"), (entry) => rows.use("hash", Buffer.from(hash, "hex"), entry))
        })

        const account = traced("KeyStore.account")(function* (name: string) {
          return ownerOf(yield* rows.account(yield* newId("owner"), name))
        })
        const owner = traced("KeyStore.owner")(function* (ownerId: OwnerId) {
          return isId(ownerId) ? Option.map(yield* rows.owner(ownerId), ownerOf) : Option.none()
        })
        const ownerOf = (row: {
          readonly id: OwnerId
          readonly account: string
          readonly plan: string | null
        }): Owner => ({
          ownerId: row.id,
          account: row.account,
          plan: planOf(row)
        })
        const planOf = (row: { readonly account: string; readonly plan: string | null }): string =>
          row.plan ?? plans.get(row.account) ?? options.defaultPlan

        const create = traced("KeyStore.create")(function* (wanted: NewKey) {
          const key = yield* makeApiKey
          const text = Redacted.value(key)
          const row = yield* rows.insert({
            ...wanted,
            id: wanted.id ?? (yield* newId("key")),
            prefix: shownPrefix(text),
            text
          })
          return { view: viewOf(row), key }
        })

        const renew = traced("KeyStore.renew")(function* (ownerId: OwnerId, id: string) {
          const key = yield* makeApiKey
          const text = Redacted.value(key)
          const row = yield* rows.renew({ ownerId, id, prefix: shownPrefix(text), text })
          return Option.map(row, (renewed): CreatedKey => ({ view: viewOf(renewed), key }))
        })

        const list = traced("KeyStore.list")(function* (ownerId: OwnerId) {
          return (yield* rows.list(ownerId)).map(viewOf)
        })
        const find = traced("KeyStore.find")(function* (ownerId: OwnerId, id: string) {
          return isId(id) ? Option.map(yield* rows.find(ownerId, id), viewOf) : Option.none()
        })
        const revoke = traced("KeyStore.revoke")(function* (ownerId: OwnerId, id: string) {
          return isId(id) ? yield* forget(yield* rows.revoke(ownerId, id)) : Option.none()
        })
        const expire = traced("KeyStore.expire")(function* (ownerId: OwnerId, id: string, at: string) {
          return isId(id) ? yield* forget(yield* rows.expire(ownerId, id, at)) : Option.none()
        })
        const forget = Effect.fnUntraced(function* (row: Option.Option<KeyRow>) {
          if (Option.isSome(row)) yield* cache.invalidate(row.value.hash.toString("hex"))
          return Option.map(row, viewOf)
        })

        const findByKey = traced("KeyStore.findByKey")(function* (key: Redacted.Redacted<string>) {
          const text = Redacted.value(key)
          const hash = hashOf(text)
          const hex = hash.toString("hex")
          // A wrong checksum needs no query, so a flood of invented keys does not load the database.
          if (!isApiKey(text) && !literal.has(hex)) return Option.none()
          return callerOf(yield* cache.get(hex), hash)
        })
        const findByKeyAtOnce = (text: string) => {
          const hash = hashOf(text)
          const found = cache.getAtOnce(hash.toString("hex"))
          return found === undefined ? undefined : Option.getOrUndefined(callerOf(found, hash))
        }
        const callerOf = (found: Option.Option<FoundKey>, hash: Buffer): Option.Option<Caller> =>
          Option.isSome(found) && isValid(found.value, hash, clock.unsafeCurrentTimeMillis())
            ? Option.some(callerWith(found.value))
            : Option.none()
        const callerWith = (row: FoundKey): Caller => ({
          ownerId: row.owner_id,
          keyId: row.id,
          scopes: row.scopes,
          plan: planOf(row)
        })
        const findById = traced("KeyStore.findById")(function* (id: KeyId) {
          const row = yield* rows.use("id", id, yield* newId("audit"))
          return Option.map(
            row,
            (found): ValidKey => ({
              caller: callerWith(found),
              name: found.name,
              expiresAt: isoOrNull(found.expires_at)
            })
          )
        })

        const ensureBootstrap = traced("KeyStore.ensureBootstrap")(function* (
          key: Redacted.Redacted<string>
        ) {
          const text = Redacted.value(key)
          if (text.length < 16) return yield* Effect.dieMessage("A bootstrap key has at least 16 characters")
          const { ownerId } = yield* account("default")
          const id = yield* newId("key")
          // The operator chose this text, so its beginning may reveal something.
          const row = yield* rows.insert({
            id,
            ownerId,
            name: "bootstrap",
            scopes: allScopes,
            expiresAt: null,
            prefix: "",
            text
          })
          literal.add(hashOf(text).toString("hex"))
          yield* cache.invalidate(hashOf(text).toString("hex"))
          return viewOf(row)
        })

        return KeyStore.of({
          account,
          owner,
          create,
          renew,
          list,
          find,
          revoke,
          expire,
          findByKey,
          findByKeyAtOnce,
          findById,
          countGood: rows.countGood,
          ended: rows.ended,
          ensureBootstrap
        })
      })
    )
}

const cacheTime = Duration.seconds(5)

function isValid(row: FoundKey, hash: Buffer, now: number): boolean {
  if (!timingSafeEqual(row.hash, hash) || row.revoked_at !== null) return false
  return row.expires_at === null || row.expires_at.getTime() > now
}
