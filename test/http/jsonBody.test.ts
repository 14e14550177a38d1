import { assert, describe, it } from "vitest"
import { readJsonBody } from "../../src/http/request/jsonBody.ts"
import { cpuMillis } from "../support/cpuMillis.ts"

describe("a JSON body with a field twice in one object", () => {
  const twice: ReadonlyArray<readonly [text: string, field: string]> = [
    ['{"a":1,"a":2}', "a"],
    ['{"a" : 1,\n"b":{}, "a"\t:\r\n2}', "a"],
    ['{"a":1,"\\u0061":2}', "a"],
    ['[[{"b":[{"a":1},{"c":1,"c":1}]}]]', "c"],
    ['{"a":{"a":1},"b":[{"a":1}],"a":2}', "a"],
    ['{"":1,"":2}', ""],
    ['{"constructor":1,"constructor":2}', "constructor"],
    ['{"\\"a":"{","\\"a":"}"}', '"a']
  ]
  for (const [text, field] of twice) {
    it(`is refused by the name of the field: ${text}`, () => {
      assert.deepStrictEqual(readJsonBody(text), {
        wrong: `The body has the field ${JSON.stringify(field)} twice in one object`
      })
    })
  }

  it("is told from one whose values and nested objects only look like it", () => {
    const texts = [
      '{"a":"a","b":"a"}',
      '{"a":{"a":{"a":[{"a":1},{"a":1}]}}}',
      '["a","a"]',
      '{"a":"\\"a\\":1","b":":"}',
      '{"a":"}","b":"{\\"a\\":","c":"\\\\"}',
      '{"toString":1,"hasOwnProperty":2,"A":1,"a":2}'
    ]
    for (const text of texts) assert.deepStrictEqual(readJsonBody(text), { value: JSON.parse(text) })
  })

  it("is looked for in a large body in little time", () => {
    const text = JSON.stringify(Object.fromEntries(Array.from({ length: 15_000 }, (_, at) => [`f${at}`, at])))
    const quoted = `{"a":"${'\\"'.repeat(60_000)}"}`
    assert.property(readJsonBody(text), "value")
    assert.property(readJsonBody(quoted), "value")
    assert.isBelow(cpuMillis(() => [readJsonBody(text), readJsonBody(quoted)]).millis, 1000)
  })
})

describe("a body that is not JSON", () => {
  it("is refused with the place where it stops being JSON, and with nothing of its content", () => {
    const cases: ReadonlyArray<readonly [text: string, wrong: string]> = [
      ['{"tokenA":', "The body is not valid JSON: it ends too early"],
      ["{nope: 1}", "The body is not valid JSON: line 1, column 2"],
      ['{\n  "tokenA": "canary",\n}', "The body is not valid JSON: line 3, column 1"],
      ['{"tokenA":"canary"} at position 3', "The body is not valid JSON: line 1, column 21"]
    ]
    for (const [text, wrong] of cases) assert.deepStrictEqual(readJsonBody(text), { wrong })
  })
})
