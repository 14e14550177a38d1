/** Times of sessions and CDRs where the text leaves more than one reading, or differs between versions. */
import { assert, describe, it } from "@effect/vitest"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import { allChecks } from "../../../../src/conformance/catalogue/suites.ts"
import { answered, called, evidenceFrom } from "../../support/handmade.ts"

const token = { country_code: "NL", party_id: "PLG", uid: "U1", type: "RFID", contract_id: "NL-PLG-C1" }
const period = (start_date_time: string, ...dimensions: ReadonlyArray<readonly [string, number]>) => ({
  start_date_time,
  dimensions: dimensions.map(([type, volume]) => ({ type, volume }))
})
const at = (time: string) => `2026-06-01T${time}:00Z`
const cdr = {
  country_code: "NL",
  party_id: "TST",
  id: "C1",
  start_date_time: at("10:00"),
  end_date_time: at("12:00"),
  session_id: "S1",
  cdr_token: token,
  cdr_location: { id: "A", evse_uid: "A-1", connector_id: "1" },
  total_energy: 1,
  total_time: 2
}
const session = {
  country_code: "NL",
  party_id: "TST",
  id: "S1",
  start_date_time: at("10:00"),
  end_date_time: at("12:00"),
  kwh: 1,
  cdr_token: token,
  location_id: "A",
  evse_uid: "A-1",
  connector_id: "1",
  status: "COMPLETED"
}

interface Story {
  readonly cdr?: object
  readonly session?: object
  readonly states?: ReadonlyArray<object>
  readonly version?: OcpiVersion
}

const judgementOf = (id: string, { states = [], version = "2.2.1", ...story }: Story) =>
  allChecks
    .find((check) => check.id === id)!
    .judge(
      evidenceFrom(
        {
          "cdrs.list": [answered("cdrs", [{ ...cdr, ...story.cdr }])],
          "cdrs.crawl": [],
          "sessions.list": [answered("sessions", [{ ...session, ...story.session }])],
          "sessions.crawl": [],
          "charging.calls": states.map((one) =>
            called("PUT", "sessions", "/NL/TST/S1", { ...session, ...one })
          )
        },
        version
      )
    )
const messages = (id: string, story: Story) => {
  const judgement = judgementOf(id, story)
  return judgement.is === "fail"
    ? judgement.findings.map(({ message }) => message.replace(/ \(\/.*/, ""))
    : judgement.is
}

describe("the time of parking", () => {
  /** Half an hour charging, half an hour waiting for power, one hour full. */
  const waited = {
    total_parking_time: 1.5,
    charging_periods: [
      period(at("10:00"), ["TIME", 0.5]),
      period(at("10:30"), ["TIME", 0]),
      period(at("11:00"), ["PARKING_TIME", 1])
    ]
  }

  it.each(["2.2.1", "2.3.0"] as const)("is more than that without a request for power in %s", (version) => {
    assert.strictEqual(messages("CDR-011", { cdr: waited, version }), "pass")
    assert.strictEqual(messages("CDR-010", { cdr: waited, version }), "pass")
    const less = { ...waited, total_parking_time: 0.5 }
    assert.deepStrictEqual(messages("CDR-011", { cdr: less, version }), [
      "total_parking_time is not at least the sum of PARKING_TIME, 1"
    ])
  })

  it("is that of PARKING_TIME in 2.2", () => {
    assert.deepStrictEqual(messages("CDR-011", { cdr: waited, version: "2.2" }), [
      "total_parking_time is not the sum of PARKING_TIME, 1"
    ])
    assert.deepStrictEqual(messages("CDR-010", { cdr: waited, version: "2.2" }), [
      "total_time is not the sum of TIME and PARKING_TIME"
    ])
  })

  it("is with the time of charging never more than total_time", () => {
    const long = { charging_periods: [period(at("10:00"), ["TIME", 1.5], ["PARKING_TIME", 1.5])] }
    assert.deepStrictEqual(messages("CDR-010", { cdr: long }), [
      "total_time is less than the sum of TIME and PARKING_TIME",
      "the period counts more time than it lasts"
    ])
  })

  it("is not told to differ from a total_time that is wrong itself", () => {
    const short = {
      total_time: 1.2,
      charging_periods: [period(at("10:00"), ["TIME", 1], ["PARKING_TIME", 1])]
    }
    assert.strictEqual(messages("CDR-010", { cdr: short }), "pass")
    assert.deepStrictEqual(messages("CDR-009", { cdr: short }), [
      "total_time is not the time from start to end"
    ])
  })
})

describe("a charge that began as a reservation", () => {
  const earlier = { start_date_time: at("09:00") }

  it("has a CDR that starts with the reservation, and a session that starts when it is ACTIVE", () => {
    const reserved = [period(at("09:00"), ["RESERVATION_TIME", 1]), period(at("10:00"), ["ENERGY", 1])]
    assert.strictEqual(messages("CDR-021", { cdr: { ...earlier, charging_periods: reserved } }), "pass")
    assert.strictEqual(
      messages("CDR-021", { cdr: { ...earlier, total_reservation_cost: { excl_vat: 1 } } }),
      "pass"
    )
    for (const status of ["RESERVATION", "RESERVED"])
      assert.strictEqual(messages("CDR-021", { cdr: earlier, states: [{ status }, {}] }), "pass", status)
    assert.deepStrictEqual(messages("CDR-021", { cdr: earlier }), ["the time is not that of the session"])
    assert.deepStrictEqual(
      messages("CDR-021", { cdr: { start_date_time: at("11:00"), charging_periods: reserved } }),
      ["the time is not that of the session"]
    )
  })

  it("may have the period of the reservation before the start of the session", () => {
    const periods = (type: string) => ({
      session: { charging_periods: [period(at("09:00"), [type, 1]), period(at("10:00"), ["ENERGY", 1])] }
    })
    assert.strictEqual(messages("SESS-008", periods("RESERVATION_TIME")), "pass")
    assert.deepStrictEqual(messages("SESS-008", periods("ENERGY")), [
      "the charging period begins before the start"
    ])
  })
})

describe("a last_updated of whole seconds", () => {
  const end = { end_date_time: "2026-06-01T12:00:00.835Z" }
  it.each([
    ["CDR-005", "cdr"],
    ["SESS-006", "session"]
  ])("stands for any instant of its second: %s", (id, of) => {
    const judged = (last_updated: string) => judgementOf(id, { [of]: { ...end, last_updated } })
    assert.strictEqual(judged("2026-06-01T12:00:00Z").is, "pass")
    for (const earlier of ["2026-06-01T11:59:59Z", "2026-06-01T12:00:00.834Z"])
      assert.strictEqual(judged(earlier).is, "fail", earlier)
  })
})

describe("a CDR that was last updated before its end", () => {
  it("is not said to be in another time zone for less than a second", () => {
    const hintAt = (last_updated: string) => {
      const judgement = judgementOf("CDR-005", {
        cdr: { end_date_time: "2026-06-01T12:00:00.835Z", last_updated }
      })
      return judgement.is === "fail" ? judgement.findings[0]?.hint : judgement
    }
    assert.match(String(hintAt("2026-06-01T12:00:00.100Z")), /the same clock as the end/)
    assert.isUndefined(hintAt("2026-06-01T10:00:00Z"))
  })
})

describe("a CDR whose start is not known", () => {
  it.each(["1970-1-1T00:00:00Z", "1970-01-01T00:00:00Z"])("has %s, which no check compares", (start) => {
    const unknown = { start_date_time: start, charging_periods: [period(at("10:00"), ["TIME", 2])] }
    for (const id of ["CDR-005", "CDR-006", "CDR-007", "CDR-009", "CDR-010", "CDR-021"])
      assert.notStrictEqual(judgementOf(id, { cdr: unknown }).is, "fail", id)
    const isAbout = (id: string) => {
      const judgement = judgementOf(id, { cdr: unknown })
      return (
        judgement.is === "fail" &&
        judgement.findings.some(({ pointer }) => /start_date_time$/.test(pointer ?? ""))
      )
    }
    assert.isFalse(isAbout("CDR-002"))
    assert.isFalse(isAbout("TRANS-045"))
  })

  it("is wrong where another date is written without its zeros", () => {
    const judgement = judgementOf("CDR-002", { cdr: { start_date_time: "2026-6-1T10:00:00Z" } })
    assert.include(
      judgement.is === "fail" ? judgement.findings.map(({ pointer }) => pointer) : [],
      "/data/0/start_date_time"
    )
  })
})

describe("CDR-012: a price with limits", () => {
  const tariff = (limits: object) => ({ id: "T1", currency: "EUR", elements: [], ...limits })
  const sums = (total: number, limits: object, energy = 5, fixed = 1) =>
    judgementOf("CDR-012", {
      cdr: {
        tariffs: [tariff(limits)],
        total_cost: { excl_vat: total },
        total_energy_cost: { excl_vat: energy },
        total_fixed_cost: { excl_vat: fixed }
      }
    }).is

  it("may be above its parts by a min_price, and below them by a max_price", () => {
    const [least, most] = [{ min_price: { excl_vat: 8 } }, { max_price: { excl_vat: 4 } }]
    assert.strictEqual(sums(8, least), "inconclusive")
    assert.strictEqual(sums(4, most), "inconclusive")
    assert.strictEqual(sums(6, { ...least, ...most }), "pass")
  })

  it("is judged as far as its limits allow", () => {
    const [least, most] = [{ min_price: { excl_vat: 1 } }, { max_price: { excl_vat: 99 } }]
    assert.strictEqual(sums(6, least), "pass")
    assert.strictEqual(sums(6, least, 9), "fail")
    assert.strictEqual(sums(5, least), "fail")
    assert.strictEqual(sums(6, most), "pass")
  })
})
