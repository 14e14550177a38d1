import { assert, describe, it } from "vitest"
import { costOf, priceOf } from "../../../src/party/simulation/cost.ts"
import { scaled, unitsOf } from "../../../src/party/simulation/decimals.ts"
import { hours, periodsBetween, powerOf, usageOf } from "../../../src/party/simulation/meter.ts"
import { tariff } from "../objects.ts"

const element = (...price_components: ReadonlyArray<Record<string, unknown>>) => ({ price_components })
const oneHour = { energyUnits: 110_500, chargingSeconds: 3600, parkingSeconds: 0 }

describe("costOf", () => {
  it("adds its parts up to the total, exactly", () => {
    const cost = costOf(tariff(), { energyUnits: 189_000, chargingSeconds: 6300, parkingSeconds: 900 })
    const parts = [cost.fixed, cost.energy, cost.time, cost.parking]
    assert.strictEqual(
      cost.total.excl,
      parts.reduce((sum, part) => sum + part!.excl, 0)
    )
    assert.strictEqual(
      cost.total.incl,
      parts.reduce((sum, part) => sum + part!.incl!, 0)
    )
    assert.deepStrictEqual(priceOf(cost.energy!), { excl_vat: 7.371, incl_vat: 8.7715 })
  })
  it("applies step_size once, to the total", () => {
    const cost = costOf(
      tariff({ elements: [element({ type: "ENERGY", price: 1, step_size: 1000 })] }),
      oneHour
    )
    assert.strictEqual(cost.total.excl, 120_000)
    assert.isUndefined(cost.total.incl)
  })
  it("steps charging and parking time together, by the component that comes last", () => {
    const elements = [
      element(
        { type: "TIME", price: 3600, step_size: 7 },
        { type: "PARKING_TIME", price: 3600, step_size: 600 }
      )
    ]
    const cost = costOf(tariff({ elements }), { energyUnits: 0, chargingSeconds: 100, parkingSeconds: 9 })
    assert.strictEqual(cost.time?.excl, 100 * 10_000)
    assert.strictEqual(cost.parking?.excl, 500 * 10_000)
  })
  it("takes the first unrestricted component of each dimension, and leaves the others free", () => {
    const elements = [
      { ...element({ type: "ENERGY", price: 9, step_size: 1 }), restrictions: { max_kwh: 1 } },
      element({ type: "ENERGY", price: 1, step_size: 1 }),
      element({ type: "ENERGY", price: 5, step_size: 1 })
    ]
    const cost = costOf(tariff({ elements }), oneHour)
    assert.strictEqual(cost.total.excl, 110_500)
    assert.isUndefined(cost.time)
  })
  it("keeps the total within min_price and max_price", () => {
    const bounds = { min_price: { excl_vat: 50, incl_vat: 60 } }
    const cost = costOf(tariff(bounds), oneHour)
    assert.deepStrictEqual(priceOf(cost.total), { excl_vat: 50, incl_vat: 60 })
  })
})

describe("the meter", () => {
  it("splits a span at the moment when the battery is full, and its sums are exact", () => {
    const periods = periodsBetween(0, 6120, 7200, 10_800, "T1")
    assert.strictEqual(periods.length, 2)
    assert.deepStrictEqual(usageOf(periods), {
      energyUnits: 5400,
      chargingSeconds: 180,
      parkingSeconds: 900
    })
  })
  it("has no rounding in whole grains", () => {
    for (let seconds = 0; seconds <= 7200; seconds += 9)
      assert.strictEqual((unitsOf(hours(seconds)) * 3600) / 10_000, seconds)
  })
  it("rounds half up in whole numbers, beyond the range of doubles too", () => {
    assert.strictEqual(scaled(1, 1, 2), 1)
    assert.strictEqual(scaled(9_007_199_254_740_991, 10_000, 10_000), 9_007_199_254_740_991)
  })
  it("charges with whole 400 W of what the connector gives", () => {
    assert.strictEqual(powerOf({ power_type: "AC_3_PHASE", max_voltage: 230, max_amperage: 16 }), 10_800)
    assert.strictEqual(powerOf({ power_type: "DC", max_electric_power: 350_000 }), 50_000)
  })
})
