import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option } from "effect"
import { makeFairQueue } from "../../../src/http/admission/FairQueue.ts"

const options = { slots: 3, slotsPerParty: 2, maxWaiting: 5, timeoutMillis: 60_000 }
const of = (owner: string, id = owner) => ({ ownerId: owner, id })

/** A queue, and an effect that notes who runs and stays until it is told to go. */
const scene = (more: Partial<typeof options> = {}) =>
  Effect.gen(function* () {
    const queue = makeFairQueue({ ...options, ...more })
    const running: Array<string> = []
    const entered: Array<string> = []
    const come = (owner: string, id = owner) =>
      Effect.gen(function* () {
        const go = yield* Deferred.make<void>()
        const fiber = yield* Effect.fork(
          queue.withSlot(
            of(owner, id),
            Effect.acquireUseRelease(
              Effect.sync(() => {
                running.push(id)
                entered.push(id)
              }),
              () => Deferred.await(go),
              () => Effect.sync(() => void running.splice(running.indexOf(id), 1))
            )
          )
        )
        yield* Effect.yieldNow()
        yield* Effect.yieldNow()
        return { go: Effect.zipRight(Deferred.succeed(go, undefined), Fiber.join(fiber)), fiber }
      })
    return { come, running, entered }
  })

describe("the fair queue", () => {
  it.live("gives one no more than its share, and all together no more than there is", () =>
    Effect.gen(function* () {
      const { come, running } = yield* scene()
      const many = yield* Effect.replicateEffect(come("loud"), 4)
      assert.deepStrictEqual(running, ["loud", "loud"])
      const quiet = yield* come("quiet")
      assert.deepStrictEqual(running, ["loud", "loud", "quiet"])
      yield* come("third")
      assert.lengthOf(running, 3)
      yield* quiet.go
      yield* Effect.sleep("5 millis")
      assert.deepStrictEqual([...running].sort(), ["loud", "loud", "third"])
      yield* many[0]!.go
      yield* Effect.sleep("5 millis")
      assert.deepStrictEqual([...running].sort(), ["loud", "loud", "third"])
    })
  )

  it.live("lets accounts in by turns, however many parties one of them has and whoever came first", () =>
    Effect.gen(function* () {
      const { come, entered } = yield* scene({ slots: 1, slotsPerParty: 1 })
      const first = yield* come("a", "a0")
      const waiters = [
        yield* come("a", "a1"),
        yield* come("a", "a2"),
        yield* come("a", "a3"),
        yield* come("b", "b1"),
        yield* come("b", "b2")
      ]
      yield* first.go
      yield* Effect.forEach(waiters, ({ go }) => go, { concurrency: "unbounded" })
      assert.deepStrictEqual(entered, ["a0", "a1", "b1", "a2", "b2", "a3"])
    })
  )

  it.live("turns away who waits too long, and who finds too many waiting", () =>
    Effect.gen(function* () {
      const { come, entered } = yield* scene({ slots: 1, maxWaiting: 2, timeoutMillis: 300 })
      const holder = yield* come("a")
      const [one, two, three] = [yield* come("a"), yield* come("a"), yield* come("a")]
      assert.isTrue(Option.isNone(yield* Fiber.join(three.fiber)))
      assert.isTrue(Option.isNone(yield* Fiber.join(one.fiber)))
      assert.isTrue(Option.isNone(yield* Fiber.join(two.fiber)))
      assert.deepStrictEqual(entered, ["a"])
      assert.isTrue(Option.isSome(yield* holder.go))
    })
  )

  it.live("loses no place to those who leave while they wait, come in, or break", () =>
    Effect.gen(function* () {
      const queue = makeFairQueue({ slots: 2, slotsPerParty: 2, maxWaiting: 1000, timeoutMillis: 5000 })
      for (let round = 0; round < 20; round++) {
        const fibers = yield* Effect.forEach(Array.from({ length: 20 }), (_, index) =>
          Effect.fork(
            queue.withSlot(
              of(`o${index % 3}`),
              index % 5 === 0 ? Effect.die("broken") : Effect.sleep(index % 2 === 0 ? "1 millis" : "3 millis")
            )
          )
        )
        yield* Effect.sleep("2 millis")
        yield* Effect.forEach(fibers, (fiber, index) =>
          index % 2 === 0 ? Fiber.interrupt(fiber) : Effect.exit(Fiber.join(fiber))
        )
      }
      // Both slots are there still.
      const both = yield* Effect.all(
        [1, 2].map(() => queue.withSlot(of("x"), Effect.sleep("50 millis"))),
        { concurrency: "unbounded" }
      ).pipe(Effect.timed)
      assert.isTrue(both[1].every(Option.isSome))
    })
  )
})
