/** Sessions and CDRs of charges that went on during a run: the rules of listed objects hold for them, and say so once. */
import { assert, describe, it } from "@effect/vitest"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import type { Observation } from "../../../../src/conformance/model/Evidence.ts"
import { cdrSessionsProbes } from "../../../../src/conformance/modules/cdrs/cdrSessions.ts"
import { answered, called, evidenceFrom } from "../../support/handmade.ts"

const token = { country_code: "NL", party_id: "PLG", uid: "U1", type: "RFID", contract_id: "NL-PLG-C1" }
const session = (id: string, change: object = {}) => ({
  country_code: "NL",
  party_id: "TST",
  id,
  start_date_time: "2026-06-01T12:00:00Z",
  end_date_time: "2026-06-01T12:30:00Z",
  kwh: 1,
  cdr_token: token,
  auth_method: "COMMAND",
  location_id: "A",
  evse_uid: "A-1",
  connector_id: "1",
  currency: "EUR",
  charging_periods: [
    { start_date_time: "2026-06-01T12:00:00Z", dimensions: [{ type: "ENERGY", volume: 1 }] }
  ],
  status: "COMPLETED",
  last_updated: "2026-06-01T12:30:00Z",
  ...change
})
const active = (id: string, change: object = {}) => {
  const { end_date_time: _, ...rest } = session(id)
  return { ...rest, status: "ACTIVE", ...change }
}
const cdr = (id: string, change: object = {}) => ({
  country_code: "NL",
  party_id: "TST",
  id,
  start_date_time: "2026-06-01T12:00:00Z",
  end_date_time: "2026-06-01T12:30:00Z",
  session_id: "S1",
  cdr_token: token,
  auth_method: "COMMAND",
  cdr_location: {
    id: "A",
    address: "Street 1",
    city: "Town",
    country: "NLD",
    coordinates: { latitude: "52.09014", longitude: "5.10967" },
    evse_uid: "A-1",
    evse_id: "NL*TST*E1",
    connector_id: "1",
    connector_standard: "IEC_62196_T2",
    connector_format: "SOCKET",
    connector_power_type: "AC_3_PHASE"
  },
  currency: "EUR",
  charging_periods: session("S1").charging_periods,
  total_cost: { excl_vat: 1 },
  total_energy: 1,
  total_time: 0.5,
  last_updated: "2026-06-01T12:31:00Z",
  ...change
})

interface Story {
  readonly sessions?: ReadonlyArray<object>
  readonly cdrs?: ReadonlyArray<object>
  readonly pushes?: ReadonlyArray<Observation>
  readonly sessionsAfter?: ReadonlyArray<object>
  readonly cdrsAfter?: ReadonlyArray<object>
}

const evidenceOf = ({ cdrs = [], cdrsAfter, pushes = [], sessions = [], sessionsAfter }: Story) =>
  evidenceFrom({
    "sessions.list": [answered("sessions", sessions)],
    "sessions.crawl": [],
    "cdrs.list": [answered("cdrs", cdrs)],
    "cdrs.crawl": [],
    "charging.calls": pushes,
    ...(sessionsAfter === undefined ? {} : { "sessions.told": [answered("sessions", sessionsAfter)] }),
    ...(cdrsAfter === undefined ? {} : { "cdrs.told": [answered("cdrs", cdrsAfter)] })
  })
const judge = (id: string, story: Story) =>
  allChecks.find((check) => check.id === id)!.judge(evidenceOf(story))
const found = (id: string, story: Story) => {
  const judgement = judge(id, story)
  return judgement.is === "fail" ? judgement.findings.length : judgement.is
}

const put = (json: object) => called("PUT", "sessions", "/NL/TST/S1", json)
const post = (json: object) => called("POST", "cdrs", "", json)

describe("a session of a charge of the run", () => {
  it("is judged as it is listed afterwards", () => {
    assert.strictEqual(found("SESS-007", { sessionsAfter: [session("S1", { kwh: 1000 })] }), 1)
    assert.strictEqual(found("SESS-007", { sessionsAfter: [session("S1")] }), "pass")
    assert.strictEqual(found("SESS-002", { sessionsAfter: [session("S1", { currency: undefined })] }), 1)
    assert.strictEqual(found("SESS-014", { sessionsAfter: [session("S1", { currency: "?" })] }), 1)
  })

  it("is judged as it was pushed: each place once, however often it was pushed and listed", () => {
    const early = active("S1", { end_date_time: "2026-06-01T12:20:00Z" })
    assert.strictEqual(found("SESS-006", { pushes: [put(early), put({ ...early, kwh: 0.9 })] }), 1)
    const wrong = session("S1", { kwh: 1000 })
    assert.strictEqual(found("SESS-007", { pushes: [put(wrong)] }), 1)
    assert.strictEqual(found("SESS-007", { pushes: [put(wrong)], sessionsAfter: [wrong] }), 1)
    assert.strictEqual(found("SESS-007", { pushes: [put(session("S1"))] }), "pass")
  })

  it("is not held against the partner where another check of pushes reports it", () => {
    const without = session("S1", { currency: undefined })
    // SESS-024 reports what is wrong with the schema of a push, and SESS-027 what comes after the end.
    const listed = { pushes: [put(without)], sessionsAfter: [without] }
    const form = judge("SESS-002", listed)
    assert.strictEqual(form.is === "inconclusive" && form.blockedBy?.check, "SESS-024")
    // A rule about other fields holds.
    assert.strictEqual(found("SESS-004", listed), "pass")
    const after = active("S1", { end_date_time: "2026-06-01T12:20:00Z" })
    assert.strictEqual(found("SESS-006", { pushes: [put(session("S1")), put(after)] }), "pass")
    // Listed otherwise than pushed is a finding of SESS-031.
    assert.strictEqual(
      found("SESS-007", { pushes: [put(session("S1", { kwh: 9 }))], sessionsAfter: [session("S1")] }),
      "pass"
    )
  })

  it("is not listed twice because it was listed before", () => {
    const twice = { sessions: [session("S1")], sessionsAfter: [session("S1"), session("S2")] }
    assert.strictEqual(found("SESS-018", twice), "pass")
    assert.strictEqual(found("SESS-018", { sessionsAfter: [session("S2"), session("S2")] }), 1)
  })

  it("is not one that is older than the first reading of the list", () => {
    const old = session("S0", { kwh: 1000, last_updated: "2026-06-01T11:30:00Z" })
    assert.strictEqual(found("SESS-007", { sessionsAfter: [old] }), "inconclusive")
  })
})

describe("what was pushed, and is not in what was read of the list afterwards", () => {
  const pushes = [put(session("S1")), post(cdr("C1"))]
  const first = (module: string, headers: Readonly<Record<string, string>>) =>
    answered(module, [], {
      response: { httpStatus: 200, ocpiStatusCode: 1000, headers, body: "{}", truncated: false }
    })
  const read = (
    id: string,
    headers: Readonly<Record<string, string>>,
    told: ReadonlyArray<Observation> = pushes
  ) =>
    allChecks
      .find((check) => check.id === id)!
      .judge(
        evidenceFrom({
          "charging.calls": told,
          "sessions.told": [first("sessions", headers)],
          "cdrs.told": [first("cdrs", headers)]
        })
      ).is
  const checks: ReadonlyArray<readonly [string, ReadonlyArray<Observation>]> = [
    ["SESS-031", pushes],
    ["CDR-037", pushes],
    ["JRN-009", pushes],
    ["CDR-036", [put(session("S1"))]]
  ]

  it("is absent when the list was read to its end", () => {
    for (const [id, told] of checks) assert.strictEqual(read(id, {}, told), "fail", id)
  })

  it("is not called absent when the list goes on", () => {
    const link = { link: '<https://cpo.example/ocpi/2.2.1/next>; rel="next"' }
    for (const [id, told] of checks) assert.strictEqual(read(id, link, told), "inconclusive", id)
  })
})

describe("a CDR of a charge of the run", () => {
  it("is judged as it is listed afterwards, or else as it was sent", () => {
    const wrong = cdr("C1", { total_energy: 7 })
    assert.strictEqual(found("CDR-008", { cdrsAfter: [wrong] }), 1)
    assert.strictEqual(found("CDR-008", { pushes: [post(wrong)] }), 1)
    assert.strictEqual(found("CDR-008", { pushes: [post(wrong)], cdrsAfter: [wrong] }), 1)
    assert.strictEqual(found("CDR-008", { pushes: [post(cdr("C1"))] }), "pass")
  })

  it("is sought among the sessions that have come since, without reading them again", () => {
    const asked = (story: Story) => {
      const [probe] = cdrSessionsProbes
      const asks = probe !== undefined && "asks" in probe ? probe.asks(evidenceOf(story)) : []
      return "withheld" in asks ? asks.reason : asks.length
    }
    const both = { cdrsAfter: [cdr("C1")], sessionsAfter: [session("S1")] }
    assert.strictEqual(asked(both), 0)
    assert.strictEqual(found("CDR-021", both), "pass")
    assert.strictEqual(asked({ cdrsAfter: [cdr("C1")], sessionsAfter: [] }), 1)
    assert.strictEqual(found("CDR-021", { ...both, sessionsAfter: [session("S1", { kwh: 5 })] }), 1)
  })

  it("is compared with its session once, where both were pushed", () => {
    const pushes = [put(session("S1", { kwh: 5, charging_periods: [] })), post(cdr("C1"))]
    const story = { pushes, cdrsAfter: [cdr("C1")], sessionsAfter: [session("S1", { kwh: 5 })] }
    assert.strictEqual(found("JRN-005", story), 1)
    assert.strictEqual(found("CDR-021", story), "pass")
  })

  it("may have another cost beside the amounts, which the version does not have", () => {
    const total_cost = { excl_vat: 2, incl_vat: 2.4 }
    const pushes = [
      put(session("S1", { total_cost: { ...total_cost, note: "so far" }, charging_periods: [] })),
      post(cdr("C1", { total_cost }))
    ]
    assert.strictEqual(found("JRN-005", { pushes }), "pass")
    const other = post(cdr("C1", { total_cost: { ...total_cost, incl_vat: 3 } }))
    assert.strictEqual(found("JRN-005", { pushes: [pushes[0]!, other] }), 1)
  })
})

describe("a CDR that is posted below the endpoint", () => {
  const below = (path: string) => [called("POST", "cdrs", path, cdr("C1"))]

  it("is a finding of CDR-034, as it does not arrive", () => {
    assert.strictEqual(found("CDR-034", { pushes: below("/NL/TST/C1") }), 1)
    assert.strictEqual(found("CDR-034", { pushes: below("") }), "pass")
    assert.strictEqual(found("CDR-034", { pushes: below("/") }), "pass")
  })
})
