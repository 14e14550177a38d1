/** What is not done to a connection while a run is open on it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Fiber, Layer, TestClock } from "effect"
import { ConnectionId, OwnerId } from "../../../schema/Ids.ts"
import { Locks } from "../../../src/database/Locks.ts"
import { LedgerMemory } from "../../../src/ledger/LedgerMemory.ts"
import { defaultLimits, RateLimits } from "../../../src/services/accounts/RateLimits.ts"
import { requireNoOpenRun } from "../../../src/services/connections/openRuns.ts"
import { bucketStore } from "../../support/http/memoryStores.ts"
import { factsOf, write } from "../../support/http/writtenRuns.ts"
import { partyWith } from "../../support/parties/parties.ts"

const ownerId = OwnerId.make("own_alice")
const party = partyWith({ id: "conn_1", role: "EMSP", ownerId })

/** One at a time by name, as over all processes. */
const locks = Layer.sync(Locks, () => {
  const turn = Effect.unsafeMakeSemaphore(1)
  return Locks.of({ withLock: (_, body) => turn.withPermits(1)(body) })
})

const world = () =>
  Layer.merge(
    LedgerMemory.layer(),
    RateLimits.layer(defaultLimits).pipe(Layer.provide(Layer.merge(bucketStore, locks)))
  )

/** The change is asked for; what is said about it, and whether it was made. */
const asked = Effect.gen(function* () {
  const unused = yield* requireNoOpenRun
  let isMade = false
  const said = yield* Effect.either(
    unused(
      party,
      Effect.sync(() => {
        isMade = true
      })
    )
  )
  return { refused: Either.isLeft(said) ? said.left : undefined, isMade }
})

describe("a change of a connection", () => {
  it.effect("is not made while a run is open on it, and told which one", () =>
    Effect.gen(function* () {
      yield* write(factsOf("there"), 1, 2)
      const { isMade, refused } = yield* asked
      assert.isFalse(isMade)
      assert.strictEqual(refused?._tag, "Conflict")
      assert.include(refused?.message, "run_there")
    }).pipe(Effect.provide(world()))
  )
  it.effect("is made beside runs that are over, and runs on other connections", () =>
    Effect.gen(function* () {
      yield* write(factsOf("over"), 1, 3)
      yield* write({ ...factsOf("elsewhere"), connectionId: ConnectionId.make("conn_2") }, 1, 2)
      assert.deepStrictEqual(yield* asked, { refused: undefined, isMade: true })
    }).pipe(Effect.provide(world()))
  )
  it.effect("waits for a run of the account that is just beginning, and sees it", () =>
    Effect.gen(function* () {
      const limits = yield* RateLimits
      const slow = Effect.zipRight(Effect.sleep("1 second"), write(factsOf("there"), 1, 2))
      const beginning = yield* Effect.fork(limits.withinQuota("runs", ownerId, Effect.succeed(0), slow))
      yield* Effect.yieldNow()
      const change = yield* Effect.fork(asked)
      yield* TestClock.adjust("1 second")
      yield* Fiber.join(beginning)
      assert.isFalse((yield* Fiber.join(change)).isMade)
    }).pipe(Effect.provide(world()))
  )
})
