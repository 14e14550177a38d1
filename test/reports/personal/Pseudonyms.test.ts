import { assert, describe, it } from "vitest"
import { makePseudonyms } from "../../../src/reports/personal/Pseudonyms.ts"
import { cpuMillis } from "../../support/cpuMillis.ts"

describe("pseudonyms", () => {
  it("are the same for the same value, in whatever case, and number each kind", () => {
    const { of } = makePseudonyms()
    assert.strictEqual(of("token", "04AB12CD"), "«token:1»")
    assert.strictEqual(of("contract", "DE-ABC-C1"), "«contract:1»")
    assert.strictEqual(of("token", "04ab12cd"), "«token:1»")
    assert.strictEqual(of("token", "04AB12CE"), "«token:2»")
  })
  it("take the place of their values in any text, as they are, in JSON and in URLs", () => {
    const { of, within } = makePseudonyms()
    of("contract", 'NL/ABC C"1')
    of("token", "04AB12CD")
    assert.strictEqual(
      within('NL/ABC C"1, nl/abc c\\"1 and NL%2FABC%20C%221; /tokens/04ab12cd?x, x04AB12CD, 04AB12CDE'),
      "«contract:1», «contract:1» and «contract:1»; /tokens/«token:1»?x, x04AB12CD, 04AB12CDE"
    )
  })
  it("take the longest value first, and short ones in quotes only", () => {
    const { of, within } = makePseudonyms()
    of("token", "ABCDE-1")
    of("token", "ABCDE-1-2")
    of("token", "1000")
    of("token", "7")
    assert.strictEqual(
      within('ABCDE-1-2 ABCDE-1 1000 "1000", uid"7" 7'),
      '«token:2» «token:1» 1000 "«token:3»", uid"«token:4»" 7'
    )
  })
  it("find e-mail addresses by themselves", () => {
    assert.strictEqual(
      makePseudonyms().within("ask jane.doe+ev@mail.example.com, or @nobody"),
      "ask «contact:1», or @nobody"
    )
  })
  it("search ten megabytes for thousands of values within seconds", () => {
    const { of, within } = makePseudonyms()
    for (let at = 0; at < 5_000; at++) of("token", `TOKEN-${at}-0123456789`)
    const text = "TOKEN-77-0123456789 TOKEN-X aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa@ ".repeat(150_000)
    const { millis, value } = cpuMillis(() => within(text), 10_000)
    assert.isBelow(millis, 10_000)
    assert.strictEqual(value.split("«token:78»").length - 1, 150_000)
  })
})
