import { assert, describe, it } from "vitest"
import { prettyJson } from "../../src/reports/prettyJson.ts"

const marked = (text: string, pointer: string) =>
  prettyJson(text, pointer)!
    .filter(({ isPointed }) => isPointed)
    .map(({ text }) => text.trim())

describe("prettyJson", () => {
  it("indents, and keeps every token as it was written", () => {
    const lines = prettyJson('{"a":1.10,"b":[1e2,"x\\u0041"],"c":{}, "d":[]}')!
    assert.deepStrictEqual(
      lines.map(({ text }) => text),
      [
        "{",
        '  "a": 1.10,',
        '  "b": [',
        "    1e2,",
        '    "x\\u0041"',
        "  ],",
        '  "c": {',
        "  },",
        '  "d": [',
        "  ]",
        "}"
      ]
    )
  })

  it("marks the line that the pointer names", () => {
    assert.deepStrictEqual(marked('{"data":[{"id":"1"},{"id":"2"}]}', "/data/1/id"), ['"id": "2"'])
    assert.deepStrictEqual(marked('{"a/b":{"~":1},"x":1}', "/a~1b/~0"), ['"~": 1'])
  })

  it("marks all of an object that the pointer names, and nothing after it", () => {
    assert.deepStrictEqual(marked('{"data":[{"id":"1"},{"id":"2"}],"n":2}', "/data/0"), [
      "{",
      '"id": "1"',
      "},"
    ])
  })

  it("marks nothing for the whole body, or for what is not there", () => {
    assert.deepStrictEqual(marked('{"a":1}', ""), [])
    assert.deepStrictEqual(marked('{"a":1}', "/b"), [])
  })

  it("is nothing for what is no JSON", () => {
    assert.isUndefined(prettyJson("<html>"))
    assert.isUndefined(prettyJson(""))
  })

  it("does not grow with the depth of a hostile body", () => {
    const depth = 20_000
    const lines = prettyJson(`${"[".repeat(depth)}${"]".repeat(depth)}`)!
    assert.isBelow(
      lines.reduce((sum, { text }) => sum + text.length, 0),
      depth * 2 * 60
    )
  })
})
