import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, Fiber, Layer } from "effect"
import { KeyId, OwnerId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { Locks } from "../../src/database/Locks.ts"
import { Heartbeats } from "../../src/placement/presence/Heartbeats.ts"
import { Presence } from "../../src/placement/presence/Presence.ts"
import { BucketStore } from "../../src/store/accounts/BucketStore.ts"
import { StreamStore } from "../../src/store/accounts/StreamStore.ts"
import { databaseUrl, TestDatabase } from "../support/TestDatabase.ts"

const live = { excludeTestServices: true }
const mine = OwnerId.make("own_mine")
const key = KeyId.make("key_1")

layer(BucketStore.layer.pipe(Layer.provideMerge(TestDatabase)), live)("a shared bucket", (it) => {
  it.effect("gives exactly its limit to many who ask at once", () =>
    Effect.gen(function* () {
      const { take } = yield* BucketStore
      const taken = yield* Effect.all(
        Array.from({ length: 40 }, () => take("burst", 12, 1)),
        {
          concurrency: "unbounded"
        }
      )
      assert.strictEqual(
        taken.reduce((sum, { granted }) => sum + granted, 0),
        12
      )
    })
  )

  it.effect("fills up with the database's time, and never over its brim", () =>
    Effect.gen(function* () {
      const { level, take } = yield* BucketStore
      const { query } = yield* Database
      const later = (seconds: number) =>
        query({ text: `UPDATE bucket SET at = at - interval '${seconds} seconds' WHERE name = 'filling'` })
      yield* Effect.replicateEffect(take("filling", 6, 1), 6)
      assert.strictEqual((yield* take("filling", 6, 1)).granted, 0)
      yield* later(10)
      assert.strictEqual((yield* take("filling", 6, 1)).granted, 1)
      assert.strictEqual((yield* take("filling", 6, 1)).granted, 0)
      yield* later(3600)
      assert.strictEqual(yield* level("filling", 6), 6)
    })
  )

  it.effect("lends no more than a sixteenth of what is there, and the last ones one by one", () =>
    Effect.gen(function* () {
      const { take } = yield* BucketStore
      assert.strictEqual((yield* take("lent", 160, 100)).granted, 10)
      assert.strictEqual((yield* take("few", 15, 100)).granted, 1)
    })
  )

  it.effect("that may hold nothing gives nothing", () =>
    Effect.gen(function* () {
      const { take } = yield* BucketStore
      assert.strictEqual((yield* take("none", 0, 1)).granted, 0)
    })
  )
})

/** Two pools on one database, as two processes have them. */
const processes = <A, E, R>(layerOf: (name: string) => Layer.Layer<A, E, Database | R>) =>
  Effect.gen(function* () {
    const url = yield* databaseUrl("migrated")
    const one = (name: string) =>
      Layer.build(
        layerOf(name).pipe(Layer.provideMerge(Database.layer({ url, dataDir: "/nowhere", poolSize: 4 })))
      )
    return [yield* one("one"), yield* one("two")] as const
  })

describe("a gate", () => {
  it.scopedLive("lets in one at a time, over all processes", () =>
    Effect.gen(function* () {
      const both = yield* processes(() => Locks.layer)
      let within = 0
      let most = 0
      const visit = Effect.acquireUseRelease(
        Effect.sync(() => {
          within += 1
          most = Math.max(most, within)
        }),
        () => Effect.sleep("5 millis"),
        () =>
          Effect.sync(() => {
            within -= 1
          })
      )
      yield* Effect.all(
        Array.from({ length: 16 }, (_, index) =>
          Effect.provide(
            Effect.flatMap(Locks, (locks) => locks.withLock("door", visit)),
            both[index % 2]!
          )
        ),
        { concurrency: "unbounded" }
      )
      assert.strictEqual(most, 1)
    })
  )

  it.scopedLive("opens when what is within fails or is interrupted", () =>
    Effect.gen(function* () {
      const [one, two] = yield* processes(() => Locks.layer)
      const at = (process: typeof one, body: Effect.Effect<string, string>) =>
        Effect.provide(
          Effect.flatMap(Locks, (locks) => locks.withLock("door", body)),
          process
        )
      assert.strictEqual(yield* Effect.flip(at(one, Effect.fail("no"))), "no")
      const stuck = yield* Effect.fork(at(one, Effect.never))
      yield* Effect.sleep("50 millis")
      yield* Fiber.interrupt(stuck)
      assert.strictEqual(yield* at(two, Effect.succeed("in")), "in")
    })
  )
})

describe("open streams", () => {
  it.scopedLive("are counted over all processes, and those of a dead one for as long as it seems alive", () =>
    Effect.gen(function* () {
      const [one, two] = yield* processes((processId) =>
        StreamStore.layer.pipe(
          Layer.provideMerge(Presence.layer({ processId, ttlSeconds: 15 })),
          Layer.provide(Heartbeats.layer({ everySeconds: 5 }))
        )
      )
      yield* Effect.provide(
        Effect.flatMap(StreamStore, ({ open }) => open("a", mine, key)),
        one
      )
      yield* Effect.provide(
        Effect.gen(function* () {
          const { close, count, open } = yield* StreamStore
          const { query } = yield* Database
          yield* open("b", mine, key)
          assert.strictEqual(yield* count(mine), 2)
          assert.strictEqual(yield* count(OwnerId.make("own_theirs")), 0)
          yield* query({
            text: "UPDATE server_process SET alive_until = clock_timestamp() WHERE id = 'one'"
          })
          assert.strictEqual(yield* count(mine), 1)
          const known = yield* Effect.flatMap(Presence, (presence) => presence.known)
          assert.deepStrictEqual(
            known.map(({ alive, id }) => [id, alive]),
            [
              ["two", true],
              ["one", false]
            ]
          )
          assert.isTrue(known.every(({ aliveUntil, startedAt }) => startedAt < aliveUntil))
          assert.isTrue(known.every(({ lagMs = -1 }) => lagMs >= 0))
          yield* close("b")
          assert.strictEqual(yield* count(mine), 0)
        }),
        two
      )
    })
  )
})
