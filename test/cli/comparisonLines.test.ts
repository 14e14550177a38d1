import { assert, describe, it } from "vitest"
import type { RunReport } from "../../schema/RunReport.ts"
import type { CheckChange, RunComparison } from "../../schema/reports/RunComparison.ts"
import { comparisonLines } from "../../src/cli/follow/comparisonLines.ts"

const summary = {
  passed: 1,
  failed: 1,
  warned: 0,
  unobservable: 0,
  notTested: 0,
  notApplicable: 0,
  errored: 0
}
const report = (id: string) => ({ _id: id, status: "completed", verdict: "fail", summary }) as RunReport
const change = (id: string, over: Partial<CheckChange>): CheckChange => ({
  id,
  title: "Title",
  strength: "must",
  before: null,
  after: null,
  ...over
})
const compared = (over: Partial<RunComparison>) =>
  comparisonLines({
    ...{ before: report("rep_1"), after: report("rep_2"), unchanged: 4 },
    ...{ newlyFailing: [], fixed: [], stillFailing: [], noLongerGraded: [], newlyGraded: [] },
    ...over
  })

describe("a comparison in lines", () => {
  it("has one line for all that the later run was not asked for", () => {
    const ids = Array.from({ length: 69 }, (_, index) => `LOC-${100 + index}`)
    const lines = compared({
      fixed: [change("LOC-009", { before: "failed", after: "passed" })],
      noLongerGraded: [
        ...ids.map((id) => change(id, { before: "passed" })),
        change("TAR-001", { before: "passed", after: "not_tested", message: "no tariff" })
      ]
    })
    assert.deepStrictEqual(lines.slice(2), [
      "fixed: 1",
      "  LOC-009 failed -> passed  Title",
      "no longer graded: 1",
      "  TAR-001 passed -> not_tested  no tariff",
      `not asked for in the later run: 69 (${ids.slice(0, 8).join(", ")} and 61 more)`,
      "unchanged: 4"
    ])
  })

  it("has one line for all that the earlier run was not asked for, but for what fails", () => {
    const lines = compared({
      newlyFailing: [change("LOC-009", { after: "failed", message: "late" })],
      newlyGraded: [change("LOC-010", { after: "passed" }), change("LOC-011", { after: "warned" })]
    })
    assert.deepStrictEqual(lines.slice(2), [
      "newly failing: 1",
      "  LOC-009 not asked for -> failed  late",
      "not asked for in the earlier run: 2 (LOC-010, LOC-011)",
      "unchanged: 4"
    ])
  })
})
