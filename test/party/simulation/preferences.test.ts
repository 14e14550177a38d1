import { assert, describe, it } from "vitest"
import { versions } from "../../../schema/ocpi/versions.ts"
import { chargedAfter, periodsOf, usageOf } from "../../../src/party/simulation/chargePoint/meter.ts"
import { planOf } from "../../../src/party/simulation/chargePoint/preferences.ts"

const profile = versions["2.2.1"]
/** 10.8 kW. */
const connector = { power_type: "AC_3_PHASE", max_voltage: 230, max_amperage: 16 }
const now = Date.UTC(2026, 0, 1, 12)
const inHours = (hours: number) => new Date(now + hours * 3_600_000).toISOString()
const planned = (preferences: object, kwh = 0) =>
  planOf({ profile, connector, session: { kwh } }, { ...preferences }, now)

describe("charging preferences", () => {
  it("spread the energy over the time until the departure, for who can wait", () => {
    const wish = { departure_time: inHours(4), energy_need: 10 }
    for (const profile_type of ["CHEAP", "GREEN"])
      assert.deepStrictEqual(planned({ ...wish, profile_type }), { energyNeed: 10, watts: 2800 })
    assert.deepStrictEqual(planned({ ...wish, profile_type: "CHEAP" }, 9), { energyNeed: 10, watts: 400 })
    for (const profile_type of ["FAST", "REGULAR"])
      assert.deepStrictEqual(planned({ ...wish, profile_type }), { energyNeed: 10 })
  })

  it("limit nothing where they ask for nothing", () => {
    assert.deepStrictEqual(planned({ profile_type: "REGULAR" }), {})
    assert.deepStrictEqual(planned({ profile_type: "REGULAR", departure_time: inHours(1) }), {})
  })

  it("cannot be met when the connector does not bring so much until then", () => {
    const wish = (departure_time: string, energy_need: number) => ({
      profile_type: "REGULAR",
      departure_time,
      energy_need
    })
    assert.isDefined(planned(wish(inHours(1), 10.8)))
    assert.isUndefined(planned(wish(inHours(1), 10.9)))
    assert.isDefined(planned(wish(inHours(1), 10.9), 0.1), "what is there already counts")
    assert.isUndefined(planned({ profile_type: "REGULAR", departure_time: inHours(-1) }))
  })
})

describe("a charge that is to bring so much energy", () => {
  /** 10.8 kW from the beginning; 0.027 kWh in each grain. */
  const usage = (energyNeed: number | undefined, toSeconds: number, power = 10_800) =>
    usageOf(
      periodsOf({
        startedMillis: 0,
        fromSeconds: 0,
        toSeconds,
        untilSeconds: chargedAfter(0, power, 0, energyNeed),
        powerWatts: power
      })
    )

  it("goes on to the grain in which it is there, and parks from then on", () => {
    assert.deepStrictEqual(usage(0.27, 900), { energyUnits: 2700, chargingSeconds: 90, parkingSeconds: 810 })
    assert.deepStrictEqual(usage(0.28, 900), { energyUnits: 2970, chargingSeconds: 99, parkingSeconds: 801 })
    assert.strictEqual(usage(undefined, 900).chargingSeconds, 900)
  })

  it("parks at once when it has it, and waits for it without power", () => {
    assert.strictEqual(chargedAfter(900, 10_800, 5000, 0.5), 900)
    assert.deepStrictEqual(usage(1, 900, 0), { energyUnits: 0, chargingSeconds: 900, parkingSeconds: 0 })
  })
})
