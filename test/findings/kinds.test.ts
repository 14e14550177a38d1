/** Findings grouped by kind: every place is kept, unless the partner has sent millions; a sentence names three. */
import { assert, describe, it } from "vitest"
import { kindsInWords, kindsOf, mostKept } from "../../src/findings/kinds.ts"

const findings = (count: number, actual = "") =>
  Array.from({ length: count }, (_, index) => ({
    message: "name is missing",
    pointer: `/data/${index}/name`,
    exchangeId: `exc_${index}`,
    ...(actual === "" ? {} : { actual })
  }))
const kinds = (count: number, actual?: string) =>
  kindsOf(findings(count, actual), "must", ({ pointer }) => `LOC${pointer?.split("/")[2]}`)

describe("findings by kind", () => {
  it("keep every place of 30,000, each with its object", () => {
    const [kind, ...others] = kinds(30_000)
    assert.isEmpty(others)
    assert.strictEqual(kind?.count, 30_000)
    assert.lengthOf(kind?.places ?? [], 30_000)
    assert.deepStrictEqual(kind?.places.at(-1), {
      pointer: "/data/29999/name",
      object: "LOC29999",
      exchangeId: "exc_29999"
    })
  })

  it("name three places in words", () => {
    assert.strictEqual(
      kindsInWords(kinds(30_000)),
      "name is missing (at /data/0/name of LOC0), 30000 times, also at /data/1/name of LOC1 and /data/2/name of LOC2"
    )
  })

  it("are counted from the sixth on, unless it is the only one", () => {
    const several = (count: number) =>
      kindsInWords(
        kindsOf(
          [..."abcdefg"].slice(0, count).map((name) => ({ message: `field ${name} is missing` })),
          "must",
          () => undefined
        )
      )
    assert.match(several(6), /field e is missing; field f is missing$/)
    assert.match(several(7), /field e is missing; 2 more findings of 2 other kinds$/)
  })

  it("have a size, and then three places of each kind", () => {
    const long = "x".repeat(1000)
    const [first, second] = kindsOf(
      [...findings(20_000, long), ...findings(5).map((one) => ({ ...one, message: "id is missing" }))],
      "must",
      () => undefined
    )
    assert.strictEqual(first?.count, 20_000)
    assert.isBelow(JSON.stringify(first?.places).length, mostKept + 2000)
    assert.isAbove(JSON.stringify(first?.places).length, mostKept - 2000 * 10)
    assert.strictEqual(second?.count, 5)
    assert.lengthOf(second?.places ?? [], 3)
  })
})
