import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Either } from "effect"
import { ConnectionId, KeyId, OwnerId } from "../../schema/Ids.ts"
import { defaultLimits, RateLimits } from "../../src/services/RateLimits.ts"

const caller = { ownerId: OwnerId.make("own_1"), keyId: KeyId.make("key_1"), scopes: [], plan: "unlimited" }
const limits = { ...defaultLimits, requests: 2, streams: 1, runs: 5 }

describe("rate limits", () => {
  it.live("fill up again with time, and promise when", () =>
    Effect.gen(function* () {
      const rates = yield* RateLimits
      yield* rates.request(caller)
      yield* rates.request(caller)
      const refused = yield* rates.request(caller)
      assert.isFalse(refused.allowed)
      assert.strictEqual(refused.standing.resetSeconds, 30)
      // A clock of our own: half a minute later.
      const clock = yield* Effect.clock
      const now = yield* Clock.currentTimeMillis
      const later: Clock.Clock = {
        ...clock,
        unsafeCurrentTimeMillis: () => now + 30_000,
        currentTimeMillis: Effect.succeed(now + 30_000)
      }
      assert.isTrue((yield* Effect.withClock(rates.request(caller), later)).allowed)
    }).pipe(Effect.provide(RateLimits.layer(limits)))
  )

  it.effect("count commands by connection and by key", () =>
    Effect.gen(function* () {
      const rates = yield* RateLimits
      const sent = yield* Effect.forEach(Array.from({ length: 40 }), (_, index) =>
        Effect.either(rates.command(caller, ConnectionId.make(`conn_${index % 8}`)))
      )
      assert.lengthOf(sent.filter(Either.isRight), 30)
    }).pipe(Effect.provide(RateLimits.layer(limits)))
  )

  it.effect("give a stream's place back once, however often it is released", () =>
    Effect.gen(function* () {
      const rates = yield* RateLimits
      const release = yield* rates.openStream(caller.ownerId)
      assert.isTrue(Either.isLeft(yield* Effect.either(rates.openStream(caller.ownerId))))
      release()
      release()
      yield* rates.openStream(caller.ownerId)
      assert.isTrue(Either.isLeft(yield* Effect.either(rates.openStream(caller.ownerId))))
    }).pipe(Effect.provide(RateLimits.layer(limits)))
  )

  it.effect("stop the sixth run", () =>
    Effect.gen(function* () {
      const rates = yield* RateLimits
      yield* rates.quota("runs", 4)
      const error = yield* Effect.flip(rates.quota("runs", 5))
      assert.strictEqual(error._tag, "TooMany")
    }).pipe(Effect.provide(RateLimits.layer(limits)))
  )
})
