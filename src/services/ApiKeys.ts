/** API keys: who calls, and making, listing, rolling and revoking keys. */
import { Clock, Context, Effect, Layer, Option, type Redacted } from "effect"
import type { ApiKeyView, Caller, Scope } from "../../schema/Account.ts"
import { Invalid, NotFound, Unauthorized } from "../../schema/Errors.ts"
import type { OwnerId } from "../../schema/Ids.ts"
import { type CreatedKey, KeyStore } from "../store/KeyStore.ts"

/** The one text of every 401, so that nobody learns why. */
export const unauthorizedMessage =
  "A valid API key is required: send the header Authorization: Bearer <API_KEY>. Keys are made under Settings"

/** The longest that an old key lives on after a roll. */
const maxOverlapDays = 7
const dayMillis = 86_400_000

export class ApiKeys extends Context.Tag("services/ApiKeys")<
  ApiKeys,
  {
    readonly authenticate: (key: Redacted.Redacted<string>) => Effect.Effect<Caller, Unauthorized>
    /** `expiresInDays` undefined: it does not expire. The key's text is in the answer and nowhere else. */
    readonly create: (
      owner: OwnerId,
      order: { readonly name: string; readonly scopes: ReadonlyArray<Scope>; readonly expiresInDays?: number }
    ) => Effect.Effect<CreatedKey>
    readonly list: (owner: OwnerId) => Effect.Effect<ReadonlyArray<ApiKeyView>>
    /** A new key with the name and scopes of the old one, which ends after 0 to 7 days. */
    readonly roll: (
      owner: OwnerId,
      id: string,
      overlapDays: number
    ) => Effect.Effect<CreatedKey, NotFound | Invalid>
    readonly revoke: (owner: OwnerId, id: string) => Effect.Effect<ApiKeyView, NotFound>
    /** The account of that name, made when it is not there. */
    readonly account: KeyStore["Type"]["account"]
  }
>() {
  static readonly layer = Layer.effect(
    ApiKeys,
    Effect.gen(function* () {
      const store = yield* KeyStore
      const missing = new NotFound({ message: "There is no such API key in this account" })
      const inDays = (days: number) =>
        Effect.map(Clock.currentTimeMillis, (now) => new Date(now + days * dayMillis).toISOString())

      const authenticate = Effect.fn("ApiKeys.authenticate")(function* (key: Redacted.Redacted<string>) {
        const caller = yield* store.findByKey(key)
        return yield* Option.match(caller, {
          onNone: () => new Unauthorized({ message: unauthorizedMessage }),
          onSome: Effect.succeed
        })
      })

      const create = Effect.fn("ApiKeys.create")(function* (
        ownerId: OwnerId,
        order: {
          readonly name: string
          readonly scopes: ReadonlyArray<Scope>
          readonly expiresInDays?: number
        }
      ) {
        const expiresAt = order.expiresInDays === undefined ? null : yield* inDays(order.expiresInDays)
        return yield* store.create({ ownerId, name: order.name, scopes: order.scopes, expiresAt })
      })

      const roll = Effect.fn("ApiKeys.roll")(function* (ownerId: OwnerId, id: string, overlapDays: number) {
        if (!(overlapDays >= 0 && overlapDays <= maxOverlapDays)) {
          return yield* new Invalid({
            message: `overlapDays: expected 0 to ${maxOverlapDays}, actual ${overlapDays}`
          })
        }
        const old = yield* Effect.flatMap(
          store.find(ownerId, id),
          Option.match({ onNone: () => missing, onSome: Effect.succeed })
        )
        const made = yield* store.create({
          ownerId,
          name: old.name,
          scopes: old.scopes,
          expiresAt: old.expiresAt
        })
        yield* overlapDays === 0
          ? store.revoke(ownerId, id)
          : Effect.flatMap(inDays(overlapDays), (at) => store.expire(ownerId, id, at))
        return made
      })

      const revoke = Effect.fn("ApiKeys.revoke")(function* (ownerId: OwnerId, id: string) {
        const revoked = yield* store.revoke(ownerId, id)
        return yield* Option.match(revoked, { onNone: () => missing, onSome: Effect.succeed })
      })

      return ApiKeys.of({ authenticate, create, list: store.list, roll, revoke, account: store.account })
    })
  )
}
