import { assert, describe, it } from "vitest"
import { versions } from "../../../schema/ocpi/versions.ts"
import { type JsonObject, objectsIn } from "../../../src/findings/json.ts"
import { violations } from "../../../src/findings/violations/violations.ts"
import { cdrOf, costSoFar } from "../../../src/party/simulation/chargePoint/cdr.ts"
import { creditOf } from "../../../src/party/simulation/chargePoint/creditCdr.ts"
import { location, session, tariff } from "../../support/ocpi/objects.ts"
import { partyWith } from "../../support/parties/parties.ts"

const profile = versions["2.2.1"]
const cpo = partyWith({ id: "sbx_1", role: "CPO", kind: "sandbox" })
const place = (elements: ReadonlyArray<unknown>) => {
  const place = location()
  return {
    location: place,
    evse: place.evses[0]!,
    connector: place.evses[0]!.connectors[0]!,
    tariff: tariff({ elements })
  }
}
const perKwh = { price_components: [{ type: "ENERGY", price: 0.5, vat: 20, step_size: 1 }] }
const reserved = {
  price_components: [{ type: "TIME", price: 6, vat: 20, step_size: 1 }],
  restrictions: { reservation: "RESERVATION" }
}
/** An hour with 10 kWh, from midnight. */
const charged = session({
  status: "COMPLETED",
  kwh: 10,
  end_date_time: "2026-01-01T01:00:00Z",
  last_updated: "2026-01-01T01:00:00Z",
  charging_periods: [
    {
      start_date_time: "2026-01-01T00:00:00Z",
      dimensions: [
        { type: "ENERGY", volume: 10 },
        { type: "TIME", volume: 1 }
      ],
      tariff_id: "T1"
    }
  ]
})
const halfAnHourBefore = "2025-12-31T23:30:00Z"

describe("a CDR", () => {
  it("charges what its tariff says, and splits it into parts", () => {
    const cdr = cdrOf(cpo, charged, place([perKwh]))
    assert.deepStrictEqual(cdr["total_cost"], { excl_vat: 5, incl_vat: 6 })
    assert.deepStrictEqual(cdr["total_energy_cost"], { excl_vat: 5, incl_vat: 6 })
    assert.notProperty(cdr, "total_time_cost")
    assert.deepStrictEqual(violations(profile.objects.CDR!, cdr), [])
  })
  it("charges the reservation before the session, as the session itself did", () => {
    const cdr = cdrOf(cpo, charged, place([reserved, perKwh]), halfAnHourBefore)
    assert.strictEqual(cdr["start_date_time"], halfAnHourBefore)
    assert.deepStrictEqual(cdr["total_reservation_cost"], { excl_vat: 3, incl_vat: 3.6 })
    assert.deepStrictEqual(cdr["total_cost"], { excl_vat: 8, incl_vat: 9.6 })
    assert.deepStrictEqual(
      costSoFar(profile, charged, place([reserved, perKwh]), halfAnHourBefore),
      cdr["total_cost"]
    )
    assert.strictEqual(cdr["total_time"], 1)
    assert.deepStrictEqual(violations(profile.objects.CDR!, cdr), [])
  })

  describe("after a change of the tariff", () => {
    const dearer = { price_components: [{ type: "ENERGY", price: 1, vat: 20, step_size: 1 }] }
    const changed = {
      ...place([dearer]),
      tariff: { ...tariff({ elements: [dearer] }), id: "T2" },
      tariffBefore: tariff({ elements: [perKwh] })
    }
    const [first] = objectsIn(Reflect.get(charged, "charging_periods"))
    const second: JsonObject = { ...first, start_date_time: "2026-01-01T01:00:00Z", tariff_id: "T2" }
    const longer = { ...charged, kwh: 20, charging_periods: [first ?? {}, second] }

    it("charges each period by the tariff that it names, and carries both", () => {
      const cdr = cdrOf(cpo, longer, changed)
      assert.deepStrictEqual(cdr["total_cost"], { excl_vat: 15, incl_vat: 18 })
      assert.deepStrictEqual(
        (cdr["tariffs"] as ReadonlyArray<{ id: string }>).map(({ id }) => id),
        ["T1", "T2"]
      )
    })
    it("charges all of it by the first one where periods cannot name any", () => {
      const charging_periods = longer.charging_periods.map(({ tariff_id: _, ...period }) => period)
      const total = costSoFar(versions["2.1.1"], { ...longer, charging_periods }, changed)
      assert.strictEqual(total, 10)
    })
  })
})

describe("a Credit CDR", () => {
  const credited = (total_cost: unknown) =>
    creditOf({ ...cdrOf(cpo, charged, place([perKwh])), total_cost }, "2026-02-01T00:00:00Z")["total_cost"]

  it("has every amount of the total with the other sign, and rates of tax as they are", () => {
    assert.strictEqual(credited(1.5), -1.5)
    assert.deepStrictEqual(credited({ excl_vat: 10, incl_vat: 12.1 }), { excl_vat: -10, incl_vat: -12.1 })
    assert.deepStrictEqual(
      credited({ before_taxes: 10, taxes: [{ name: "VAT", percentage: 21, amount: 2.1 }] }),
      { before_taxes: -10, taxes: [{ name: "VAT", percentage: 21, amount: -2.1 }] }
    )
  })
  it("names the CDR that it takes back, under an id of its own", () => {
    const cdr = cdrOf(cpo, charged, place([perKwh]))
    const credit = creditOf(cdr, "2026-02-01T00:00:00Z")
    assert.strictEqual(credit["credit_reference_id"], cdr["id"])
    assert.notStrictEqual(credit["id"], cdr["id"])
    assert.deepStrictEqual(violations(profile.objects.CDR!, credit), [])
  })
})
