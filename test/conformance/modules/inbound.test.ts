/** The form of the token in the partner's calls, version by version. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import { evidenceOf, honest } from "../support/honestPartner.ts"

const raw = "Token «tokenB:abcd»"
const encoded = "Token base64(«tokenB:abcd»)"

/** Outcome of the check about the token's form that the version has, and its id. */
const judged = (version: OcpiVersion, inbound: ReadonlyArray<string>) => {
  const profile = profileOf(version)
  const checks = allChecks.filter(
    ({ id, versions }) => ["TRANS-007", "TRANS-008"].includes(id) && versions.includes(version)
  )
  return Effect.map(evidenceOf(honest, ["inbound"], { inbound, profile }), (evidence) =>
    checks.map(
      (check) =>
        `${check.id} ${grade(check, evidence, { scope: { profile, role: "CPO" }, profile: "strict" }).outcome}`
    )
  )
}

describe("the token in the partner's calls", () => {
  it.effect.each([
    ["2.1.1", [raw, raw], "TRANS-008 passed"],
    ["2.1.1", [encoded], "TRANS-008 warned"],
    ["2.2", [encoded], "TRANS-008 passed"],
    ["2.2", [raw], "TRANS-008 warned"],
    ["2.2", [encoded, raw], "TRANS-008 warned"],
    ["2.2", [], "TRANS-008 unobservable"],
    ["2.2.1", [encoded], "TRANS-007 passed"],
    ["2.2.1", [raw], "TRANS-007 failed"],
    ["2.3.0", [raw], "TRANS-007 failed"]
  ] as const)("in %s, sent as %j: %s", ([version, inbound, expected]) =>
    Effect.map(judged(version, inbound), (outcomes) => assert.deepStrictEqual(outcomes, [expected]))
  )
})
