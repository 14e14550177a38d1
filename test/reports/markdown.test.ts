import { assert, describe, it } from "vitest"
import { markdownOf } from "../../src/reports/markdown.ts"
import { document, exchange } from "../support/documents.ts"

describe("markdownOf", () => {
  const text = markdownOf(document)

  it("begins with the verdict, and has a row for each module", () => {
    assert.match(text, /^## ❌ FAIL: OCPI 2\.2\.1 CPO core\n\n1 of 4 graded checks failed\./)
    assert.include(text, "| locations | 1 | 1 | 1 | 2 |")
  })

  it("tells a failure in full", () => {
    for (const part of [
      "**LOC-017** Title of LOC-017",
      "expected: `RFC 3339, UTC`",
      "at: `/data/0/last_updated`"
    ])
      assert.include(text, part)
  })

  it("leaves what a partner wrote in code spans: no markup, row or mention comes of it", () => {
    const outside = text.replace(/(`+)(?!`).*?[^`]\1(?!`)/g, "")
    assert.notInclude(outside, "<script>")
    assert.notInclude(outside, "@octocat")
    for (const line of text.split("\n").filter((line) => line.startsWith("|")))
      assert.strictEqual(line.split("|").length, 7, line)
  })

  it("has a curl command that a shell takes as it is copied", () => {
    const curl = `curl -H 'authorization: Token '"$(printf %s "$TOKEN" | base64 | tr -d '\\n')" 'https://cpo.example'`
    const [first = document.groups[0]!] = document.groups
    const checks = first.checks.map((check) => ({ ...check, curl }))
    assert.include(markdownOf({ ...document, groups: [{ ...first, checks }] }), `curl: \`${curl}\``)
  })

  it("names what was left behind at the partner, and why a run ended early", () => {
    const early = markdownOf({
      ...document,
      reason: "cancelled on request",
      exchanges: [{ stageId: null, exchange: exchange("x") }]
    })
    assert.include(early, "The run ended early: `cancelled on request`")
    assert.include(early, "- `PUT tokens TST-1`")
  })
})
