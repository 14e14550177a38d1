/** What a field that is left out does to the rules about it: the check of the schema reports it, and it blocks the others. */
import { assert, describe, it } from "@effect/vitest"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import { answered, evidenceFrom } from "../support/handmade.ts"
import { location, now } from "../support/honestPartner.ts"

const place = location("A", 1)
const session = {
  country_code: "NL",
  party_id: "TST",
  id: "S1",
  start_date_time: now,
  end_date_time: now,
  kwh: 0,
  cdr_token: { country_code: "BE", party_id: "PLG", uid: "T1", type: "RFID", contract_id: "C1" },
  auth_method: "WHITELIST",
  location_id: "A",
  evse_uid: "A-1",
  connector_id: "1",
  currency: "EUR",
  status: "COMPLETED",
  last_updated: now
}
const cdr = {
  country_code: "NL",
  party_id: "TST",
  id: "C1",
  start_date_time: now,
  end_date_time: now,
  session_id: "S1",
  cdr_token: session.cdr_token,
  auth_method: "WHITELIST",
  cdr_location: {
    id: "A",
    address: "a",
    city: "c",
    country: "NLD",
    coordinates: { latitude: "52.090142", longitude: "5.109665" },
    evse_uid: "A-1",
    evse_id: "NL*TST*EA1",
    connector_id: "1",
    connector_standard: "IEC_62196_T2",
    connector_format: "CABLE",
    connector_power_type: "AC_3_PHASE"
  },
  currency: "EUR",
  charging_periods: [{ start_date_time: now, dimensions: [{ type: "ENERGY", volume: 0 }] }],
  total_cost: { excl_vat: 0 },
  total_energy: 0,
  total_time: 0,
  last_updated: now
}
const without = (field: string, object: object) =>
  Object.fromEntries(Object.entries(object).filter(([name]) => name !== field))

const judge = (id: string, change: { readonly cdr?: object; readonly session?: object } = {}) =>
  allChecks
    .find((check) => check.id === id)!
    .judge(
      evidenceFrom({
        "cdrs.list": [answered("cdrs", [change.cdr ?? cdr], { id: "exc_cdrs" })],
        "cdrs.crawl": [],
        "sessions.list": [answered("sessions", [change.session ?? session], { id: "exc_sessions" })],
        "sessions.crawl": [],
        "tariffs.list": [answered("tariffs", [])],
        "tariffs.crawl": [],
        "locations.list": [answered("locations", [place])],
        "locations.crawl": []
      })
    )
const told = (judgement: ReturnType<typeof judge>) =>
  judgement.is === "inconclusive"
    ? `${judgement.outcome} ${judgement.blockedBy?.check} ${judgement.blockedBy?.exchangeId}`
    : judgement.is

describe("a CDR whose cdr_location lacks its evse_uid", () => {
  const unnamed = { ...cdr, cdr_location: without("evse_uid", cdr.cdr_location) }

  it("is a failure of the schema's check", () =>
    assert.strictEqual(judge("CDR-002", { cdr: unnamed }).is, "fail"))

  it.each(["CDR-021", "CDR-024", "CDR-026"])("blocks %s, which passes where it is given", (id) => {
    assert.strictEqual(told(judge(id, { cdr: unnamed })), "not_tested CDR-002 exc_cdrs")
    assert.notInclude(JSON.stringify(judge(id, { cdr: unnamed })), "undefined")
    if (id === "CDR-026") assert.strictEqual(judge(id).is, "pass")
  })

  it("does not hide what is wrong beside it", () => {
    assert.strictEqual(judge("CDR-021", { cdr: unnamed, session: { ...session, kwh: 99 } }).is, "fail")
    const empty = { ...cdr, cdr_location: { ...cdr.cdr_location, evse_uid: "" } }
    assert.strictEqual(judge("CDR-026", { cdr: empty }).is, "fail")
  })

  it("is the same without any cdr_location", () => {
    for (const id of ["CDR-021", "CDR-024", "CDR-026"])
      assert.strictEqual(
        told(judge(id, { cdr: without("cdr_location", cdr) })),
        "not_tested CDR-002 exc_cdrs"
      )
  })
})

describe("a session that lacks an id of its place", () => {
  const unnamed = without("evse_uid", session)
  it.each(["SESS-010", "SESS-011", "CDR-021"])("blocks %s", (id) => {
    assert.strictEqual(judge(id).is, "pass")
    assert.strictEqual(told(judge(id, { session: unnamed })), "not_tested SESS-002 exc_sessions")
  })

  it("blocks SESS-016 where it is ACTIVE", () => {
    assert.strictEqual(
      told(judge("SESS-016", { session: { ...unnamed, status: "ACTIVE", last_updated: now } })),
      "not_tested SESS-002 exc_sessions"
    )
  })
})
