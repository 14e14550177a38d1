/** What a partner is not told for what we do not know of it: calls beyond those that are kept, and what it has said since. */
import { assert, describe, it } from "@effect/vitest"
import type { Check } from "../../../src/conformance/model/Check.ts"
import { earlierCalls, noModule, type Observation } from "../../../src/conformance/model/Evidence.ts"
import { renewingChecks } from "../../../src/conformance/modules/credentials/renewing.ts"
import { theirRegistrationChecks } from "../../../src/conformance/modules/credentials/theirRegistration.ts"
import { lostLocationsChecks } from "../../../src/conformance/modules/locations/lostLocations.ts"
import { listedObjectsChecks } from "../../../src/conformance/modules/paging/listedObjects.ts"
import { tariffPushesChecks } from "../../../src/conformance/modules/tariffs/tariffPushes.ts"
import { sentTokensChecks } from "../../../src/conformance/modules/tokens/sentTokens.ts"
import { callsChecks } from "../../../src/conformance/modules/transport/calls.ts"
import { answered, called, evidenceFrom } from "../support/handmade.ts"
import { now } from "../support/honestPartner.ts"

const at = (seconds: number) => new Date(Date.parse(now) + 1000 * seconds).toISOString()
const judge = (checks: ReadonlyArray<Check>, id: string, gathered: Parameters<typeof evidenceFrom>[0]) =>
  checks.find((check) => check.id === id)!.judge(evidenceFrom(gathered))

/** What is withheld because we keep only some of the calls. */
const ourCut = { is: "inconclusive", outcome: "not_tested", attribution: "ours" } as const

const location = (startedAt: string, number = 1, tariff_ids = ["T1"]) =>
  called(
    "PUT",
    "locations",
    `/DE/ABC/L${number}`,
    {
      country_code: "DE",
      party_id: "ABC",
      id: `L${number}`,
      evses: [{ uid: "1", connectors: [{ id: "1", tariff_ids }] }]
    },
    { startedAt }
  )
const tariff = (startedAt: string, last_updated: string) =>
  called("PUT", "tariffs", "/DE/ABC/T1", { id: "T1", last_updated }, { startedAt })

describe("a tariff that comes after the location that names it (TAR-033)", () => {
  const judged = (...inbound: ReadonlyArray<Observation>) =>
    judge(tariffPushesChecks, "TAR-033", { inbound }).is

  it("is too late, where all calls are known", () => {
    assert.strictEqual(judged(location(at(-60)), tariff(at(5), at(-90))), "fail")
  })

  it("may have come before the calls that are known", () => {
    const others = Array.from({ length: earlierCalls - 1 }, (_, n) => location(at(n - 60), n + 2, []))
    const many = [...others, location(at(-1))]
    assert.notStrictEqual(judged(...many, tariff(at(5), at(-90))), "fail")
    assert.strictEqual(judged(...many, tariff(at(5), at(-30))), "fail")
  })
})

describe("a token that was pushed as invalid (TOK-029)", () => {
  const token = (valid: boolean, startedAt: string) =>
    called("PUT", "tokens", "/NL/EMS/CARD1", { uid: "CARD1", valid }, { startedAt })
  const list = (valid: boolean) => answered("tokens", [{ uid: "CARD1", valid }], { startedAt: at(10) })
  const judged = (listed: boolean, ...inbound: ReadonlyArray<Observation>) =>
    judge(sentTokensChecks, "TOK-029", { inbound, "tokens.list": [list(listed)], "tokens.crawl": [] }).is

  it("has to be listed as invalid", () => {
    assert.strictEqual(judged(true, token(false, at(1))), "fail")
    assert.strictEqual(judged(false, token(false, at(1))), "pass")
  })

  it("may be listed as valid when not all calls about tokens are kept", () => {
    const judged = judge(sentTokensChecks, "TOK-029", {
      inbound: { seen: [token(false, at(1))], cut: ["tokens"] },
      "tokens.list": [list(true)],
      "tokens.crawl": []
    })
    assert.deepInclude(judged, ourCut)
  })

  it("may be listed as valid when that was pushed since, or before the token was invalidated", () => {
    assert.strictEqual(judged(true, token(false, at(1)), token(true, at(2))), "inconclusive")
    assert.strictEqual(judged(true, token(true, at(1)), token(false, at(11))), "inconclusive")
  })
})

describe("a tariff that was pushed and is not listed (TAR-032)", () => {
  const seen = [tariff(at(1), at(0))]
  const gathered = { "tariffs.after": [answered("tariffs", [], { startedAt: at(200) })] }

  it("is held against the partner, unless its calls are not all kept", () => {
    assert.strictEqual(judge(tariffPushesChecks, "TAR-032", { ...gathered, inbound: { seen } }).is, "fail")
    const judged = judge(tariffPushesChecks, "TAR-032", { ...gathered, inbound: { seen, cut: ["tariffs"] } })
    assert.deepInclude(judged, ourCut)
  })
})

describe("a change that was pushed and is not found with date_from (PAGE-028)", () => {
  const seen = [tariff(at(1), at(0))]
  const judged = (cut: ReadonlyArray<string>) =>
    judge(listedObjectsChecks, "PAGE-028", {
      inbound: { seen, cut },
      "tariffs.list": [answered("tariffs", [])],
      "tariffs.changed": [answered("tariffs", [])]
    })

  it("is held against the partner, unless the object may have been deleted by a call that is not kept", () => {
    assert.strictEqual(judged([]).is, "fail")
    assert.strictEqual(judged(["sessions"]).is, "fail")
    assert.deepInclude(judged(["tariffs"]), { ...ourCut, outcome: "unobservable" })
  })

  it("is found by the id of its body, too: that its URL has another one is the finding of the check of the push", () => {
    const push = called(
      "PUT",
      "tariffs",
      "/DE/ABC/T1x",
      { id: "T1", last_updated: at(0) },
      { startedAt: at(1) }
    )
    const listing = (id: string) =>
      judge(listedObjectsChecks, "PAGE-028", {
        inbound: { seen: [push] },
        "tariffs.list": [answered("tariffs", [{ id, last_updated: at(0) }])],
        "tariffs.changed": [answered("tariffs", [{ id, last_updated: at(0) }])]
      }).is
    assert.deepStrictEqual(["T1", "T1x", "T2"].map(listing), ["pass", "pass", "fail"])
  })
})

describe("a location that is not listed any more (LOC-048)", () => {
  const known = { id: "L1", evses: [{ uid: "1", status: "AVAILABLE" }] }
  const unknown = answered("locations", undefined, {
    response: { httpStatus: 404, ocpiStatusCode: 2003, headers: {}, body: "{}", truncated: false }
  })
  const judged = (cut: ReadonlyArray<string>) =>
    judge(lostLocationsChecks, "LOC-048", {
      inbound: { seen: [], cut },
      "locations.list": [answered("locations", [known])],
      "locations.crawl": [],
      "locations.after": [answered("locations", [])],
      "locations.lost": [{ ...unknown, about: "L1" }]
    })

  it("is held against the partner, unless its EVSEs may have been REMOVED by a call that is not kept", () => {
    assert.strictEqual(judged([]).is, "fail")
    assert.deepInclude(judged(["locations"]), ourCut)
  })
})

describe("a call to the URL from before our PUT credentials (CRED-032)", () => {
  const call = called("PUT", "tariffs", "/DE/ABC/T1", { id: "T1" }, { startedAt: at(2) })
  const judged = (cut: ReadonlyArray<string>) =>
    judge(renewingChecks, "CRED-032", {
      "credentials.moved#put": [answered("credentials", {}, { startedAt: at(1) })],
      "credentials.moved#call": [call],
      "inbound.moved": { seen: [call], cut }
    })

  it("is held against the partner, unless it may have fetched our details since by a call that is not kept", () => {
    assert.strictEqual(judged(["tariffs"]).is, "fail")
    assert.deepInclude(judged([noModule]), ourCut)
  })
})

describe("calls after a registration of the partner (CRED-045)", () => {
  const call = (method: string, module: string, token: string, seconds: number, httpStatus = 200) => {
    const url = `https://us.example/ocpi/2.2.1/${module}`
    const message = { body: JSON.stringify({ data: { token: "«tokenC:new»" } }), truncated: false }
    return called(method, module, "", undefined, {
      startedAt: at(seconds),
      request: { method, url, headers: { authorization: `Token ${token}` }, body: null, truncated: false },
      response: { httpStatus, ocpiStatusCode: 1000, headers: {}, ...message }
    })
  }
  const judged = (...calls: ReadonlyArray<Observation>) =>
    judge(theirRegistrationChecks, "CRED-045", {
      "registration.theirs": [call("POST", "credentials", "«tokenA:old»", 1), ...calls]
    }).is

  it("carry the token that we handed over, and not the one before", () => {
    assert.strictEqual(judged(call("GET", "tokens", "«tokenC:new»", 2)), "pass")
    assert.strictEqual(judged(call("GET", "tokens", "«tokenA:old»", 2)), "fail")
    assert.strictEqual(judged(call("GET", "tokens", "«tokenB:stray»", 2, 401)), "fail")
  })

  it("carry another one after a later renewal, from which on they are no calls of this registration", () => {
    const later = [
      call("GET", "tokens", "«tokenC:newer»", 3),
      call("GET", "tokens", "«tokenC:newest»", 4, 401)
    ]
    assert.strictEqual(judged(call("GET", "tokens", "«tokenC:new»", 2), ...later), "pass")
    assert.strictEqual(judged(...later), "inconclusive")
  })
})

describe("TRANS-053: a PATCH without last_updated", () => {
  const check = callsChecks.find(({ id }) => id === "TRANS-053")!
  const judged = (module: string, path: string) =>
    check.judge(evidenceFrom({ inbound: [called("PATCH", module, path, {})] })).is

  it("is one of an object, and no method that its endpoint does not have", () => {
    assert.strictEqual(judged("sessions", "/NL/TST/S1"), "fail")
    for (const module of ["credentials", "tariffs", "cdrs"])
      assert.strictEqual(judged(module, "/NL/TST/X1"), "inconclusive", module)
  })
})
