import { assert, describe, it } from "vitest"
import { describeIssues } from "../../src/api/decodeError.ts"

describe("describeIssues", () => {
  it("names the values that one field may have in one sentence", () => {
    const said = describeIssues(
      ["resume", "finish"].map((one) => ({
        path: ["decision"],
        message: `Expected ${JSON.stringify(one)}, actual "guess"`
      }))
    )
    assert.strictEqual(said, 'decision: expected one of "resume", "finish", actual "guess"')
  })

  it("keeps apart what is wrong in two fields", () => {
    const said = describeIssues([
      { path: ["a"], message: "is missing" },
      { path: ["b", 0], message: 'Expected number, actual "x"' }
    ])
    assert.strictEqual(said, 'a: is missing; b.0: Expected number, actual "x"')
  })

  it("does not say that null is due too, where a part of the value is what is wrong", () => {
    const said = describeIssues([
      { path: ["origins", 0], message: "expected an origin" },
      { path: ["origins"], message: 'Expected null, actual ["x"]' }
    ])
    assert.strictEqual(said, "origins.0: expected an origin")
    assert.strictEqual(
      describeIssues([{ path: ["origins"], message: "Expected null, actual 1" }]),
      "origins: Expected null, actual 1"
    )
  })

  it("never shows the value of a field that may be a secret", () => {
    const said = describeIssues([
      { path: ["tokenA"], message: 'Expected "a", actual "hunter2"' },
      { path: ["tokenA"], message: 'Expected "b", actual "hunter2"' }
    ])
    assert.notInclude(said, "hunter2")
  })
})
