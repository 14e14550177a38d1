import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Either, Layer, TestClock } from "effect"
import { ConnectionId, KeyId, OwnerId } from "../../../schema/Ids.ts"
import { Database } from "../../../src/database/Database.ts"
import { Locks } from "../../../src/database/Locks.ts"
import { defaultLimits, RateLimits } from "../../../src/services/accounts/RateLimits.ts"
import { makeRateLimitBatch } from "../../../src/services/accounts/rateLimitBatch.ts"
import { BucketStore } from "../../../src/store/accounts/BucketStore.ts"
import { databaseUrl, TestDatabase } from "../../support/TestDatabase.ts"

const caller = (name: string) => ({
  ownerId: OwnerId.make("own_1"),
  keyId: KeyId.make(`key_${name}`),
  scopes: [],
  plan: "unlimited"
})
const limits = { ...defaultLimits, requests: 60, runs: 5 }
const stores = Layer.mergeAll(BucketStore.layer, Locks.layer)

/** Lets other fibers go on, as a query does. */
const nextTurn = Effect.async<void>((resume) => void setImmediate(() => resume(Effect.void)))

/** Tells how many tokens a bucket of that size may have got since: it is filled by the database's clock, which goes on. */
const filling = () => {
  const began = performance.now()
  return (limit: number) => Math.ceil(((performance.now() - began) / 60_000) * limit)
}

describe("a stock of tokens", () => {
  /** A bucket that gives what is wanted while it has it, and tells what it was asked for. */
  const scripted = (level: number) => {
    const asked: Array<number> = []
    const take = makeRateLimitBatch({
      take: (_, __, wanted) =>
        Effect.sync(() => {
          asked.push(wanted)
          const granted = Math.min(wanted, Math.floor(level))
          level -= granted
          return { granted, level }
        })
    })
    return { asked, take: take("key", 600) }
  }

  it.effect("asks once a request while requests are rare", () =>
    Effect.gen(function* () {
      const { asked, take } = scripted(600)
      for (let at = 0; at < 4; at++) {
        assert.isTrue((yield* take).allowed)
        yield* TestClock.adjust("2 seconds")
      }
      assert.deepStrictEqual(asked, [1, 1, 1, 1])
    })
  )

  it.effect("asks for twice as many whenever the last ones were gone within a second", () =>
    Effect.gen(function* () {
      const { asked, take } = scripted(600)
      yield* Effect.replicateEffect(take, 15)
      assert.deepStrictEqual(asked, [1, 2, 4, 8])
    })
  )

  it.effect("uses nothing that was taken longer than a second ago", () =>
    Effect.gen(function* () {
      const { asked, take } = scripted(600)
      yield* Effect.replicateEffect(take, 2)
      yield* TestClock.adjust("1 second")
      yield* take
      assert.deepStrictEqual(asked, [1, 2, 1])
    })
  )

  it.effect("asks for the next ones when half of many are used, and the others need not wait for it", () =>
    Effect.gen(function* () {
      const answered = yield* Effect.makeLatch(true)
      const asked: Array<number> = []
      const batch = makeRateLimitBatch({
        take: (_, __, wanted) => {
          asked.push(wanted)
          return answered.whenOpen(Effect.succeed({ granted: wanted, level: 10_000 }))
        }
      })
      const take = batch("key", 20_000)
      const clock = yield* Effect.clock
      const atOnce = () => batch.atOnce("key", 20_000, clock)?.allowed
      yield* Effect.replicateEffect(take, 63)
      assert.deepStrictEqual(asked, [1, 2, 4, 8, 16, 32])
      yield* take // the first of 64
      for (let at = 0; at < 31; at++) assert.isTrue(atOnce())
      assert.isUndefined(atOnce(), "half is used: this one asks")
      yield* answered.close
      const asking = yield* Effect.fork(take)
      yield* Effect.yieldNow()
      for (let at = 0; at < 32; at++) assert.isTrue(atOnce(), `${at} of the other half`)
      assert.isUndefined(atOnce(), "all are used")
      yield* answered.open
      assert.isTrue((yield* asking).allowed)
      for (let at = 0; at < 63; at++) assert.isTrue(atOnce())
      assert.deepStrictEqual(asked, [1, 2, 4, 8, 16, 32, 64, 128])
    })
  )

  it.effect("gives what is left where there are no next ones, and asks no more for them", () =>
    Effect.gen(function* () {
      const { asked, take } = scripted(127)
      const answers = yield* Effect.replicateEffect(take, 128)
      assert.deepStrictEqual(
        answers.map(({ allowed }) => allowed),
        [...Array.from({ length: 127 }, () => true), false]
      )
      assert.deepStrictEqual(asked, [1, 2, 4, 8, 16, 32, 64, 128])
    })
  )

  it.effect("refuses without asking again until a token can be there, and says when", () =>
    Effect.gen(function* () {
      const { asked, take } = scripted(0)
      const refused = yield* take
      assert.deepStrictEqual(refused, {
        allowed: false,
        standing: { limit: 600, remaining: 0, resetSeconds: 1 }
      })
      yield* take
      assert.lengthOf(asked, 1)
      yield* TestClock.adjust("100 millis")
      yield* take
      assert.lengthOf(asked, 2)
    })
  )
})

// The clock of the processes stands, so that none of the tokens that they hold is lost.
layer(RateLimits.layer(limits).pipe(Layer.provide(stores), Layer.provideMerge(TestDatabase)))(
  "rate limits",
  (it) => {
    it.effect("let any number of right sign-ins in at once, and of wrong ones twenty", () =>
      Effect.gen(function* () {
        const rates = yield* RateLimits
        const refilled = filling()
        const atOnce = <A>(address: string, attempt: Effect.Effect<A, "wrong">) =>
          Effect.forEach(
            Array.from({ length: 60 }),
            () => Effect.either(rates.signIn(address, Effect.zipRight(nextTurn, attempt))),
            { concurrency: "unbounded" }
          )
        const right = yield* atOnce("192.0.2.1", Effect.void)
        assert.lengthOf(right.filter(Either.isRight), 60)
        const wrong = yield* atOnce("192.0.2.2", Effect.fail("wrong" as const))
        const tried = wrong.filter((one) => Either.isLeft(one) && one.left === "wrong")
        assert.isAtLeast(tried.length, 20)
        assert.isAtMost(tried.length, 20 + refilled(20))
      })
    )

    it.effect("promise when the next request is free", () =>
      Effect.gen(function* () {
        const rates = yield* RateLimits
        const refilled = filling()
        let count = 0
        let last = yield* rates.request(caller("burst"))
        for (; last.allowed; count++) last = yield* rates.request(caller("burst"))
        assert.isAtLeast(count, 60)
        assert.isAtMost(count, 60 + refilled(60))
        assert.deepStrictEqual(last.standing, { limit: 60, remaining: 0, resetSeconds: 1 })
      })
    )

    it.effect("count commands by connection and by key", () =>
      Effect.gen(function* () {
        const rates = yield* RateLimits
        const refilled = filling()
        const sent = yield* Effect.forEach(Array.from({ length: 40 }), (_, index) =>
          Effect.either(rates.command(caller("commands"), ConnectionId.make(`conn_${index % 8}`)))
        )
        const allowed = sent.filter(Either.isRight).length
        assert.isAtLeast(allowed, 30)
        assert.isAtMost(allowed, 30 + refilled(30))
        const used = yield* rates.used(caller("commands"))
        assert.strictEqual(used.requests, 0)
        assert.isAtMost(used.commands, 30)
        assert.isAtLeast(used.commands, 30 - refilled(30))
      })
    )

    it.effect("leave one key's rate alone when another one's is used up", () =>
      Effect.gen(function* () {
        const rates = yield* RateLimits
        yield* Effect.replicateEffect(rates.request(caller("greedy")), 80)
        assert.isTrue((yield* rates.request(caller("modest"))).allowed)
      })
    )
  }
)

describe("two processes on one database", () => {
  const two = Effect.gen(function* () {
    const url = yield* databaseUrl("migrated")
    const one = Layer.build(
      RateLimits.layer(limits).pipe(
        Layer.provide(stores),
        Layer.provide(Database.layer({ url, dataDir: "/nowhere", poolSize: 4 }))
      )
    )
    return [yield* one, yield* one] as const
  })

  it.scoped("allow together what one would allow", () =>
    Effect.gen(function* () {
      const both = yield* two
      const refilled = filling()
      const ask = (index: number) =>
        Effect.provide(
          Effect.flatMap(RateLimits, (rates) => rates.request(caller("shared"))),
          both[index % 2]!
        )
      const answers = yield* Effect.forEach(Array.from({ length: 90 }), (_, index) => ask(index), {
        concurrency: 10
      })
      const allowed = answers.filter((answer) => answer.allowed).length
      assert.isAtLeast(allowed, 56)
      assert.isAtMost(allowed, 60 + refilled(60))
    })
  )

  it.scopedLive("never have more of a kind than the quota, however many are made at once", () =>
    Effect.gen(function* () {
      const both = yield* two
      let made = 0
      const one = (index: number) =>
        Effect.provide(
          Effect.flatMap(RateLimits, (rates) =>
            rates.withinQuota(
              "runs",
              OwnerId.make("own_1"),
              Effect.sync(() => made),
              Effect.delay(
                Effect.sync(() => {
                  made += 1
                }),
                "2 millis"
              )
            )
          ),
          both[index % 2]!
        )
      const answers = yield* Effect.forEach(
        Array.from({ length: 20 }),
        (_, index) => Effect.either(one(index)),
        { concurrency: "unbounded" }
      )
      assert.lengthOf(answers.filter(Either.isRight), 5)
      assert.isTrue(answers.filter(Either.isLeft).every(({ left }) => left._tag === "TooMany"))
    })
  )
})
