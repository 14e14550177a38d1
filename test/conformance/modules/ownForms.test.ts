/** What a CPO may leave out of a CDR, or write beside OCPI's fields, is no contradiction. */
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import type { Gathered } from "../../../src/conformance/model/Evidence.ts"
import { chargingCalls } from "../../../src/conformance/modules/charge/chargingCalls.ts"
import { evidenceFrom } from "../support/handmade.ts"
import { now } from "../support/honestPartner.ts"

/** How many findings the check has; undefined when it does not judge. */
const flawsAt = (id: string, results: ReadonlyMap<string, Gathered>) => {
  const judgement = allChecks
    .find((check) => check.id === id)!
    .judge(evidenceFrom(Object.fromEntries(results)))
  return judgement.is === "fail" ? judgement.findings.length : judgement.is === "pass" ? 0 : undefined
}

const token = { country_code: "DE", party_id: "EMS", uid: "CARD1", type: "RFID", contract_id: "DE-EMS-C1" }
const tariff = {
  elements: [
    {
      price_components: [
        { type: "FLAT", price: 1, step_size: 1 },
        { type: "ENERGY", price: 0.5, step_size: 1 }
      ]
    }
  ]
}
const cdr = {
  id: "CDR1",
  session_id: "S1",
  start_date_time: "2026-05-01T10:00:00Z",
  end_date_time: "2026-05-01T11:00:00Z",
  cdr_token: token,
  tariffs: [tariff],
  charging_periods: [
    { start_date_time: "2026-05-01T10:00:00Z", dimensions: [{ type: "ENERGY", volume: 10 }] }
  ],
  total_cost: { excl_vat: 6 },
  total_energy: 10
}

const exchangeOf = (method: string, path: string, body: unknown, said: unknown) =>
  ({
    id: `${method} ${path}`,
    direction: method === "GET" ? "outbound" : "inbound",
    module: path.split("/")[1],
    operation: "",
    request: {
      method,
      url: `https://us.example/ocpi/2.2.1${path}`,
      headers: {},
      body: JSON.stringify(body),
      truncated: false
    },
    response: {
      httpStatus: 200,
      ocpiStatusCode: 1000,
      headers: {},
      body: JSON.stringify(said),
      truncated: false
    },
    startedAt: now,
    durationMs: 1
  }) as unknown as Exchange

const listed = (parts: object) => {
  const json = { status_code: 1000, data: [{ ...cdr, ...parts }] }
  const exchange = exchangeOf("GET", "/cdrs", undefined, json)
  const gathered: Gathered = { seen: [{ exchange, about: "", json }] }
  return new Map<string, Gathered>([
    ["cdrs.list", gathered],
    ["cdrs.crawl", { seen: [] }]
  ])
}

describe("the parts of a CDR's cost", () => {
  const flaws = (parts: object) => flawsAt("CDR-012", listed(parts))

  it("are not added up when one that the tariff comes to is left out: each is optional", () => {
    assert.isUndefined(flaws({ total_energy_cost: { excl_vat: 5 } }))
  })

  it("are added up when all that the tariff comes to are there", () => {
    assert.strictEqual(flaws({ total_energy_cost: { excl_vat: 5 }, total_fixed_cost: { excl_vat: 1 } }), 0)
    assert.strictEqual(flaws({ total_energy_cost: { excl_vat: 3 }, total_fixed_cost: { excl_vat: 1 } }), 1)
  })

  it("are never more than the total, whatever is left out", () => {
    assert.strictEqual(flaws({ total_energy_cost: { excl_vat: 7 } }), 1)
    const limited = (limits: object) =>
      flaws({ total_energy_cost: { excl_vat: 7 }, tariffs: [{ ...tariff, ...limits }] })
    assert.isUndefined(limited({ max_price: { excl_vat: 6 } }))
    // null is absent: no limit.
    assert.strictEqual(limited({ min_price: null, max_price: null }), 1)
  })
})

describe("the token of a charge", () => {
  const session = {
    country_code: "DE",
    party_id: "CPO",
    id: "S1",
    start_date_time: "2026-05-01T10:00:00Z",
    kwh: 10,
    status: "COMPLETED"
  }
  const charged = (inSession: object, inCdr: object) => {
    const seen = [
      exchangeOf("PUT", "/sessions/DE/CPO/S1", { ...session, cdr_token: { ...token, ...inSession } }, {}),
      exchangeOf("POST", "/cdrs", { ...cdr, cdr_token: { ...token, ...inCdr } }, {})
    ].map((exchange) => ({ exchange, about: "", json: JSON.parse(exchange.request.body!) as unknown }))
    return flawsAt("JRN-003", new Map([[chargingCalls, { seen }]]))
  }

  it("is the same whatever else a partner writes into it", () => {
    assert.strictEqual(charged({ x_note: 1 }, { x_note: 2 }), 0)
  })

  it("is another when its own fields differ", () => {
    assert.strictEqual(charged({ x_note: 1 }, { uid: "CARD2" }), 1)
  })
})
