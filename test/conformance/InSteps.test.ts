import { assert, describe, it } from "vitest"
import { InSteps } from "../../src/conformance/model/InSteps.ts"

function* sums(most: number) {
  let sum = 0
  for (let at = 1; at <= most; at++) {
    sum += at
    yield undefined
  }
  return sum
}

describe("a computation in steps", () => {
  it("does one step at a time", () => {
    const work = new InSteps(sums(3))
    assert.deepStrictEqual(
      [1, 2, 3, 4, 5].map(() => work.step()),
      [true, true, true, false, false]
    )
    assert.strictEqual(work.result(), 6)
  })

  it("does what is left when it is asked for its value", () => {
    const work = new InSteps(sums(4))
    work.step()
    assert.strictEqual(work.result(), 10)
    assert.isFalse(work.step())
  })

  it("that breaks is over, and breaks whoever asks for its value", () => {
    const work = new InSteps<number>(
      (function* () {
        yield undefined
        throw new Error("broken")
      })()
    )
    assert.isTrue(work.step())
    assert.isFalse(work.step())
    assert.throws(() => work.result(), "broken")
    assert.throws(() => work.result(), "broken")
  })
})
