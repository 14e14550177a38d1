import { assert, describe, it } from "vitest"
import { htmlOf } from "../../src/reports/html/page.ts"
import { jsonOf } from "../../src/reports/json.ts"
import { markdownOf } from "../../src/reports/markdown.ts"
import { turnLines } from "../../src/reports/text.ts"
import { turnsOf } from "../../src/reports/turns.ts"
import { check, document } from "../support/documents.ts"

const checks = [
  check("LOC-001", "failed", { attribution: "partner" }),
  check("LOC-002", "failed", { attribution: "partner" }),
  check("LOC-003", "failed", { attribution: "ambiguous" }),
  check("TOK-001", "error", { reason: "a fault of plugfest" }),
  check("TOK-002", "unobservable", { attribution: "network", reason: "no answer of a third host" }),
  check("CDR-001", "unobservable", { attribution: "operator", reason: "no driver came" }),
  check("CDR-002", "passed")
]
const failed = { ...document.report, verdict: "fail" as const }
const whole = { ...document, report: failed, groups: [{ id: "all", startedAt: null, checks }] }

describe("whose turn it is after a run", () => {
  it("is counted by party, failures first", () => {
    assert.deepStrictEqual(
      turnsOf(checks, "fail").map(({ words }) => words),
      [
        "It is the partner's turn: 2 checks failed",
        "It is nobody's turn, because the text of OCPI has two readings: 1 check failed",
        "It is plugfest's turn: 1 must rule could not be judged",
        "It is the turn of a third host or the network: 1 must rule could not be judged",
        "It is the turn of whoever runs the test: 1 must rule could not be judged"
      ]
    )
  })

  it("is said in every form for readers, in the same words", () => {
    const [first = ""] = turnsOf(checks, "fail").map(({ words }) => words)
    assert.include(turnLines(checks, failed)[0], first)
    assert.include(htmlOf(whole).replaceAll("&#39;", "'"), first)
    assert.include(markdownOf(whole).replaceAll("\\", ""), first)
    assert.strictEqual(JSON.parse(jsonOf(whole)).turns[0].words, first)
  })

  it("is nobody's after a run that passed or goes on, and the operator's where nothing says more", () => {
    for (const verdict of ["pass", "warn", null] as const)
      assert.deepStrictEqual(turnsOf(checks, verdict), [])
    assert.deepStrictEqual(
      turnsOf([check("CDR-002", "passed")], "inconclusive").map(({ party, words }) => `${party}: ${words}`),
      ["operator: It is the turn of whoever runs the test: run it again"]
    )
  })
})
