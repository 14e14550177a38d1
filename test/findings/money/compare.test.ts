import { assert, describe, it } from "@effect/vitest"
import { profileOf, versionNumbers } from "../../../schema/ocpi/versions.ts"
import { calculateCdr, differences } from "../../../src/findings/money/compare.ts"
import { decimal, rounded, shown } from "../../../src/findings/money/decimal.ts"
import { readPrice, writePrice } from "../../../src/findings/money/price.ts"
import { component, element, periodsAt, start, tariffOf } from "../support/tariffs.ts"

describe("a price", () => {
  it.each(versionNumbers)("is read as it was written in %s", (version) => {
    const profile = profileOf(version)
    const taxes = profile.price === "number" ? undefined : [{ percentage: decimal(21), amount: decimal(2.1) }]
    const read = readPrice(profile, writePrice(profile, { net: decimal(10), taxes }))!
    assert.strictEqual(shown(read.net), "10")
    assert.deepStrictEqual(
      read.taxes?.map(({ amount }) => shown(amount)),
      taxes === undefined ? undefined : ["2.1"]
    )
  })
  it("of another version is none", () => {
    assert.isUndefined(readPrice(profileOf("2.2.1"), 5))
    assert.isUndefined(readPrice(profileOf("2.1.1"), { excl_vat: 5 }))
    assert.isUndefined(readPrice(profileOf("2.3.0"), { excl_vat: 5 }))
  })
  it("is rounded half away from zero, on both sides of it", () => {
    assert.deepStrictEqual(
      [0.00005, -0.00005, 0.00004].map((value) => shown(rounded(decimal(value)))),
      ["0.0001", "-0.0001", "0"]
    )
  })
})

describe("a CDR beside its own tariff", () => {
  const profile = profileOf("2.2.1")
  const cdr = {
    start_date_time: new Date(start).toISOString(),
    end_date_time: new Date(start + 3_600_000).toISOString(),
    tariffs: [tariffOf([element([component("FLAT", 1), component("ENERGY", 0.5)])])],
    charging_periods: periodsAt([0, { ENERGY: 10, TIME: 1 }]),
    total_cost: { excl_vat: 7 },
    total_fixed_cost: { excl_vat: 2 },
    total_energy_cost: { excl_vat: 5 }
  }
  it("differs in the total and in the part that is wrong, and in no other", () => {
    const found = differences(profile, cdr, calculateCdr(profile, cdr))
    assert.deepStrictEqual(
      found.map(({ field, net }) => [field, shown(net)]),
      [
        ["total_cost", "1"],
        ["total_fixed_cost", "1"],
        ["total_energy_cost", "0"]
      ]
    )
  })
  it("is unsure without a tariff", () => {
    assert.deepStrictEqual(calculateCdr(profile, { ...cdr, tariffs: [] }).unknowns, ["a tariff"])
  })
})
