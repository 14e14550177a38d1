/**
 * Where the text can be read in two ways, a finding names both readings and is held against nobody; what no reading allows is the
 * partner's.
 */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import type { Answered } from "../../../src/conformance/model/Evidence.ts"
import { answered, evidenceFrom } from "../support/handmade.ts"
import { now, party } from "../support/honestPartner.ts"

const fine = { data: [{ id: "1" }, { id: "2" }], status_code: 1000, timestamp: now }
const refused = { status_code: 2001, timestamp: now }

/** The answer of that status to a request of the check. */
const said = (id: string, httpStatus: number, json: unknown): Answered => {
  const [seen] = [answered("tokens", null)]
  const response = {
    httpStatus,
    ocpiStatusCode: (json as { readonly status_code: number }).status_code,
    headers: {},
    body: JSON.stringify(json),
    truncated: false
  }
  return { ...seen, json, exchange: { ...seen.exchange, id, response }, response }
}

const graded = (id: string, answerTo: (need: string) => Answered) => {
  const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const
  const check = allChecks.find((one) => one.id === id)!
  const alone = { ...check, requires: () => [] }
  const needs = check.needs(scope)
  return grade(
    alone,
    evidenceFrom(Object.fromEntries(needs.map((need) => [need, [answerTo(need)]])), "2.2.1", party),
    {
      scope,
      profile: "strict",
      checks: allChecks
    }
  )
}

const taken = (need: string) => said(`exc_${need}`, 200, fine)
const isMain = (need: string) => !/\.(list|future)$|#read/.test(need)

describe.each(["PAGE-017", "PAGE-025", "TRANS-049", "TRANS-050", "TRANS-051"])("%s", (id) => {
  it("names both readings and the section where the partner takes what it may refuse", () => {
    const { ambiguity, attribution, message, outcome } = graded(id, taken)
    assert.deepStrictEqual([outcome, attribution], ["warned", "ambiguous"], message)
    assert.lengthOf(ambiguity?.readings ?? [], 2)
    assert.match(ambiguity?.section ?? "", /,/)
  })

  it("holds it against the partner when it falls over instead", () => {
    const { attribution, outcome } = graded(id, (need) =>
      isMain(need) ? said(`exc_${need}`, 500, { status_code: 3000, timestamp: now }) : taken(need)
    )
    assert.deepStrictEqual([outcome, attribution], ["warned", "partner"])
  })
})

describe.each(["PAGE-017", "PAGE-025"])("%s: a parameter that is not valid", (id) => {
  it.each([200, 400])(
    "is no fault of the server, whose status_code 3000 comes with HTTP %i",
    (httpStatus) => {
      const { attribution, message, outcome } = graded(id, (need) =>
        isMain(need) ? said(`exc_${need}`, httpStatus, { status_code: 3000, timestamp: now }) : taken(need)
      )
      assert.deepStrictEqual([outcome, attribution], ["warned", "partner"])
      assert.match(message ?? "", /status_code 3000/)
    }
  )
})

describe("an object under the id of another", () => {
  it("is the partner's finding where it was refused and is stored all the same", () => {
    const { attribution, outcome } = graded("TRANS-049", (need) =>
      isMain(need) ? said(`exc_${need}`, 200, refused) : taken(need)
    )
    assert.deepStrictEqual([outcome, attribution], ["warned", "partner"])
  })
})

describe("SESS-022: preferences for a session that there is not", () => {
  it("is judged only at a partner that takes preferences", () => {
    const outcome = (httpStatus: number, json: unknown) =>
      graded("SESS-022", (need) => said(need, httpStatus, json)).outcome
    assert.strictEqual(outcome(405, refused), "not_applicable")
    assert.strictEqual(outcome(404, refused), "passed")
    assert.strictEqual(outcome(200, refused), "passed")
    assert.strictEqual(outcome(200, fine), "warned")
    assert.strictEqual(outcome(500, refused), "warned")
    assert.strictEqual(outcome(404, { error: "Not Found" }), "not_applicable")
  })
})
