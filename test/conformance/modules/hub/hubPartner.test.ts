/** A partner that is a hub: what it passes on is of parties that its credentials do not name. */
import { assert, describe, it } from "@effect/vitest"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import type { Observation } from "../../../../src/conformance/model/Evidence.ts"
import { partiesIn } from "../../../../src/party/wire/credentialsObject.ts"
import { answered, called, evidenceFrom } from "../../support/handmade.ts"
import { location, party } from "../../support/honestPartner.ts"

const own = { country_code: "NL", party_id: "HUB", business_details: { name: "Hub" } }
/** Credentials of the one platform: as a hub of the version, and as the only party of its role. */
const credentials = {
  hub: {
    "2.2.1": { roles: [{ role: "HUB", ...own }] },
    "2.3.0": { hub_party_id: "NLHUB", roles: [{ role: "CPO", ...own, party_id: "ONE" }] }
  },
  alone: {
    "2.2.1": { roles: [{ role: "CPO", ...own }] },
    "2.3.0": { roles: [{ role: "CPO", ...own }] }
  }
} as const
type HubVersion = keyof typeof credentials.hub

const partnerOf = (kind: keyof typeof credentials, version: HubVersion) => ({
  ...party,
  counterpart: {
    ...party.counterpart,
    parties: partiesIn(profileOf(version), party, credentials[kind][version])
  }
})

const judging =
  (kind: keyof typeof credentials, version: HubVersion) =>
  (id: string, gathered: Readonly<Record<string, ReadonlyArray<Observation>>>) =>
    allChecks
      .find((check) => check.id === id)!
      .judge(evidenceFrom(gathered, version as OcpiVersion, partnerOf(kind, version))).is

const withCode = (code: number) => ({
  "transport.answers": [
    { ...answered("locations", undefined), json: { status_code: code, timestamp: "2026-06-01T12:00:00Z" } }
  ].map((seen) => ({
    ...seen,
    exchange: { ...seen.exchange, response: { ...seen.exchange.response!, body: JSON.stringify(seen.json) } }
  }))
})

const pushed = (from: string, to = "PLG") => {
  const seen = called("PUT", "locations", "/NL/FAR/L1", { id: "L1" })
  const headers = {
    "ocpi-from-country-code": "NL",
    "ocpi-from-party-id": from,
    "ocpi-to-country-code": "NL",
    "ocpi-to-party-id": to
  }
  return {
    inbound: [{ ...seen, exchange: { ...seen.exchange, request: { ...seen.exchange.request, headers } } }]
  }
}

const twins = (other: string) => {
  const first = location("A", 1)
  return {
    "locations.list": [
      answered("locations", [first, { ...location("B", 1), party_id: other, evses: first.evses }])
    ],
    "locations.crawl": []
  }
}

const tokens = {
  "tokens.list": [answered("tokens", [{ country_code: "NL", party_id: "FAR", uid: "U1" }])],
  "tokens.crawl": []
}

describe.each(["2.2.1", "2.3.0"] as const)("a partner that is a hub, in %s", (version) => {
  const [atHub, alone] = [judging("hub", version), judging("alone", version)]

  it("answers with the status codes of hubs", () => {
    assert.strictEqual(atHub("TRANS-017", withCode(4001)), "pass")
    assert.strictEqual(atHub("TRANS-017", withCode(4901)), "fail")
    assert.strictEqual(alone("TRANS-017", withCode(4001)), "fail")
  })

  it("passes on requests of any party, to ours", () => {
    assert.strictEqual(atHub("TRANS-030", pushed("FAR")), "pass")
    assert.strictEqual(atHub("TRANS-030", pushed("FAR", "ELSE")), "fail")
    assert.strictEqual(alone("TRANS-030", pushed("FAR")), "fail")
  })

  it("is no platform of one party, which may leave the routing headers out", () => {
    const bare = { inbound: [called("PUT", "locations", "/NL/FAR/L1", { id: "L1" })] }
    const lists = {
      "locations.list": [answered("locations", [])],
      ...Object.fromEntries(["sessions", "cdrs", "tariffs"].map((list) => [`${list}.list`, []]))
    }
    assert.strictEqual(atHub("TRANS-030", bare), "fail")
    assert.strictEqual(alone("TRANS-030", bare), "inconclusive")
    assert.strictEqual(alone("TRANS-029", lists), "inconclusive")
  })

  it("lists EVSEs of several CPOs, of which each has uids of its own", () => {
    assert.strictEqual(atHub("LOC-011", twins("FAR")), "pass")
    assert.strictEqual(atHub("LOC-011", twins("TST")), "fail")
    assert.strictEqual(alone("LOC-011", twins("FAR")), "fail")
  })

  it("lists tokens of any EMSP", () => {
    assert.strictEqual(atHub("TOK-008", tokens), "inconclusive")
  })
})

describe("TOK-008: a token of an EMSP", () => {
  it("belongs to a party with that role, not to another one of the platform", () => {
    const roles = ["EMSP", "CPO"].map((role) => ({
      role,
      countryCode: "NL",
      partyId: role === "EMSP" ? "EMS" : "FAR",
      name: ""
    }))
    const of = { ...party, counterpart: { ...party.counterpart, parties: roles } }
    const judged = (gathered: typeof tokens) =>
      allChecks.find(({ id }) => id === "TOK-008")!.judge(evidenceFrom(gathered, "2.2.1", of)).is
    assert.strictEqual(judged(tokens), "fail")
    const ofTheirs = [answered("tokens", [{ country_code: "NL", party_id: "EMS", uid: "U1" }])]
    assert.strictEqual(judged({ ...tokens, "tokens.list": ofTheirs }), "pass")
  })

  it("is not judged where the credentials name no EMSP, and the reason says so", () => {
    const roles = [{ role: "CPO", countryCode: "NL", partyId: "FAR", name: "" }]
    const reason = (parties: typeof roles | null) => {
      const of = { ...party, counterpart: { ...party.counterpart, parties } }
      const found = allChecks.find(({ id }) => id === "TOK-008")!.judge(evidenceFrom(tokens, "2.2.1", of))
      return found.is === "inconclusive" ? found.reason : found.is
    }
    assert.include(reason(roles), "no party with the role EMSP")
    assert.include(reason(null), "roles are not known")
  })
})
