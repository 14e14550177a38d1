import { assert, describe, it } from "vitest"
import { versions } from "../../../schema/ocpi/versions.ts"
import { costOf, taxOf } from "../../../src/party/simulation/cost.ts"
import { scaled, unitsOf } from "../../../src/party/simulation/decimals.ts"
import { hours, periodsBetween, powerOf, powerUnder, usageOf } from "../../../src/party/simulation/meter.ts"
import { negated, priceOf } from "../../../src/party/simulation/prices.ts"
import { tariff } from "../objects.ts"

const profile = versions["2.2.1"]
const element = (...price_components: ReadonlyArray<Record<string, unknown>>) => ({ price_components })
const oneHour = { energyUnits: 110_500, chargingSeconds: 3600, parkingSeconds: 0 }
const taxed = (vat: number, price = 1) => element({ type: "ENERGY", price, vat, step_size: 1 })

describe("costOf", () => {
  it("adds its parts up to the total, exactly", () => {
    const usage = { energyUnits: 189_000, chargingSeconds: 6300, parkingSeconds: 900 }
    const cost = costOf(profile, tariff(), usage)
    const parts = [cost.fixed, cost.energy, cost.time, cost.parking].map((part) => part!)
    assert.strictEqual(
      cost.total.net,
      parts.reduce((sum, part) => sum + part.net, 0)
    )
    assert.strictEqual(
      taxOf(cost.total),
      parts.reduce((sum, part) => sum + taxOf(part), 0)
    )
    assert.deepStrictEqual(priceOf(profile, cost.energy!), { excl_vat: 7.371, incl_vat: 8.7715 })
  })
  it("applies step_size once, to the total", () => {
    const stepping = tariff({ elements: [element({ type: "ENERGY", price: 1, step_size: 1000 })] })
    const { total } = costOf(profile, stepping, oneHour)
    assert.deepStrictEqual(total, { net: 120_000, taxes: undefined })
  })
  it("steps charging and parking time together, by the component that comes last", () => {
    const elements = [
      element(
        { type: "TIME", price: 3600, step_size: 7 },
        { type: "PARKING_TIME", price: 3600, step_size: 600 }
      )
    ]
    const usage = { energyUnits: 0, chargingSeconds: 100, parkingSeconds: 9 }
    const cost = costOf(profile, tariff({ elements }), usage)
    assert.strictEqual(cost.time?.net, 100 * 10_000)
    assert.strictEqual(cost.parking?.net, 500 * 10_000)
  })
  it("takes the first unrestricted component of each dimension, and leaves the others free", () => {
    const elements = [
      { ...element({ type: "ENERGY", price: 9, step_size: 1 }), restrictions: { max_kwh: 1 } },
      element({ type: "ENERGY", price: 1, step_size: 1 }),
      element({ type: "ENERGY", price: 5, step_size: 1 })
    ]
    const cost = costOf(profile, tariff({ elements }), oneHour)
    assert.strictEqual(cost.total.net, 110_500)
    assert.isUndefined(cost.time)
  })
  it("takes the first element as a whole where the version has it so", () => {
    const elements = [
      element({ type: "ENERGY", price: 1, step_size: 1 }),
      element({ type: "FLAT", price: 5, step_size: 1 })
    ]
    const total = (version: "2.1.1" | "2.2") =>
      costOf(versions[version], tariff({ elements }), oneHour).total.net
    assert.deepStrictEqual([total("2.1.1"), total("2.2")], [110_500, 160_500])
  })
  it("keeps the total within min_price and max_price", () => {
    const bounds = { min_price: { excl_vat: 50, incl_vat: 60 } }
    const cost = costOf(profile, tariff(bounds), oneHour)
    assert.deepStrictEqual(priceOf(profile, cost.total), { excl_vat: 50, incl_vat: 60 })
    const limits = { max_price: { before_taxes: 2, after_taxes: 2.2 }, tax_included: "NO" }
    const limited = costOf(versions["2.3.0"], tariff(limits), oneHour)
    assert.deepStrictEqual(priceOf(versions["2.3.0"], limited.total), {
      before_taxes: 2,
      taxes: [{ name: "VAT", amount: 0.2 }]
    })
  })
  it("takes the taxes out of prices that include them, and adds none where there are none", () => {
    const of = (tax_included: string) =>
      priceOf(
        versions["2.3.0"],
        costOf(versions["2.3.0"], tariff({ elements: [taxed(21, 1.21)], tax_included }), {
          ...oneHour,
          energyUnits: 100_000
        }).total
      )
    assert.deepStrictEqual(of("YES"), {
      before_taxes: 10,
      taxes: [{ name: "VAT", percentage: 21, amount: 2.1 }]
    })
    assert.deepStrictEqual(of("NO"), {
      before_taxes: 12.1,
      taxes: [{ name: "VAT", percentage: 21, amount: 2.541 }]
    })
    assert.deepStrictEqual(of("N/A"), { before_taxes: 12.1 })
  })
  it("lists each rate of tax once", () => {
    const elements = [
      element(
        { type: "ENERGY", price: 1, vat: 10, step_size: 1 },
        { type: "FLAT", price: 1, vat: 20, step_size: 1 },
        { type: "TIME", price: 1, vat: 10, step_size: 1 }
      )
    ]
    const usage = { energyUnits: 100_000, chargingSeconds: 3600, parkingSeconds: 0 }
    const { total } = costOf(versions["2.3.0"], tariff({ elements, tax_included: "NO" }), usage)
    assert.deepStrictEqual(
      total.taxes?.map(({ amount, percentage }) => [Number(percentage), amount]),
      [
        [200_000, 2000],
        [100_000, 11_000]
      ]
    )
  })
  it("is a plain number before VAT in the version that knows nothing else", () => {
    const { total } = costOf(versions["2.1.1"], tariff({ elements: [taxed(21)] }), oneHour)
    assert.strictEqual(priceOf(versions["2.1.1"], total), 11.05)
  })
})

describe("a negated price", () => {
  it("has every amount with the other sign, and percentages as they are", () => {
    assert.strictEqual(negated(1.5), -1.5)
    assert.deepStrictEqual(negated({ excl_vat: 10, incl_vat: 12.1 }), { excl_vat: -10, incl_vat: -12.1 })
    assert.deepStrictEqual(
      negated({ before_taxes: 10, taxes: [{ name: "VAT", percentage: 21, amount: 2.1 }] }),
      { before_taxes: -10, taxes: [{ name: "VAT", percentage: 21, amount: -2.1 }] }
    )
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
  it("charges with whole 400 W of what the connector gives, under the names of the version", () => {
    const connector = { power_type: "AC_3_PHASE", max_voltage: 230, max_amperage: 16 }
    assert.strictEqual(powerOf(profile, connector), 10_800)
    assert.strictEqual(
      powerOf(versions["2.1.1"], { power_type: "AC_3_PHASE", voltage: 230, amperage: 32 }),
      22_000
    )
    assert.strictEqual(powerOf(profile, { power_type: "DC", max_electric_power: 350_000 }), 50_000)
  })
  it("stays under the limit of a charging profile, in watts or in amperes of each phase", () => {
    const connector = { power_type: "AC_3_PHASE", max_voltage: 230, max_amperage: 16 }
    const under = (unit: "W" | "A", value: number) => powerUnder(profile, connector, { unit, value })
    assert.deepStrictEqual(
      [under("W", 5000), under("A", 10), under("W", 99_000), under("A", 0)],
      [4800, 6800, 10_800, 0]
    )
  })
})
