import { createHash } from "node:crypto"
import { assert, describe, it } from "vitest"
import { htmlOf } from "../../src/reports/html/page.ts"
import { document, exchange, failed, hostile } from "../support/documents.ts"

const page = htmlOf(document)

/** Every tag of the page: what a partner wrote must never become one. */
const tags = (html: string) =>
  [...html.replace(/<style>[\s\S]*?<\/style>/, "").matchAll(/<([a-z!][a-z0-9]*)/gi)].map(([, name]) =>
    name!.toLowerCase()
  )

describe("htmlOf", () => {
  it("lets nothing of a hostile partner become markup, script or style", () => {
    const strange = tags(page).filter((tag) =>
      ["script", "img", "iframe", "link", "object", "base", "form"].includes(tag)
    )
    assert.deepStrictEqual(strange, [])
    assert.strictEqual([...page.matchAll(/<\/?style>/g)].length, 2)
    for (const [tag] of page.matchAll(/<[a-z][^>]*>/g))
      assert.notMatch(tag.replace(/"[^"]*"/g, ""), /\s(on\w+|style|src|srcset)=|'/)
    assert.include(page, "&lt;script&gt;alert(1)&lt;/script&gt;")
  })

  it("makes control characters and turned text visible", () => {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
    assert.notMatch(page, /[\u0000-\u0008\u000b-\u001f\u202e]/)
    assert.include(page, "\\u202e")
  })

  it("allows its own style and nothing else", () => {
    const style = page.slice(page.indexOf("<style>") + 7, page.indexOf("</style>"))
    const hash = createHash("sha256").update(style).digest("base64")
    assert.include(page, `content="default-src &#39;none&#39;; style-src &#39;sha256-${hash}&#39;"`)
    assert.notMatch(page, /url\(|@import|https?:\/\/[^<"]*\.(css|js|woff2?|png)/)
  })

  it("leads from the verdict to the first failure by one link, to a check that is unfolded", () => {
    const [, target] = page.match(/<a class="jump" href="#([^"]+)">First failure: LOC-017/)!
    assert.include(page, `id="${target}" open>`)
  })

  it("names stages and rules of a journey by their titles, with the ids beside them", () => {
    const [group = document.groups[0]!] = document.groups
    const rule = { ...failed, id: "cdr.received", title: "The partner posts the CDR" }
    const said = htmlOf({ ...document, groups: [{ ...group, id: "cdr", name: "CDR", checks: [rule] }] })
    assert.include(said, 'The partner posts the CDR <span class="id small">cdr.received</span>')
    assert.include(said, 'CDR <span class="id small">cdr</span></a></td>')
    assert.include(said, ">First failure: The partner posts the CDR ↓</a>")
    assert.notInclude(said, "<b>cdr.received</b>")
  })

  it("says why a failed check matters, where the run says so", () => {
    assert.notInclude(page, "why it matters")
    const said = htmlOf({ ...document, whyItMatters: { "LOC-017": "Drivers <find> no plug." } })
    assert.include(said, "<dt>why it matters</dt><dd>Drivers &lt;find&gt; no plug.</dd>")
  })

  it("shows what was expected, what came, where, how to mend it and how to do it again", () => {
    for (const part of [
      "RFC 3339, UTC",
      "/data/0/last_updated",
      "Send it in UTC.",
      "curl -sS &#39;https://cpo.example&#39;"
    ])
      assert.include(page, part)
    assert.match(page, /<mark> +&quot;last_updated&quot;: &quot;yesterday&quot;<\/mark>/)
  })

  it("says at a cause what to change", () => {
    const [first = document.groups[0]!] = document.groups
    const [check = failed] = first.checks
    const alike = { ...check, outcome: "failed" as const, hint: "Send <it> in UTC." }
    const blocked = {
      ...check,
      id: "LOC-018",
      outcome: "not_tested" as const,
      blockedBy: { check: alike.id, what: "it failed" }
    }
    const said = htmlOf({ ...document, groups: [{ ...first, checks: [alike, blocked] }] })
    assert.match(
      said,
      /<section id="causes">[\s\S]*<p>What to change: Send &lt;it&gt; in UTC\.<\/p>[\s\S]*<\/ol>/
    )
  })

  it("says what the variable of a command stands for, where there is one", () => {
    assert.include(page, "Repeat the request:")
    const [first = document.groups[0]!] = document.groups
    const checks = first.checks.map((check) => ({ ...check, curl: "curl -H $TOKEN" }))
    const said = htmlOf({ ...document, groups: [{ ...first, checks }] })
    assert.include(said, "first set the variable TOKEN to the token that it was sent with:")
  })

  it("calls what was not judged by one name", () => {
    assert.include(page, "Not judged")
    assert.notInclude(page, "Not graded")
  })

  it("resolves each of its links, and uses no id twice", () => {
    const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)
    assert.strictEqual(new Set(ids).size, ids.length)
    for (const [, target] of page.matchAll(/href="#([^"]+)"/g)) assert.include(ids, target)
  })

  it("closes what it opens", () => {
    for (const tag of ["details", "div", "dl", "pre", "table", "section", "main", "summary"]) {
      assert.strictEqual(page.split(`<${tag}`).length, page.split(`</${tag}>`).length, tag)
    }
  })

  it("stays small when a body is large", () => {
    const response = {
      ...exchange("x").response!,
      body: JSON.stringify({ data: Array(20_000).fill(hostile) })
    }
    const large = htmlOf({
      ...document,
      groups: [{ id: "locations", startedAt: null, checks: [failed] }],
      exchanges: [{ stageId: null, exchange: exchange("exc_1", { response }) }]
    })
    assert.isBelow(large.length, 150_000)
    assert.include(large, "lines below")
  })
})
