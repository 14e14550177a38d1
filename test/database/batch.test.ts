/** Statements for many callers at once. */
import { assert, it } from "@effect/vitest"
import { Cause, Effect, Exit, Fiber } from "effect"
import { makeBatch } from "../../src/database/batches/batch.ts"
import { isDatabaseDown } from "../../src/database/DatabaseDown.ts"

/** A batch whose statements wait to be let go, and the items of each. */
const held = () => {
  const statements: Array<{
    readonly items: ReadonlyArray<string>
    readonly end: (error?: unknown) => void
  }> = []
  const batch = makeBatch<string, string>({
    most: 3,
    run: (items) =>
      new Promise((resolve, reject) => {
        const end = (error?: unknown) =>
          error === undefined ? resolve(items.map((item) => item.toUpperCase())) : reject(error)
        statements.push({ items, end })
      })
  })
  const asked = (item: string) => Effect.fork(batch(item)).pipe(Effect.tap(() => Effect.yieldNow()))
  const sent = () => statements.map(({ items }) => items.join(""))
  /** What was begun stands in `statements` only after some turns of the event loop. */
  const settled = Effect.promise(() => new Promise<void>((resolve) => setImmediate(resolve)))
  return { asked, batch, sent, settled, end: (at: number, error?: unknown) => statements[at]!.end(error) }
}

it.effect("serves the first at once, and those who come meanwhile together, in their order", () =>
  Effect.gen(function* () {
    const { asked, end, sent, settled } = held()
    const fibers = yield* Effect.forEach(["a", "b", "c", "d", "e"], asked)
    assert.deepStrictEqual(sent(), ["a"])
    end(0)
    yield* settled
    assert.deepStrictEqual(sent(), ["a", "bcd"], "no more than three in one")
    end(1)
    yield* settled
    end(2)
    assert.deepStrictEqual(yield* Fiber.join(Fiber.all(fibers)), ["A", "B", "C", "D", "E"])
  })
)

it.effect("serves together those who ask at once", () =>
  Effect.gen(function* () {
    const { batch, end, sent, settled } = held()
    const all = yield* Effect.fork(Effect.forEach(["a", "b"], batch, { concurrency: "unbounded" }))
    yield* settled
    assert.deepStrictEqual(sent(), ["ab"])
    end(0)
    assert.deepStrictEqual(yield* Fiber.join(all), ["A", "B"])
  })
)

it.effect("tries each alone when the statement of several is wrong, and fails the wrong one only", () =>
  Effect.gen(function* () {
    const { asked, end, sent, settled } = held()
    const first = yield* asked("a")
    const [b, c] = yield* Effect.all([asked("b"), asked("c")])
    end(0)
    yield* settled
    end(1, new Error("invalid input syntax"))
    yield* settled
    end(2)
    yield* settled
    end(3, new Error("invalid input syntax"))
    assert.strictEqual(yield* Fiber.join(first), "A")
    assert.strictEqual(yield* Fiber.join(b), "B")
    const wrong = yield* Fiber.await(c)
    assert.isTrue(Exit.isFailure(wrong) && Cause.isDie(wrong.cause))
    assert.deepStrictEqual(sent(), ["a", "bc", "b", "c"])
  })
)

it.effect("fails all of a statement when the database is away, and goes on with the next", () =>
  Effect.gen(function* () {
    const { asked, end, sent, settled } = held()
    yield* asked("a")
    const [b, c] = yield* Effect.all([asked("b"), asked("c")])
    end(0)
    yield* settled
    end(1, Object.assign(new Error("connect ECONNREFUSED"), { code: "ECONNREFUSED" }))
    for (const fiber of [b, c]) {
      const lost = yield* Fiber.await(fiber)
      assert.isTrue(Exit.isFailure(lost) && Cause.isFailure(lost.cause) && isDatabaseDown(lost.cause))
    }
    const later = yield* asked("d")
    yield* settled
    end(2)
    assert.strictEqual(yield* Fiber.join(later), "D")
    assert.deepStrictEqual(sent(), ["a", "bc", "d"])
  })
)
