/** A credentials endpoint that takes nothing of ours: whose fault that is, and that it is told once. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { suiteById } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import type { Observation } from "../../../src/conformance/model/Evidence.ts"
import {
  calledBackUnauthorized,
  firstStep,
  keptAfter,
  tokenAAtOnce,
  withoutTokenA,
  wrongSteps
} from "../../../src/conformance/modules/credentials/firstRegistration/firstRegistrationSteps.ts"
import { answered, evidenceFrom } from "../support/handmade.ts"
import { now } from "../support/honestPartner.ts"

const { checks } = suiteById("ocpi-2.2.1-cpo-registration")!
const scope = { profile: profileOf("2.2.1"), role: "CPO" } as const

const said = (module: string, httpStatus: number, json: unknown): Observation => ({
  ...answered(module, null, {
    response: { httpStatus, ocpiStatusCode: null, headers: {}, body: JSON.stringify(json), truncated: false }
  }),
  json
})
const refused = said("credentials", 401, { status_code: 2001, timestamp: now })
const crashed = said("credentials", 500, { message: "Internal Server Error" })
const versions = answered("versions", [{ version: "2.2.1", url: "https://cpo.example/2.2.1" }])
const closed = said("versions", 401, { status_code: 2001, timestamp: now })

/** By the id of a check: its outcome, and what it is blocked by. */
const outcomes = (seen: Observation, withoutToken: Observation) => {
  const steps = ["renewed", "ended", ...withoutTokenA, ...wrongSteps, "late", "register"]
  const evidence = evidenceFrom({
    versions: [versions],
    "versions.no-token": [withoutToken],
    [firstStep("versions")]: [versions],
    [firstStep(tokenAAtOnce)]: [],
    [firstStep(calledBackUnauthorized)]: [],
    ...Object.fromEntries(Object.values(keptAfter).map((step) => [firstStep(step), [versions]])),
    [firstStep("Token A")]: [versions],
    ...Object.fromEntries(steps.map((step) => [firstStep(step), [seen]]))
  })
  return Object.fromEntries(
    checks
      .filter(({ first, module }) => first === true && module === "credentials")
      .map((check) => {
        const { blockedBy, outcome } = grade(check, evidence, { scope, profile: "strict", checks })
        return [check.id, [outcome, blockedBy?.check].filter(Boolean).join(" ")]
      })
  )
}
const ofTokenA = [
  "CRED-013",
  "CRED-017",
  "CRED-018",
  "CRED-020",
  "CRED-021",
  "CRED-022",
  "CRED-023",
  "CRED-024",
  "CRED-025",
  "CRED-026",
  "CRED-047"
]

describe("a credentials endpoint that refuses Token A from the first request on", () => {
  it("is nobody's fault where versions are open to anyone: the token may be a wrong one", () => {
    const found = outcomes(refused, versions)
    for (const id of ["CRED-001", ...ofTokenA]) assert.strictEqual(found[id], "not_tested", id)
  })

  it("is the partner's fault where versions know the token, and CRED-001 alone reports it", () => {
    const found = outcomes(refused, closed)
    assert.strictEqual(found["CRED-001"], "failed")
    for (const id of ofTokenA) assert.strictEqual(found[id], "not_tested CRED-001", id)
  })
})

describe("a credentials endpoint that falls over each request", () => {
  it("is reported by CRED-001 alone", () => {
    const found = outcomes(crashed, closed)
    assert.strictEqual(found["CRED-001"], "failed")
    for (const id of [...ofTokenA, "CRED-048"]) assert.strictEqual(found[id], "not_tested CRED-001", id)
  })
})
