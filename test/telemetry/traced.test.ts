import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Option } from "effect"
import { traced } from "../../src/telemetry/traced.ts"

const nameOfSpan = Effect.map(
  Effect.option(Effect.currentSpan),
  Option.map(({ name }) => name)
)

const generated = traced("a.generated")(function* (text: string) {
  return [text, yield* nameOfSpan] as const
})
const plain = traced("a.plain")((text: string) => Effect.map(nameOfSpan, (span) => [text, span] as const))
const piped = traced("a.piped")(
  function* (text: string) {
    return yield* Effect.fail(text)
  },
  (work, text) =>
    Effect.catchAll(work, (error) => Effect.succeed([`${text} ${error}`, Option.none()] as const))
)

describe("a traced function", () => {
  it.effect("has a span of its name where there is a tracer", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* generated("x"), ["x", Option.some("a.generated")])
      assert.deepStrictEqual(yield* plain("x"), ["x", Option.some("a.plain")])
      assert.strictEqual((yield* piped("x"))[0], "x x")
    })
  )

  it.effect("has none without a tracer, and does the same", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* generated("x"), ["x", Option.none()])
      assert.deepStrictEqual(yield* plain("x"), ["x", Option.none()])
      assert.strictEqual((yield* piped("x"))[0], "x x")
    }).pipe(Effect.withTracerEnabled(false))
  )

  it.effect("dies of what its function throws", () =>
    Effect.gen(function* () {
      const thrower = traced("a.thrower")((): Effect.Effect<void> => {
        throw new Error("thrown")
      })
      for (const isOn of [true, false]) {
        const exit = yield* Effect.exit(Effect.withTracerEnabled(thrower(), isOn))
        assert.isTrue(Exit.isFailure(exit) && exit.cause._tag === "Die", String(exit))
      }
    })
  )
})
