import { assert, describe, it } from "vitest"
import { valuesIn } from "../../../src/reports/personal/jsonValues.ts"
import { cpuMillis } from "../../support/cpuMillis.ts"

const told = (text: string) =>
  valuesIn(text).map(({ end, field, parent, start, value }) => [
    parent ?? "-",
    field ?? "-",
    value,
    text.slice(start, end)
  ])

describe("the values of a JSON text", () => {
  it("are told with the field that they stand under, and that of the object around them", () => {
    assert.deepStrictEqual(told('{"a":"x","b":{"c":[1,"y",{"d":"z"}]},"e":["f:",{"g":null}]}'), [
      ["-", "a", "x", '"x"'],
      ["b", "c", "1", "1"],
      ["b", "c", "y", '"y"'],
      ["c", "d", "z", '"z"'],
      ["-", "e", "f:", '"f:"']
    ])
  })
  it("are unescaped, and stand in the text as they were written", () => {
    assert.deepStrictEqual(told('{"u\\u0069d": "a\\"\\u00e9"}'), [["-", "uid", 'a"é', '"a\\"\\u00e9"']])
  })
  it("are found in what is cut off, and in what is no JSON", () => {
    assert.deepStrictEqual(told('[{"uid":"0123'), [["-", "uid", "0123", '"0123']])
    assert.deepStrictEqual(told('{"uid":"0123\\'), [["-", "uid", "0123", '"0123\\']])
    assert.deepStrictEqual(told('}}{"uid":"x",,"y"]'), [["-", "uid", "x", '"x"']])
    assert.deepStrictEqual(told("<html>"), [])
  })
  it("are read in time proportional to the text", () => {
    for (const text of [
      '"\\'.repeat(200_000),
      "[".repeat(200_000),
      `{"a":"${"\\\\".repeat(200_000)}`,
      '{"a":'.repeat(50_000)
    ])
      assert.isBelow(cpuMillis(() => valuesIn(text), 2_000).millis, 2_000)
  })
})
