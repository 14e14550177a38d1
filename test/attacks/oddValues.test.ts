/** Row 18: values of a partner that break what reads them carelessly. No check of ours fails by an error of its own. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { type Service, until } from "../support/service/Service.ts"
import { api, attack, local, Victim } from "./support/attack.ts"
import { location, type Partner, registered, startPartner } from "./support/partner.ts"

/** An object that JavaScript turns into no text and no number, names that every object of it has, and other oddities. */
const odd: ReadonlyArray<unknown> = [
  { toString: "x" },
  { toString: null, valueOf: 1 },
  [{ toString: "x" }],
  "constructor",
  "__proto__",
  "toString",
  "\u0000",
  "\ud800",
  null,
  [],
  {},
  true,
  1e308,
  "1e400"
]

const tariff = (id: string, more: object = {}) => ({
  country_code: "DE",
  party_id: "ATK",
  id,
  currency: "EUR",
  elements: [{ price_components: [{ type: "ENERGY", price: 0.3, step_size: 1 }] }],
  last_updated: "2026-01-01T00:00:00Z",
  ...more
})
const evses = (tariffId: string) => [
  {
    uid: "E1",
    status: "AVAILABLE",
    last_updated: "2026-01-01T00:00:00Z",
    connectors: [
      {
        id: "1",
        standard: "IEC_62196_T2",
        format: "SOCKET",
        power_type: "AC_3_PHASE",
        max_voltage: 400,
        max_amperage: 32,
        tariff_ids: [tariffId],
        last_updated: "2026-01-01T00:00:00Z"
      }
    ]
  }
]

describe("odd values in what a partner shows", () => {
  let victim: Victim
  let service: Service
  let partner: Partner
  let id: string
  let checks = 0

  beforeAll(async () => {
    victim = new Victim({
      ...local,
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      RATE_LIMITS: "requests=2000"
    })
    service = await victim.alive()
    partner = await startPartner()
    id = await registered(service, partner)
  }, 60_000)
  afterAll(async () => {
    attack("18", `${odd.length} values`, `${checks} checks`)
    await victim?.end()
    partner?.close()
  })

  it("are judged, or not, and never break a check", async () => {
    for (const value of odd) {
      partner.tables["locations"] = [
        location("L1", { country: value, evses: evses("T1") }),
        location("L2", { coordinates: { latitude: value, longitude: value } }),
        location("L3", { coordinates: value, time_zone: value, opening_times: value, evses: value })
      ]
      partner.tables["tariffs"] = [
        tariff("T1"),
        tariff("T2", { currency: value, tax_included: value }),
        tariff("T3", { elements: [{ price_components: [{ type: value, price: value, step_size: value }] }] })
      ]
      const run = await api(service, "/testing/runs", {
        method: "POST",
        body: {
          connectionId: id,
          suiteId: "ocpi-2.2.1-cpo-core",
          modules: ["versions", "locations", "tariffs"]
        }
      })
      assert.strictEqual(run.status, 202, run.text)
      const path = `/testing/runs/${run.json.data._id}`
      const report = await until("the run to end", async () => {
        const { json } = await api(service, `${path}?wait=3`)
        return json?.data?.verdict == null ? undefined : json.data
      })
      checks += report.summary.total
      const broken = (await api(service, `${path}/checks?outcome=error`)).json.data
      assert.deepStrictEqual(
        broken.map(({ id, reason }: any) => `${id}: ${reason}`),
        [],
        JSON.stringify(value)
      )
      assert.strictEqual(report.status, "completed")
    }
  }, 120_000)
})
