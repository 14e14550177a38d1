/** A played charge whose PATCH was refused: that is one cause, and the session that is read back is none. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../../src/conformance/grading/grade.ts"
import { type Gathered, makeEvidence, type Observation } from "../../../../src/conformance/model/Evidence.ts"
import { playedSession } from "../../../../src/conformance/modules/charge/playedChargeProbes.ts"
import { exchanged, now, party, root } from "../../support/honestPartner.ts"

const profile = profileOf("2.2.1")
const rules = { scope: { profile, role: "EMSP" }, profile: "strict", checks: allChecks } as const
const check = allChecks.find(({ id }) => id === "JRN-011")!

const answer = (id: string, operation: string, status: number, data?: unknown): Observation =>
  exchanged(
    () => ({
      status,
      headers: { "content-type": "application/json" },
      body: { data, status_code: status < 300 ? 1000 : 2000, timestamp: now }
    }),
    { url: new URL(`${root}/2.2.1/sessions`), token: "good", about: "", requestId: "r", correlationId: "c" },
    { module: "sessions", operation },
    id
  )

describe("JRN-011", () => {
  const outcome = (status: number) => {
    const basis = { party, profile, startedAt: now, mark: "TST-000001", trustedPrefixes: [], tokens: [] }
    const evidenceOf = (gathered: Record<string, Gathered>) =>
      makeEvidence({ ...basis, graceSeconds: 0 }, new Map(Object.entries(gathered)))
    const { charging_periods, ...session } = playedSession(evidenceOf({}))
    const lacking = { ...session, charging_periods: (charging_periods as ReadonlyArray<object>).slice(0, 2) }
    const evidence = evidenceOf({
      "charge.played#begin": { seen: [answer("exc_1", "PUT session", 201)] },
      "charge.played#go on": { seen: [answer("exc_2", "PATCH session", 200)] },
      "charge.played#go further": { seen: [answer("exc_3", "PATCH session", status)] },
      "charge.played#end": { seen: [answer("exc_4", "PATCH session", 200)] },
      "charge.played#read back": { seen: [answer("exc_5", "GET session", 200, lacking)] }
    })
    return grade(check, evidence, rules)
  }
  it("fails where an accepted PATCH is lost", () => {
    assert.strictEqual(outcome(200).outcome, "failed")
  })
  it.each([429, 400])("is not judged where a PATCH was answered HTTP %i", (status) => {
    assert.strictEqual(outcome(status).outcome, "not_tested")
  })
})
