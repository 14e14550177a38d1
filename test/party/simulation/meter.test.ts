import { assert, describe, it } from "vitest"
import { versions } from "../../../schema/ocpi/versions.ts"
import { unitsOf } from "../../../src/party/simulation/chargePoint/decimals.ts"
import {
  hours,
  periodsOf,
  powerOf,
  powerUnder,
  usageOf
} from "../../../src/party/simulation/chargePoint/meter.ts"

const profile = versions["2.2.1"]

describe("the meter", () => {
  it("splits a span at the moment when the battery is full, and its sums are exact", () => {
    const periods = periodsOf({
      startedMillis: 0,
      fromSeconds: 6120,
      toSeconds: 7200,
      powerWatts: 10_800,
      tariffId: "T1"
    })
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
