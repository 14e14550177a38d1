/** Every check of the catalogue says why it matters, in one sentence. */
import { assert, describe, it } from "vitest"
import { allChecks, suites } from "../../src/conformance/catalogue/suites.ts"
import { reasons, whyItMatters } from "../../src/conformance/catalogue/whyItMatters.ts"
import { houseWords, textFlaws } from "../support/textFlaws.ts"

describe("why a check matters", () => {
  it("is said of every check by exactly one sentence, and of nothing else", () => {
    assert.deepStrictEqual(
      reasons.flatMap(({ checks }) => checks).toSorted(),
      allChecks.map(({ id }) => id).toSorted()
    )
    assert.isUndefined(whyItMatters("LOC-999"))
  })

  it("is one plain sentence of at most 230 characters", () => {
    assert.deepStrictEqual(
      reasons.flatMap(({ sentence }) => [
        ...textFlaws(sentence),
        ...(houseWords.test(sentence) || !/^([A-Z]|last_updated)[^.!?]{30,228}\.$/.test(sentence)
          ? [sentence]
          : [])
      ]),
      []
    )
    assert.strictEqual(new Set(reasons.map(({ sentence }) => sentence)).size, reasons.length)
  })

  it("stands in every suite, with the check", () => {
    for (const { detail } of suites)
      for (const check of detail.checks) assert.strictEqual(check.whyItMatters, whyItMatters(check.id))
  })
})
