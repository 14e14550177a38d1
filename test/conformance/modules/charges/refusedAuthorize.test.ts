/** Real-time authorization that is refused whatever is asked: one check reports it. */
import { assert, describe, it } from "vitest"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { suiteById } from "../../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../../src/conformance/grading/grade.ts"
import { unpublishedPlace } from "../../../../src/conformance/modules/tokens/authorizeProbes.ts"
import { answered, evidenceFrom } from "../../support/handmade.ts"
import { now, party } from "../../support/honestPartner.ts"

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
  it("is the finding of TOK-012, and none about the type of the token or the location", () => {
    const asked = ["TOK-012", "TOK-020", "TOK-022"].map((id) => checks.find((one) => one.id === id)!)
    const evidence = evidenceFrom({
      ...Object.fromEntries(asked.flatMap((check) => check.needs(scope)).map((probe) => [probe, []])),
      "tokens.authorize": [refused()],
      "tokens.authorize-bare": [refused()],
      "tokens.authorize-other": [refused("OTHER"), refused("BANANA")]
    })
    const outcomes = asked.map((check) => {
      const { blockedBy, outcome } = grade(check, evidence, { scope, profile: "strict", checks })
      return blockedBy?.check ?? outcome
    })
    assert.deepStrictEqual(outcomes, ["failed", "TOK-012", "TOK-012"])
  })
})

describe("the token in the answer of authorize", () => {
  const old = "2026-01-01T00:00:00Z"
  const listed = {
    country_code: "NL",
    party_id: "EMS",
    uid: "CARD1",
    type: "RFID",
    contract_id: "NL-EMS-C1",
    visual_number: "1",
    issuer: "EMS",
    valid: true,
    whitelist: "NEVER",
    last_updated: old
  }
  const parties = [{ role: "EMSP", countryCode: "NL", partyId: "EMS", name: "" }]
  const emsp = { ...party, counterpart: { ...party.counterpart, parties } }
  const judged = (answer: object, known: object = {}) => {
    const token = { ...listed, ...known }
    const judgement = checks
      .find(({ id }) => id === "TOK-013")!
      .judge(
        evidenceFrom(
          {
            "tokens.list": [answered("tokens", [token])],
            "tokens.crawl": [],
            "tokens.authorize": [answered("tokens", { allowed: "ALLOWED", token: { ...token, ...answer } })]
          },
          "2.2.1",
          emsp
        )
      )
    return judgement.is === "fail"
      ? judgement.findings.map(
          ({ pointer, strength }) => `${pointer}${strength === "should" ? " (should)" : ""}`
        )
      : judgement.is
  }

  it("is the one that is listed, however that is written", () => {
    assert.strictEqual(judged({}), "pass")
    assert.strictEqual(
      judged({ uid: "card1", language: null, x_note: 1, last_updated: "2026-01-01T00:00:00.000Z" }),
      "pass"
    )
  })

  it("is another one when it has another uid", () => {
    assert.deepStrictEqual(judged({ uid: "CARD2" }), ["/data/token/uid"])
  })

  it("has the other fields of the listed one too, unless it was changed", () => {
    assert.deepStrictEqual(judged({ visual_number: "2" }), ["/data/token/visual_number"])
    assert.strictEqual(judged({ visual_number: "2", last_updated: "2026-06-01T12:00:00Z" }), "pass")
    const lately = { last_updated: now }
    assert.strictEqual(judged({ visual_number: "2" }, lately), "pass")
  })

  it("leaves out no field of the listed one, and should have no other, with the same last_updated", () => {
    assert.deepStrictEqual(judged({ language: "nl" }), ["/data/token/language (should)"])
    assert.deepStrictEqual(judged({ language: "nl", issuer: "OTHER" }), [
      "/data/token/issuer",
      "/data/token/language (should)"
    ])
    assert.deepStrictEqual(judged({ group_id: null }, { group_id: "G1" }), ["/data/token/group_id"])
    assert.strictEqual(judged({ language: "nl", last_updated: "2026-05-31T00:00:00Z" }), "pass")
  })

  it("may differ from what is wrong in the list, as other checks tell that", () => {
    assert.strictEqual(judged({ language: "nl" }, { language: "xx" }), "pass")
    assert.strictEqual(judged({ party_id: "TST" }, { party_id: "OTH" }), "pass")
    assert.strictEqual(judged({ issuer: "EMS" }, { issuer: undefined }), "pass")
  })

  it("may have what is wrong in the list as well, and nothing else that is wrong", () => {
    assert.strictEqual(judged({ issuer: undefined }, { issuer: undefined }), "inconclusive")
    assert.deepStrictEqual(new Set(judged({ issuer: undefined })), new Set(["/data/token/issuer"]))
  })
})

describe("the form of what authorize answers", () => {
  const judged = (id: string, fields: object, version: "2.1.1" | "2.2.1" = "2.2.1") => {
    const seen = answered("tokens", { allowed: "ALLOWED", ...fields })
    const judgement = suiteById(`ocpi-${version}-emsp-full`)!
      .checks.find((one) => one.id === id)!
      .judge(
        evidenceFrom(
          { "tokens.authorize": [seen], "tokens.authorize-bare": [], "tokens.authorize-again": [] },
          version
        )
      )
    return judgement.is === "fail" ? judgement.findings.map(({ pointer }) => pointer) : judgement.is
  }
  const { location_id, evse_uids } = unpublishedPlace

  it("is LocationReferences where it has a location", () => {
    assert.strictEqual(judged("TOK-014", { location: { location_id, evse_uids } }), "pass")
    assert.strictEqual(judged("TOK-014", { location: null }), "pass")
    assert.deepStrictEqual(judged("TOK-014", { location: location_id }), ["/data/location"])
    assert.deepStrictEqual(judged("TOK-014", { location: { location_id, evse_uids: evse_uids[0] } }), [
      "/data/location/evse_uids"
    ])
    assert.deepStrictEqual(judged("TOK-014", { location: location_id }, "2.1.1"), ["/data/location"])
  })

  it("has a text as authorization_reference", () => {
    assert.strictEqual(judged("TOK-012", { authorization_reference: "REF-1" }), "pass")
    assert.deepStrictEqual(judged("TOK-012", { authorization_reference: 12345 }), [
      "/data/authorization_reference"
    ])
  })
})

describe("authorize of a known uid with another type", () => {
  const judged = (version: "2.1.1" | "2.2.1", allowed: string) =>
    suiteById(`ocpi-${version}-emsp-full`)!
      .checks.find(({ id }) => id === "TOK-022")!
      .judge(evidenceFrom({ "tokens.authorize-other": [answered("tokens", { allowed })] }, version)).is

  it("may be answered with a refusing verdict in 2.1.1, which has no status_code for unknown tokens", () => {
    assert.strictEqual(judged("2.1.1", "NOT_ALLOWED"), "pass")
    assert.strictEqual(judged("2.1.1", "ALLOWED"), "fail")
    assert.strictEqual(judged("2.2.1", "NOT_ALLOWED"), "fail")
  })
})
