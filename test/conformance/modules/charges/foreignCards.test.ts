/**
 * Tokens of other parties in the list of an EMSP: sessions and CDRs of ours name one of its own, and a refusal of another's is no
 * fault.
 */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../../src/conformance/grading/grade.ts"
import type { Observation } from "../../../../src/conformance/model/Evidence.ts"
import { partnersToken } from "../../../../src/conformance/modules/charge/testCharge.ts"
import { answered, evidenceFrom } from "../../support/handmade.ts"
import { party } from "../../support/honestPartner.ts"

const emsp = {
  ...party,
  role: "CPO" as const,
  counterpart: {
    ...party.counterpart,
    role: "EMSP" as const,
    parties: [
      { role: "EMSP", countryCode: "NL", partyId: "TST", name: "Test EMSP" },
      { role: "CPO", countryCode: "NL", partyId: "CPX", name: "The CPO of the same platform" }
    ]
  }
}
const card = (uid: string, party_id: string) => ({
  country_code: "nl",
  party_id,
  uid,
  type: "RFID",
  contract_id: `NL-${party_id}-C12345678`,
  issuer: "Issuer",
  valid: true,
  whitelist: "ALLOWED",
  last_updated: "2026-05-01T00:00:00Z"
})
const scope = { profile: profileOf("2.2.1"), role: "EMSP" as const }
const checks = allChecks.filter(({ roles, versions }) => roles.includes("EMSP") && versions.includes("2.2.1"))

const refused = (module: string, status: number): Observation => {
  const seen = answered(module, null)
  return {
    ...seen,
    json: { status_code: status < 300 ? 1000 : 2004, timestamp: "2026-06-01T12:00:00Z" },
    exchange: { ...seen.exchange, response: { ...seen.exchange.response!, httpStatus: status } }
  }
}
const evidenceOf = (cards: ReadonlyArray<object>, status: number) => {
  const steps = checks
    .filter(({ id }) => /^(SESS-1|CDR-1|JRN-01)/.test(id))
    .flatMap((check) => check.needs(scope))
  return evidenceFrom(
    {
      "tokens.list": [answered("tokens", cards)],
      "tokens.crawl": [],
      ...Object.fromEntries(
        steps.map((step) => [step, [refused(step.startsWith("cdrs") ? "cdrs" : "sessions", status)]])
      )
    },
    "2.2.1",
    emsp
  )
}
const outcomes = (cards: ReadonlyArray<object>, status: number) =>
  ["SESS-101", "SESS-102", "CDR-101", "JRN-010", "JRN-011"].map((id) => {
    const check = checks.find((one) => one.id === id)!
    const { blockedBy, outcome } = grade(check, evidenceOf(cards, status), {
      scope,
      profile: "strict",
      checks
    })
    return blockedBy?.check ?? outcome
  })

describe("a list with tokens of other parties", () => {
  it("gives one of the partner's own to sessions and CDRs, wherever it stands", () => {
    const cards = [card("A", "OTH"), card("B", "TST")]
    assert.strictEqual(partnersToken(evidenceOf(cards, 200))["uid"], "B")
    assert.strictEqual(partnersToken(evidenceOf([card("A", "OTH")], 200))["uid"], "A")
  })

  it("without one of its own is the cause of refusals", () => {
    const cause = "PAGE-027"
    assert.deepStrictEqual(outcomes([card("A", "OTH")], 404), [cause, cause, cause, cause, cause])
  })

  it("is no excuse where one is its own, and blinds no check where all is taken", () => {
    assert.deepStrictEqual(outcomes([card("A", "OTH"), card("B", "TST")], 404), [
      "failed",
      "SESS-101",
      "failed",
      "SESS-101",
      "SESS-101"
    ])
    const [put, , post, all] = outcomes([card("A", "OTH")], 200)
    assert.deepStrictEqual([put, post, all], ["passed", "passed", "passed"])
  })

  it("is no better with the party id of a CPO of the platform: tokens belong to EMSPs", () => {
    const cards = [card("A", "CPX"), card("B", "TST")]
    assert.strictEqual(partnersToken(evidenceOf(cards, 200))["uid"], "B")
    // PAGE-027 does not report it, so the list that shows it is what blocks.
    assert.deepStrictEqual(outcomes([card("A", "CPX")], 404), Array(5).fill("not_tested"))
  })
})
