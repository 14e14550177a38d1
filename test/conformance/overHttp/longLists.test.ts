/** Lists of more pages than most partners have: what is judged of them, and what is said of the rest. */
import { assert, describe, it } from "vitest"
import { gradedOverHttp } from "../support/overHttp.ts"
import { type PlainPartnerOptions, plainLocation } from "../support/plainPartner.ts"

const checks = ["LOC-002", "LOC-006", "LOC-015", "TRANS-045", "PAGE-008"]

/** That many locations, one on a page; the country of the one of that number is wrong. */
const locations = (most: number, wrong: number) => () =>
  Array.from({ length: most }, (_, at) => ({
    ...plainLocation(`L${at}`),
    ...(at === wrong ? { country: "Netherlands" } : {})
  }))

const graded = async (options: PlainPartnerOptions) => {
  const { assertions } = await gradedOverHttp(checks, { pageSize: 1, ...options })
  return (id: string) => assertions.find((one) => one.id === id)
}

const minutes = 60_000

describe("a long list", { timeout: 3 * minutes }, () => {
  it("is read to the end that its total announces", async () => {
    const of = await graded({ locations: locations(130, 125) })
    assert.strictEqual(of("LOC-006")?.outcome, "failed")
    assert.include(of("LOC-006")?.message, "L125")
    assert.strictEqual(of("LOC-015")?.actual, "130 of 130 locations looked at")
    assert.strictEqual(of("PAGE-008")?.outcome, "passed")
  })

  it("is not called whole where a run ends before it does", async () => {
    const of = await graded({ locations: locations(130, 125), withoutTotals: true })
    assert.strictEqual(of("LOC-006")?.outcome, "passed")
    assert.match(
      of("LOC-006")?.actual ?? "",
      /^100 locations looked at, the first ones: the run reads 100 pages/
    )
    const whole = of("PAGE-008")
    assert.strictEqual(whole?.outcome, "unobservable")
    assert.strictEqual(whole?.attribution, "ours")
    assert.match(whole?.reason ?? "", /^locations: a run reads 100 pages of such a list/)
  })

  it("of two thousand and more objects is judged to its last one", async () => {
    const of = await graded({ locations: locations(2600, 2590), pageSize: 200 })
    assert.include(of("LOC-006")?.message, "L2590")
    assert.strictEqual(of("LOC-002")?.actual, "2600 locations looked at")
  })
})
