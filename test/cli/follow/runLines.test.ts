import { assert, describe, it } from "vitest"
import type { RunReport } from "../../../schema/RunReport.ts"
import { runLines } from "../../../src/cli/follow/runLines.ts"

const summary = {
  passed: 12,
  failed: 1,
  warned: 2,
  unobservable: 0,
  notTested: 0,
  notApplicable: 0,
  errored: 0
}
const run = (over: Partial<RunReport>) =>
  ({
    _id: "rep_1",
    kind: "conformance",
    suiteId: "ocpi-2.2.1-cpo-core",
    connectionLabel: "my-cpo",
    status: "completed",
    verdict: "fail",
    createdAt: "2026-11-28T20:44:37.123Z",
    progress: { done: 3, of: 7 },
    summary,
    ...over
  }) as RunReport

describe("runs in lines", () => {
  it("have their columns below each other, and what was counted", () => {
    assert.deepEqual(
      runLines([run({}), run({ _id: "rep_10" as RunReport["_id"], verdict: "pass", connectionLabel: "b" })]),
      [
        "rep_1   FAIL  2026-11-28 20:44Z  my-cpo  ocpi-2.2.1-cpo-core  12 passed, 1 failed, 2 warned",
        "rep_10  PASS  2026-11-28 20:44Z  b       ocpi-2.2.1-cpo-core  12 passed, 1 failed, 2 warned"
      ]
    )
  })

  it("say how far a run is that is not over, and what an interrupted one waits for", () => {
    const journey = { kind: "journey", templateId: "remote-start", verdict: null } as const
    const [running, interrupted] = runLines([
      run({ ...journey, status: "running" }),
      run({ ...journey, status: "interrupted" })
    ]) as [string, string]
    assert.match(running, /RUNNING .* 3 of 7$/)
    assert.match(interrupted, /INTERRUPTED .* 3 of 7; its decisions: plugfest watch$/)
  })

  it("have no control characters of a label", () => {
    assert.notInclude(runLines([run({ connectionLabel: "a\u001b[31mb" })])[0], "\u001b")
  })
})
