import { assert, describe, it } from "vitest"
import type { RunReport } from "../../../schema/RunReport.ts"
import { reportLines } from "../../../src/cli/follow/reportLines.ts"

const report = {
  _id: "rep_1",
  status: "completed",
  verdict: "pass",
  summary: { passed: 1, failed: 0, warned: 0, unobservable: 0, notTested: 0, notApplicable: 0, errored: 0 }
} as RunReport

describe("a report in lines", () => {
  it("names before its verdict what is left at the partner", () => {
    const lines = reportLines({ report, checks: [], leftBehind: ["DELETE tariffs NL/PLG/T\u001b1"] })
    assert.deepStrictEqual(lines.slice(0, -1), [
      "  left at the partner; these requests would undo it:",
      "      DELETE tariffs NL/PLG/T 1"
    ])
    assert.match(lines.at(-1) ?? "", /^rep_1 {2}PASS/)
  })

  it("says nothing of it where nothing is left", () => {
    assert.lengthOf(reportLines({ report, checks: [], leftBehind: [] }), 1)
  })
})
