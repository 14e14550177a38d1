import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, Fiber } from "effect"
import { sharedReadsOn } from "../../src/database/batches/sharedReads.ts"

/** A pool whose statements are answered by hand: with their number, or with an error. */
const handPool = () => {
  const open: Array<{ readonly values: unknown; readonly end: (error?: Error) => void }> = []
  let begun = 0
  const query = ({ values }: { readonly values?: unknown }) => {
    begun += 1
    const number = begun
    return new Promise((resolve, reject) =>
      open.push({
        values,
        end: (error) => (error === undefined ? resolve({ rows: [{ number }] }) : reject(error))
      })
    )
  }
  return { open, begun: () => begun, pool: { query } as any }
}
const statement = (...values: ReadonlyArray<unknown>) => ({ name: "list", text: "select $1", values })
/** Lets what was begun ask. */
const asked = Effect.promise(() => new Promise<void>((done) => setImmediate(done)))

describe("shared reads", () => {
  it.live("are one statement for equal ones at once, and several for others", () =>
    Effect.gen(function* () {
      const { begun, open, pool } = handPool()
      const read = sharedReadsOn(pool)
      const same = yield* Effect.fork(
        Effect.all(
          [1, 2, 3].map(() => read(statement("a"))),
          { concurrency: 3 }
        )
      )
      const other = yield* Effect.fork(read(statement("b")))
      yield* asked
      assert.deepStrictEqual(open.map(({ values }) => values).toSorted(), [["a"], ["b"]])
      for (const { end } of open) end()
      const [one, two, three] = yield* Fiber.join(same)
      assert.isTrue(one === two && two === three)
      assert.notDeepEqual(yield* Fiber.join(other), one)
      assert.strictEqual(begun(), 2)
    })
  )

  it.live("never answer with a statement that was begun before the question", () =>
    Effect.gen(function* () {
      const { open, pool } = handPool()
      const read = sharedReadsOn(pool)
      const early = yield* Effect.fork(read(statement("a")))
      yield* asked
      const late = yield* Effect.fork(read(statement("a")))
      yield* asked
      assert.strictEqual(open.length, 1)
      open[0]!.end()
      assert.deepStrictEqual(yield* Fiber.join(early), [{ number: 1 }])
      yield* asked
      open[1]!.end()
      assert.deepStrictEqual(yield* Fiber.join(late), [{ number: 2 }])
    })
  )

  it.live("go on for the others when a caller is interrupted, and after a loss", () =>
    Effect.gen(function* () {
      const { begun, open, pool } = handPool()
      const read = sharedReadsOn(pool)
      const gone = yield* Effect.fork(read(statement("a")))
      const stays = yield* Effect.fork(Effect.either(read(statement("a"))))
      yield* asked
      yield* Fiber.interrupt(gone)
      open[0]!.end(Object.assign(new Error("away"), { code: "ECONNREFUSED" }))
      const lost = yield* Fiber.join(stays)
      assert.isTrue(Either.isLeft(lost) && lost.left._tag === "DatabaseDown")
      const again = yield* Effect.fork(read(statement("a")))
      yield* asked
      open[1]!.end()
      assert.deepStrictEqual(yield* Fiber.join(again), [{ number: 2 }])
      assert.strictEqual(begun(), 2)
    })
  )
})
