/** A partner that registers again after a refusal: each of its POSTs is judged, those of registrations before are not. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import { called, evidenceFrom } from "../support/handmade.ts"

const listed = called("GET", "versions", "", undefined, {
  operation: "list",
  answer: ["2.1.1", "2.2", "2.2.1"].map((version) => ({ version, url: `https://us.example/ocpi/${version}` }))
})
const posted = (version: string, isTaken: boolean) => {
  const seen = called(
    "POST",
    "credentials",
    "",
    {},
    { answer: isTaken ? { token: "«tokenC:1»" } : undefined }
  )
  const url = `https://us.example/ocpi/${version}/credentials`
  return { ...seen, exchange: { ...seen.exchange, request: { ...seen.exchange.request, url } } }
}

const judged = (...posts: ReadonlyArray<ReturnType<typeof posted>>) =>
  grade(
    allChecks.find(({ id }) => id === "CRED-044")!,
    evidenceFrom({ "registration.theirs": [listed, ...posts], "registration.looked-back": [] }),
    { scope: { profile: profileOf("2.2.1"), role: "CPO" }, profile: "strict", checks: allChecks }
  )

describe("CRED-044", () => {
  it("tells of a POST in a lower version that we refused, also when the next one is right", () => {
    const { findings, outcome } = judged(posted("2.1.1", false), posted("2.2.1", true))
    assert.strictEqual(outcome, "warned")
    assert.match(findings?.[0]?.message ?? "", /registers in version 2\.1\.1, and 2\.2\.1 is the highest/)
  })

  it("says nothing of a lower version after we refused the highest one", () => {
    assert.strictEqual(judged(posted("2.2.1", false), posted("2.2", true)).outcome, "passed")
    assert.strictEqual(judged(posted("2.2", false), posted("2.1.1", true)).outcome, "warned")
  })

  it("leaves registrations before the last one alone: versions may have been added since", () => {
    assert.strictEqual(judged(posted("2.1.1", true), posted("2.2.1", true)).outcome, "passed")
  })

  it("passes where each POST is in the highest version", () => {
    assert.strictEqual(judged(posted("2.2.1", false), posted("2.2.1", true)).outcome, "passed")
  })
})
