/** Texts of a partner that would turn round what stands after them. */
import { assert, describe, it } from "vitest"
import { annotations } from "../../src/cli/terminal/annotations.ts"
import { forTerminal, plain } from "../../src/cli/terminal/Terminal.ts"
import { escape } from "../../src/reports/html/escape.ts"
import { junitOf } from "../../src/reports/junit.ts"
import { markdownOf } from "../../src/reports/markdown.ts"
import { escapeText } from "../../src/reports/xml.ts"
import { document, failed } from "../support/documents.ts"

const marks = ["061c", "200e", "200f", "202a", "202b", "202c", "202d", "202e", "2066", "2067", "2068", "2069"]

describe("a character that changes the direction of text", () => {
  it.each(marks)("is written out: U+%s", (code) => {
    const text = `before ${String.fromCharCode(Number.parseInt(code, 16))}SSAP`
    for (const shown of [plain, escape, escapeText])
      assert.strictEqual(shown(text), `before \\u${code}SSAP`, shown.name)
  })

  it("is written out in JSON that a terminal shows, whose values stay the same", () => {
    const json = JSON.stringify({ "a\u202eb": "\u009b31m red \u007f\u2066 «é»\u001b" })
    const shown = forTerminal(json)
    assert.strictEqual(shown, String.raw`{"a\u202eb":"\u009b31m red \u007f\u2066 «é»\u001b"}`)
    assert.deepStrictEqual(JSON.parse(shown), JSON.parse(json))
  })

  it("is in no report and no annotation as it came", () => {
    for (const text of [junitOf(document), markdownOf(document), annotations([failed]).join("\n")]) {
      assert.notInclude(text, "\u202e")
      assert.include(text, "\\u202e")
    }
  })
})
