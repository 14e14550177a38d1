/** A partner that registers with a token that it has encoded: known by the form in which it takes that token. */
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { makeEvidence } from "../../../src/conformance/model/Evidence.ts"
import { theirRegistrationChecks } from "../../../src/conformance/modules/credentials/theirRegistration.ts"
import type { TokenForm } from "../../../src/ocpi/tokens.ts"
import { now, party } from "../support/honestPartner.ts"

const check = theirRegistrationChecks.find(({ id }) => id === "CRED-042")!
const placeholder = "«tokenB:12345678»"

/** The POST credentials of a partner, with that token in it. */
const post: Exchange = {
  id: "exc_1",
  direction: "inbound",
  module: "credentials",
  operation: "POST credentials",
  request: {
    method: "POST",
    url: "https://us.example/ocpi/2.2.1/credentials",
    headers: { authorization: "Token «tokenA:87654321»" },
    body: JSON.stringify({
      token: placeholder,
      url: "https://partner.example/ocpi/versions",
      roles: [{ role: "CPO", country_code: "DE", party_id: "CPO", business_details: { name: "A CPO" } }]
    }),
    truncated: false
  },
  response: null,
  outcome: "completed",
  startedAt: now,
  durationMs: 1,
  requestId: "r",
  correlationId: "c"
}

/** `sent`: the form in which the partner takes the token; `encoded`: the token reads as Base64 of a text. */
const judged = (sent: TokenForm, encoded: boolean, version: "2.1.1" | "2.2" | "2.2.1" = "2.2.1") =>
  check.judge(
    makeEvidence(
      {
        party: {
          ...party,
          dialect: { ...party.dialect, tokenEncoding: { inbound: "auto", outbound: sent } }
        },
        profile: profileOf(version),
        startedAt: now,
        trustedPrefixes: [],
        mark: "TST-abc",
        graceSeconds: 0,
        tokens: [{ slot: "outbound", name: "tokenB", placeholder, length: 40, printable: true, encoded }]
      },
      new Map([["registration.theirs", { seen: [{ exchange: post, json: undefined, about: "" }] }]])
    )
  )

describe("a Base64 token in credentials", () => {
  it("is a finding where the partner takes it as it stands in the body", () => {
    const judgement = judged("raw", true)
    assert.strictEqual(judgement.is, "fail")
    assert.include(JSON.stringify(judgement), "the token is Base64 encoded")
  })

  it("may be the token itself, where the partner takes it encoded once more", () => {
    assert.strictEqual(judged("base64", true).is, "pass")
    assert.strictEqual(judged("raw", false).is, "pass")
  })

  it("is no more than a warning where the version's text is open to doubt", () => {
    const judgement = judged("raw", true, "2.2")
    assert.deepStrictEqual(
      judgement.is === "fail" ? judgement.findings.map(({ strength }) => strength) : judgement.is,
      ["should"]
    )
  })
})
