import { assert, describe, it } from "vitest"
import { fold } from "../../../src/cli/terminal/fold.ts"

describe("a line on a terminal", () => {
  const line = "  - not judged, 5 checks: cards are shown while a run listens (TOK-120, TOK-121)"

  for (const width of [40, 60, 80, 120])
    it(`is parted between words in ${width} columns`, () => {
      const parts = fold(line, width)
      for (const part of parts) assert.isAtMost(part.length, width)
      assert.strictEqual(parts.map((part) => part.trim()).join(" "), line.trim())
      for (const part of parts.slice(1)) assert.match(part, /^ {4}\S/)
    })

  it("keeps its columns where it fits, and a word that does not fit", () => {
    assert.deepStrictEqual(fold("ok    port            is free", 60), ["ok    port            is free"])
    assert.deepStrictEqual(fold(`see ${"x".repeat(50)} there`, 40), ["see", `  ${"x".repeat(50)}`, "  there"])
  })

  it("is measured without its colours", () => {
    const painted = `\u001b[31m${"word ".repeat(8).trim()}\u001b[39m`
    assert.deepStrictEqual(fold(painted, 40), [painted])
    assert.lengthOf(fold(painted, 30), 2)
  })

  it("is parted beside a command that a sentence names, not in its name", () => {
    const sentence = "No API key: give PLUGFEST_API_KEY or --key. Make one with: plugfest keys create"
    assert.deepStrictEqual(fold(sentence, 68), [
      "No API key: give PLUGFEST_API_KEY or --key. Make one with:",
      "  plugfest keys create"
    ])
  })

  it("stays whole where a person copies it, and where it is data", () => {
    for (const text of [
      `      curl: curl -sS -i 'https://cpo.example/${"x ".repeat(40)}'`,
      `  fix: EGRESS_ALLOW_CIDRS=127.0.0.0/8 npx plugfest serve, ${"x ".repeat(20)}`,
      `next  plugfest test shop   (other suites: plugfest suites --ocpi-version 2.2.1 --role CPO)`,
      `{"report": "${"x ".repeat(60)}"}`,
      `name: A\n${"# long ".repeat(20)}`
    ])
      assert.deepStrictEqual(fold(text, 60), [text])
  })
})
