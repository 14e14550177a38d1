/** Real-time authorization that is refused whatever is asked: one check reports it. */
import { assert, describe, it } from "vitest"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { suiteById } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import { answered, evidenceFrom } from "../support/handmade.ts"

const { checks } = suiteById("ocpi-2.2.1-emsp-full")!
const scope = { profile: profileOf("2.2.1"), role: "EMSP" } as const

const refused = (about?: string) => {
  const body = JSON.stringify({ data: [], status_code: 3000, timestamp: "2026-01-31T12:00:00Z" })
  return {
    ...answered("tokens", [], {
      operation: "POST authorize",
      response: { httpStatus: 200, ocpiStatusCode: 3000, headers: {}, body, truncated: false }
    }),
    json: JSON.parse(body),
    ...(about === undefined ? {} : { about })
  }
}

describe("authorize that fails for every token", () => {
  it("is the finding of TOK-012, and none about the type of the token", () => {
    const asked = ["TOK-012", "TOK-022"].map((id) => checks.find((one) => one.id === id)!)
    const evidence = evidenceFrom({
      ...Object.fromEntries(asked.flatMap((check) => check.needs(scope)).map((probe) => [probe, []])),
      "tokens.authorize": [refused()],
      "tokens.authorize-other": [refused("OTHER"), refused("BANANA")]
    })
    const outcomes = asked.map((check) => {
      const { blockedBy, outcome } = grade(check, evidence, { scope, profile: "strict", checks })
      return blockedBy?.check ?? outcome
    })
    assert.deepStrictEqual(outcomes, ["failed", "TOK-012"])
  })
})
