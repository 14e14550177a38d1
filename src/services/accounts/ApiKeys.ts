/** API keys: authenticating callers, and making, listing, rolling and revoking keys. */
import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import { type ApiKeyView, allScopes, type Caller, type Scope } from "../../../schema/Account.ts"
import { Conflict, Forbidden, NotFound, type TooMany, Unauthorized } from "../../../schema/Errors.ts"
import { dayMillis } from "../../../schema/fields/durations.ts"
import type { OwnerId } from "../../../schema/Ids.ts"
import { type CreatedKey, KeyStore, type NewKey } from "../../store/accounts/KeyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { alreadyMade, idOf } from "../requests/IdempotentRequest.ts"
import { RateLimits } from "./RateLimits.ts"

/** The text of every 401; the same for every reason, so that it reveals nothing about keys. */
export const unauthorizedMessage =
  "A valid API key is required: send the header Authorization: Bearer <API_KEY>. Keys are made under Settings"

/** The request for a key. Without `expiresInDays` it does not expire. */
interface KeyOrder {
  readonly name: string
  readonly scopes: ReadonlyArray<Scope>
  readonly expiresInDays?: number
}

/** API keys of accounts; `authenticate` turns a key into its caller. */
export class ApiKeys extends Context.Tag("services/ApiKeys")<
  ApiKeys,
  {
    readonly authenticate: (key: Redacted.Redacted<string>) => Effect.Effect<Caller, Unauthorized>
    /** The same from memory; undefined: `authenticate` decides. */
    readonly authenticateAtOnce: (key: string) => Caller | undefined
    /**
     * Only the result holds the key's secret. `giver`: the scopes of the calling key (default: all, for the operator);
     * Forbidden when the order has a scope that `giver` lacks.
     */
    readonly create: (
      owner: OwnerId,
      order: KeyOrder,
      giver?: ReadonlyArray<Scope>
    ) => Effect.Effect<CreatedKey, Forbidden | TooMany>
    readonly list: (owner: OwnerId) => Effect.Effect<ReadonlyArray<ApiKeyView>>
    /**
     * Makes a key with the name, scopes and expiry of the old one, which ends after `overlapDays` (0 to 7, validated by the
     * caller). Conflict when the old one has ended already.
     */
    readonly roll: (
      owner: OwnerId,
      id: string,
      overlapDays: number,
      giver?: ReadonlyArray<Scope>
    ) => Effect.Effect<CreatedKey, NotFound | Conflict | Forbidden | TooMany>
    readonly revoke: (owner: OwnerId, id: string) => Effect.Effect<ApiKeyView, NotFound>
    /** The account with that name; made if it does not exist. */
    readonly account: KeyStore["Type"]["account"]
  }
>() {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* KeyStore
      const limits = yield* RateLimits
      const missing = new NotFound({ message: "There is no such API key in this account" })
      const inDays = (days: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => new Date(now + days * dayMillis).toISOString())

      const authenticate = traced("ApiKeys.authenticate")(function* (key: Redacted.Redacted<string>) {
        const caller = yield* store.findByKey(key)
        return yield* Option.match(caller, {
          onNone: () => new Unauthorized({ message: unauthorizedMessage }),
          onSome: Effect.succeed
        })
      })

      const create = traced("ApiKeys.create")(function* (
        ownerId: OwnerId,
        { expiresInDays, name, scopes }: KeyOrder,
        giver = allScopes
      ) {
        const before = yield* alreadyMade("key", (id) => store.renew(ownerId, id))
        if (Option.isSome(before)) return before.value
        yield* mayGive(giver, scopes)
        const expiresAt = expiresInDays === undefined ? null : yield* inDays(expiresInDays)
        return yield* made({ ownerId, name, scopes: [...new Set(scopes)], expiresAt })
      })

      const roll = traced("ApiKeys.roll")(function* (
        ownerId: OwnerId,
        id: string,
        overlapDays: number,
        giver = allScopes
      ) {
        const old = yield* Effect.flatMap(
          store.find(ownerId, id),
          Option.match({ onNone: () => missing, onSome: Effect.succeed })
        )
        const before = yield* alreadyMade("key", (newer) => store.renew(ownerId, newer))
        const rolled = Option.isSome(before) ? before.value : yield* successor(old, ownerId, giver)
        yield* overlapDays === 0
          ? store.revoke(ownerId, id)
          : Effect.flatMap(inDays(overlapDays), (at) => store.expire(ownerId, id, at))
        return rolled
      })

      const successor = traced("ApiKeys.successor")(function* (
        { _id, expiresAt, name, revokedAt, scopes }: ApiKeyView,
        ownerId: OwnerId,
        giver: ReadonlyArray<Scope>
      ) {
        const now = yield* Clock.currentTimeMillis
        if (revokedAt !== null || (expiresAt !== null && Date.parse(expiresAt) <= now)) {
          return yield* new Conflict({
            message: `The key ${_id} has ended (${revokedAt ?? expiresAt}); make a new one instead`
          })
        }
        yield* mayGive(giver, scopes)
        return yield* made({ ownerId, name, scopes, expiresAt })
      })

      const made = traced("ApiKeys.made")(function* (key: Omit<NewKey, "id">) {
        const one = store.create({ ...key, id: yield* idOf("key") })
        return yield* limits.withinQuota("keys", key.ownerId, store.countGood(key.ownerId), one)
      })

      const revoke = traced("ApiKeys.revoke")(function* (ownerId: OwnerId, id: string) {
        const revoked = yield* store.revoke(ownerId, id)
        return yield* Option.match(revoked, { onNone: () => missing, onSome: Effect.succeed })
      })

      return ApiKeys.of({
        authenticate,
        authenticateAtOnce: store.findByKeyAtOnce,
        create,
        list: store.list,
        roll,
        revoke,
        account: store.account
      })
    })
  )
}

/** A key can give only its own scopes; otherwise `keys:write` alone could make a key with all scopes. */
function mayGive(giver: ReadonlyArray<Scope>, wanted: ReadonlyArray<Scope>): Effect.Effect<void, Forbidden> {
  const beyond = wanted.filter((scope) => !giver.includes(scope))
  return beyond.length === 0
    ? Effect.void
    : new Forbidden({
        message: `This key lacks the scope "${beyond.join('", "')}" and cannot give it to another key; use a key that has it`
      })
}
