import { assert, describe, it } from "vitest"
import { exitCodeOf, exitCodeOfRun } from "../../../src/cli/terminal/exitCode.ts"

describe("the exit code", () => {
  it.each([
    ["pass", 0],
    ["warn", 0],
    ["fail", 1],
    ["inconclusive", 3],
    [null, 3]
  ] as const)("of a run with verdict %s is %i", (verdict, code) => {
    assert.strictEqual(exitCodeOfRun({ verdict }), code)
  })

  it("of a warning is 1 where warnings count", () => {
    assert.strictEqual(exitCodeOfRun({ verdict: "warn" }, { warningsCount: true }), 1)
    assert.strictEqual(exitCodeOfRun({ verdict: "pass" }, { warningsCount: true }), 0)
  })

  it.each([
    ["PartnerWrong", 1],
    ["UsageError", 2],
    ["NotFound", 2],
    ["HttpApiDecodeError", 2],
    ["CannotJudge", 3],
    ["Unauthorized", 4],
    ["PlanRequired", 4],
    ["TooMany", 4],
    ["Unavailable", 5],
    ["ServiceUnreachable", 5],
    [undefined, 5]
  ] as const)("of %s is %i", (tag, code) => {
    assert.strictEqual(exitCodeOf(tag), code)
  })
})
