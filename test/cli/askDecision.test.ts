import { PassThrough } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Fiber } from "effect"
import type { Decision } from "../../schema/Recovery.ts"
import { askDecision } from "../../src/cli/follow/askDecision.ts"

const offered: ReadonlyArray<Decision> = ["verify_and_resume", "finish", "abandon"]

const asked = (...lines: ReadonlyArray<string>) => {
  const input = Object.assign(new PassThrough(), { isTTY: true })
  const output = new PassThrough()
  let said = ""
  output.on("data", (chunk) => {
    said += chunk
  })
  for (const line of lines) input.write(`${line}\n`)
  return { input, answer: askDecision(input, output, offered), said: () => said }
}

describe("the question how an interrupted run goes on", () => {
  it.live("is asked again after a typo, with what was probably meant", () =>
    Effect.gen(function* () {
      const { answer, said } = asked("finsh", "", "stop", "finish")
      assert.strictEqual(yield* answer, "finish")
      assert.strictEqual(said().split("verify_and_resume | finish | abandon? ").length - 1, 4)
      assert.include(said(), '"finsh" is not offered. Did you mean finish?')
      assert.match(said(), /"stop" is not offered\.\n/)
    })
  )

  it.live("ends without an answer where the input ends, and is not asked without a terminal", () =>
    Effect.gen(function* () {
      const { answer, input } = asked("finsh")
      const asking = yield* Effect.fork(answer)
      input.end()
      assert.strictEqual(yield* Fiber.join(asking), undefined)
      assert.strictEqual(yield* askDecision(new PassThrough(), new PassThrough(), offered), undefined)
    })
  )

  it.live("can be interrupted", () =>
    Effect.gen(function* () {
      const { answer } = asked()
      const asking = yield* Effect.fork(answer)
      yield* Effect.sleep("10 millis")
      assert.isTrue(Exit.isInterrupted(yield* Fiber.interrupt(asking)))
    })
  )
})
