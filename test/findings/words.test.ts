import { assert, describe, it } from "vitest"
import { inWords } from "../../src/findings/words.ts"

describe("a value of a partner in a sentence", () => {
  it("is never undefined, null or [object Object]", () => {
    const values = [undefined, null, "", {}, { a: 1 }, [], ["A"], 7, true, "LOC1"]
    assert.deepStrictEqual(values.map(inWords), [
      "nothing",
      "nothing",
      "nothing",
      "{}",
      '{"a":1}',
      "[]",
      '["A"]',
      "7",
      "true",
      "LOC1"
    ])
  })

  it("is cut where it is long", () => assert.lengthOf(inWords("x".repeat(500)), 118))
})
