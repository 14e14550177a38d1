import { assert, describe, it } from "vitest"
import type { Assertion, Outcome } from "../../schema/Assertion.ts"
import { comparisonOf } from "../../src/reports/comparison.ts"
import { check } from "../support/documents.ts"

const between = (before: Outcome | null, after: Outcome | null) => {
  const one = (outcome: Outcome | null): ReadonlyArray<Assertion> =>
    outcome === null ? [] : [check("LOC-1", outcome)]
  const { unchanged, ...lists } = comparisonOf(one(before), one(after))
  const found = Object.entries(lists).flatMap(([name, list]) => list.map(() => name))
  assert.strictEqual(found.length + unchanged, 1)
  return found[0] ?? "unchanged"
}

describe("comparisonOf", () => {
  it.each([
    ["passed", "failed", "newlyFailing"],
    ["warned", "failed", "newlyFailing"],
    ["not_tested", "failed", "newlyFailing"],
    [null, "failed", "newlyFailing"],
    ["failed", "passed", "fixed"],
    ["failed", "warned", "fixed"],
    ["failed", "failed", "stillFailing"],
    ["failed", "not_tested", "noLongerGraded"],
    ["failed", null, "noLongerGraded"],
    ["passed", "unobservable", "noLongerGraded"],
    ["passed", "error", "noLongerGraded"],
    ["unobservable", "passed", "newlyGraded"],
    [null, "warned", "newlyGraded"],
    ["passed", "warned", "unchanged"],
    ["not_tested", "unobservable", "unchanged"],
    [null, "not_applicable", "unchanged"]
  ] as const)("%s, then %s: %s", (before, after, list) => {
    assert.strictEqual(between(before, after), list)
  })

  it("tells both outcomes and what the later run says", () => {
    const { newlyFailing } = comparisonOf(
      [check("A", "passed")],
      [check("A", "failed", { message: "wrong" })]
    )
    assert.deepInclude(newlyFailing[0], { id: "A", before: "passed", after: "failed", message: "wrong" })
  })
})
