import { assert, describe, it } from "@effect/vitest"
import { FastCheck as fc } from "effect"
import { numberOf, shown, sumOf } from "../../../src/findings/money/decimal.ts"
import { explain } from "../../../src/findings/money/explain.ts"
import { grossOf } from "../../../src/findings/money/price.ts"
import { bill, component, element, type Measured, tariffOf, totalOf } from "../support/tariffs.ts"

const energy = (vat?: number) => component("ENERGY", 0.25, 1, vat)
const twentyKwh: Measured = [0, { ENERGY: 20, TIME: 2 }]

describe("the examples of mod_tariffs", () => {
  it("0.25 per kWh: 20 kWh cost 5.00, and 5.50 with 10 % VAT", () => {
    assert.deepStrictEqual(totalOf(bill([tariffOf([element([energy(10)])])], [twentyKwh])), ["5", "5.5"])
  })
  it("a start fee with another rate of VAT", () => {
    const tariff = tariffOf([element([component("FLAT", 0.5, 1, 20), energy(10)])])
    assert.deepStrictEqual(totalOf(bill([tariff], [twentyKwh])), ["5.5", "6.1"])
  })
  it("a minimum price", () => {
    const tariff = tariffOf([element([energy(20)])], { min_price: { excl_vat: 0.5, incl_vat: 0.6 } })
    const result = bill([tariff], [[0, { ENERGY: 1 }]])
    assert.deepStrictEqual([totalOf(result), result.limits], [["0.5", "0.6"], ["min_price"]])
  })
  it("a start fee, energy, and parking in steps of 15 minutes: 40 minutes count as 45", () => {
    const tariff = tariffOf([
      element([component("FLAT", 0.5, 1, 20), energy(10), component("PARKING_TIME", 2, 900, 20)])
    ])
    const result = bill(
      [tariff],
      [
        [0, { ENERGY: 20, TIME: 2 }],
        [120, { PARKING_TIME: 0.6667 }]
      ]
    )
    // 160 minutes in all are 165 in whole steps: 45 of them were parked.
    assert.deepStrictEqual(totalOf(result), ["7", "7.9"])
  })
  it("3 per hour of charging and 5 of parking: two and a half hours and 42 minutes cost 11.25", () => {
    const tariff = tariffOf([element([component("TIME", 3, 60), component("PARKING_TIME", 5, 300)])])
    const result = bill(
      [tariff],
      [
        [0, { TIME: 2.5 }],
        [150, { PARKING_TIME: 0.7 }]
      ]
    )
    assert.deepStrictEqual(totalOf(result), ["11.25"])
  })
  it("one price below 32 A and another above", () => {
    const tariff = tariffOf([
      element([component("TIME", 1, 900)], { max_current: 32 }),
      element([component("TIME", 2, 900)], { min_current: 32 })
    ])
    const price = (MAX_CURRENT: number) => totalOf(bill([tariff], [[0, { TIME: 1, MAX_CURRENT }]]))[0]
    assert.deepStrictEqual([price(16), price(32)], ["1", "2"])
  })
  it("a reservation that was used is charged by the hour, and the session by its own elements", () => {
    const tariff = tariffOf([
      element([component("TIME", 5, 60)], { reservation: "RESERVATION" }),
      element([component("FLAT", 0.5), component("ENERGY", 0.25)])
    ])
    const result = bill(
      [tariff],
      [
        [0, { RESERVATION_TIME: 0.5 }],
        [30, { ENERGY: 20, TIME: 1 }]
      ]
    )
    assert.deepStrictEqual(totalOf(result), ["8"])
    assert.strictEqual(shown(result.parts.reservation!.net), "2.5")
  })
  it("a reservation that nobody used is charged by what is said for expired ones", () => {
    const tariff = tariffOf([
      element([component("TIME", 2, 600)], { reservation: "RESERVATION" }),
      element([component("FLAT", 4), component("TIME", 6, 600)], { reservation: "RESERVATION_EXPIRES" })
    ])
    const unused = bill([tariff], [[0, { RESERVATION_TIME: 0.5 }]])
    const used = bill(
      [tariff],
      [
        [0, { RESERVATION_TIME: 0.5 }],
        [30, { ENERGY: 1 }]
      ]
    )
    assert.deepStrictEqual([totalOf(unused), totalOf(used)], [["7"], ["1"]])
  })
})

describe("which component counts", () => {
  it("is the first that fits of each dimension, and of the whole element in the oldest version", () => {
    const tariff = tariffOf([
      element([component("ENERGY", 9)], { max_kwh: 1 }),
      element([component("ENERGY", 1)]),
      element([component("ENERGY", 5), component("FLAT", 3)])
    ])
    const periods: ReadonlyArray<Measured> = [
      [0, { ENERGY: 1 }],
      [10, { ENERGY: 10 }]
    ]
    assert.deepStrictEqual(totalOf(bill([tariff], periods)), ["22"])
    assert.deepStrictEqual(totalOf(bill([tariff], periods, { version: "2.1.1" })), ["19"])
  })
  it("is nothing where no element fits: that is free", () => {
    const tariff = tariffOf([element([component("ENERGY", 1)], { min_kwh: 5 })])
    const result = bill([tariff], [[0, { ENERGY: 4 }]])
    assert.deepStrictEqual([totalOf(result), result.lines, result.parts.energy], [["0"], [], undefined])
  })
  it.each([
    ["from 10:00 on, at 10:00", { start_time: "10:00", end_time: "11:00" }, true],
    ["until 10:00, at 10:00", { start_time: "09:00", end_time: "10:00" }, false],
    ["over midnight, by day", { start_time: "22:00", end_time: "06:00" }, false],
    ["to the end of the day", { start_time: "09:00", end_time: "00:00" }, true],
    ["over midnight, at its late end", { start_time: "22:00", end_time: "10:30" }, true],
    ["on that weekday", { day_of_week: ["MONDAY"] }, true],
    ["on another weekday", { day_of_week: ["SUNDAY", "TUESDAY"] }, false],
    ["from that date on", { start_date: "2026-06-01" }, true],
    ["until that date", { end_date: "2026-06-01" }, false],
    ["enough power", { min_power: 20 }, true],
    ["too much power", { max_power: 20 }, false],
    ["from the start on", { min_duration: 0 }, true],
    ["only later", { min_duration: 60 }, false],
    ["both of two", { day_of_week: ["MONDAY"], max_duration: 60 }, true],
    ["one of two", { day_of_week: ["MONDAY"], min_duration: 60 }, false]
  ] as const)("looks at restrictions: %s", (_, restrictions, counts) => {
    const tariff = tariffOf([element([component("FLAT", 1)], restrictions)])
    const result = bill([tariff], [[0, { ENERGY: 10 }]], { minutes: 30 })
    assert.deepStrictEqual([totalOf(result), result.unknowns], [[counts ? "1" : "0"], []])
  })
  it("says what it would have to know", () => {
    const local = tariffOf([element([component("ENERGY", 1)], { start_time: "08:00" })])
    const byCurrent = tariffOf([element([component("ENERGY", 1)], { min_current: 8 })])
    const periods: ReadonlyArray<Measured> = [[0, { ENERGY: 10 }]]
    assert.deepStrictEqual(bill([local], periods, { timeZone: "nowhere" }).unknowns, [
      "the time zone of the location"
    ])
    assert.deepStrictEqual(bill([byCurrent], periods).unknowns, ["the current of the period"])
    assert.deepStrictEqual(bill([local, byCurrent], periods).unknowns, [
      "which of the tariffs counts for the period"
    ])
    assert.deepStrictEqual(bill([tariffOf([element([component("TIME", 1)])])], periods).unknowns, [
      "the volumes of TIME, which the tariff prices"
    ])
  })
  it("takes the tariff that a period names", () => {
    const tariffs = [
      tariffOf([element([energy()])]),
      { ...tariffOf([element([component("ENERGY", 1)])]), id: "T2" }
    ]
    const result = bill(tariffs, [
      [0, { ENERGY: 4 }, "T1"],
      [10, { ENERGY: 4 }, "t2"]
    ])
    assert.deepStrictEqual(totalOf(result), ["5"])
  })
})

describe("step_size", () => {
  const stepped = (...elements: ReadonlyArray<Parameters<typeof element>>) =>
    tariffOf(elements.map(([components, restrictions]) => element(components, restrictions)))

  it("is applied once, to the total, by the component that comes last", () => {
    const tariff = stepped([[component("ENERGY", 1, 5000)], { max_kwh: 2 }], [[component("ENERGY", 2, 500)]])
    // 3.2 kWh are 3.5 in steps of 500 Wh; what is added costs what the last kWh did.
    const result = bill(
      [tariff],
      [
        [0, { ENERGY: 2 }],
        [10, { ENERGY: 1.2 }]
      ]
    )
    assert.deepStrictEqual(totalOf(result), ["5"])
  })
  it("takes hours with four decimals for the minutes that they are", () => {
    const tariff = stepped([[component("TIME", 6, 60)]])
    assert.deepStrictEqual(totalOf(bill([tariff], [[0, { TIME: 0.1667 }]])), ["1.0002"])
  })
  it("does not count when the last dimension is free", () => {
    const tariff = stepped([[component("TIME", 6, 3600)]])
    assert.deepStrictEqual(
      totalOf(
        bill(
          [tariff],
          [
            [0, { TIME: 0.5 }],
            [30, { PARKING_TIME: 0.1 }]
          ]
        )
      ),
      ["3"]
    )
  })
  it("can be ignored, for partners that do", () => {
    const tariff = stepped([[component("ENERGY", 1, 1000)]])
    assert.deepStrictEqual(totalOf(bill([tariff], [[0, { ENERGY: 1.5 }]], { steps: "ignored" })), ["1.5"])
  })
})

describe("taxes", () => {
  const included = (tax_included: string) =>
    totalOf(
      bill(
        [tariffOf([element([component("ENERGY", 1.21, 1, 21)])], { tax_included })],
        [[0, { ENERGY: 10 }]],
        {
          version: "2.3.0"
        }
      )
    )
  it("come out of prices that include them, onto those that do not, and not at all where there are none", () => {
    assert.deepStrictEqual(
      [included("YES"), included("NO"), included("N/A")],
      [["10", "12.1"], ["12.1", "14.641"], ["12.1"]]
    )
  })
  it("are nothing that the oldest version speaks of", () => {
    const tariff = tariffOf([element([energy(10)])])
    assert.deepStrictEqual(totalOf(bill([tariff], [twentyKwh], { version: "2.1.1" })), ["5"])
  })
  it("are bounded by the limits too", () => {
    const limits = { max_price: { before_taxes: 2, after_taxes: 2.2 }, tax_included: "NO" }
    const result = bill([tariffOf([element([energy(10)])], limits)], [twentyKwh], { version: "2.3.0" })
    assert.deepStrictEqual([totalOf(result), result.limits], [["2", "2.2"], ["max_price"]])
  })
})

describe("every bill", () => {
  const cents = fc.integer({ min: 0, max: 200 }).map((value) => value / 100)
  const step = fc.constantFrom(0, 1, 60, 500, 900)
  const periods = fc.array(
    fc.record({
      ENERGY: fc.integer({ min: 0, max: 200_000 }).map((value) => value / 10_000),
      TIME: fc.integer({ min: 0, max: 10_000 }).map((value) => value / 10_000),
      PARKING_TIME: fc.integer({ min: 0, max: 10_000 }).map((value) => value / 10_000)
    }),
    { minLength: 1, maxLength: 6 }
  )
  const bills = fc.record({
    periods,
    prices: fc.tuple(cents, cents, cents, cents),
    steps: fc.tuple(step, step, step),
    vat: fc.constantFrom(undefined, 0, 7, 19, 21),
    limit: fc.constantFrom(undefined, 3)
  })
  const billed = (order: typeof bills extends fc.Arbitrary<infer A> ? A : never, steps?: "ignored") => {
    const [flat, kwh, hour, parked] = order.prices
    const [kwhStep, hourStep, parkedStep] = order.steps
    const tariff = tariffOf([
      element([component("ENERGY", kwh, kwhStep, order.vat)], { max_kwh: 5 }),
      element([
        component("FLAT", flat, 1, order.vat),
        component("ENERGY", kwh / 2, kwhStep, order.vat),
        component("TIME", hour, hourStep, order.vat),
        component("PARKING_TIME", parked, parkedStep, order.vat)
      ])
    ])
    return bill(
      [order.limit === undefined ? tariff : { ...tariff, min_price: { excl_vat: order.limit } }],
      order.periods.map((volumes, index) => [index * 10, volumes]),
      steps === undefined ? {} : { steps }
    )
  }

  it("has parts that add up to its total, unless a limit moved it", () => {
    fc.assert(
      fc.property(bills, (order) => {
        const { limits, parts, total } = billed(order)
        if (limits.length > 0) return
        const amounts = Object.values(parts).flatMap((part) => part ?? [])
        assert.strictEqual(shown(sumOf(amounts.map(({ net }) => net))), shown(total.net))
        const gross = grossOf(total)
        if (gross !== undefined)
          assert.strictEqual(shown(sumOf(amounts.map((part) => grossOf(part)!))), shown(gross))
      })
    )
  })
  it("is never lowered by step sizes, nor by a minimum price", () => {
    fc.assert(
      fc.property(bills, (order) => {
        const [stepped, plain] = [billed(order), billed(order, "ignored")]
        assert.isAtLeast(numberOf(stepped.total.net), numberOf(plain.total.net))
        assert.isAtLeast(numberOf(stepped.total.net), order.limit ?? 0)
      })
    )
  })
  it("explains each of its lines, and ends with the total", () => {
    fc.assert(
      fc.property(bills, (order) => {
        const result = billed(order)
        const words = explain(result)
        assert.isAtLeast(words.length, result.lines.length + 1)
        assert.include(words.at(-1)!, shown(result.total.net))
      }),
      { numRuns: 20 }
    )
  })
})

describe("explain", () => {
  it("tells period, dimension, volume, price, amount and where the price stands", () => {
    const tariff = tariffOf([element([component("ENERGY", 0.35, 500, 21)])])
    assert.deepStrictEqual(explain(bill([tariff], [[0, { ENERGY: 1.2 }]])), [
      "period 1, energy: 1.2 kWh × 0.35 = 0.42 (tariff T1, element 1)",
      "energy: step_size 500 adds 0.3 kWh × 0.35 = 0.105 (tariff T1, element 1)",
      "energy: 0.525 before taxes, 0.6353 after",
      "total: 0.525 before taxes, 0.6353 after"
    ])
  })
})
