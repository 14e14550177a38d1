/** A partner with several EMSPs: our sessions and CDRs name a token of the one that they are addressed to. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { makeEvidence } from "../../../../src/conformance/model/Evidence.ts"
import { foreignCard, partnersToken } from "../../../../src/conformance/modules/charge/testCharge.ts"
import { exchanged, now, party, root } from "../../support/honestPartner.ts"

const emsp = (partyId: string) => ({ role: "EMSP", countryCode: "NL", partyId, name: partyId })
const token = (party_id: string) => ({
  country_code: "NL",
  party_id,
  uid: `CARD-${party_id}`,
  type: "RFID",
  contract_id: `NL-${party_id}-C12345678`,
  issuer: party_id,
  valid: true,
  whitelist: "ALLOWED",
  last_updated: now
})

const evidenceOf = (...listed: ReadonlyArray<string>) => {
  const seen = exchanged(
    () => ({
      status: 200,
      headers: { "content-type": "application/json" },
      body: { data: listed.map(token), status_code: 1000, timestamp: now }
    }),
    { url: new URL(`${root}/2.2.1/tokens`), token: "good", about: "", requestId: "r", correlationId: "c" },
    { module: "tokens", operation: "list" },
    "exc_1"
  )
  return makeEvidence(
    {
      party: {
        ...party,
        counterpart: { ...party.counterpart, role: "EMSP", parties: [emsp("ONE"), emsp("TWO")] }
      },
      profile: profileOf("2.2.1"),
      startedAt: now,
      mark: "TST-000001",
      trustedPrefixes: [],
      tokens: [],
      graceSeconds: 0
    },
    new Map([["tokens.list", { seen: [seen] }]])
  )
}

describe("the card of our sessions", () => {
  it("is one of the EMSP that we address, wherever it stands in the list", () => {
    const evidence = evidenceOf("TWO", "ONE")
    assert.strictEqual(partnersToken(evidence)["uid"], "CARD-ONE")
    assert.isUndefined(foreignCard(evidence))
  })
  it("may be refused where the list has cards of the other EMSP alone", () => {
    const evidence = evidenceOf("TWO")
    assert.strictEqual(partnersToken(evidence)["uid"], "CARD-TWO")
    assert.strictEqual(foreignCard(evidence)?.exchangeId, "exc_1")
  })
})
