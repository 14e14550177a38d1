/** Ways in which software that is not ours gives a token back: escaped more than once, in HTML, in other letters, in a dump. */
import { Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { scrub } from "../../src/redaction/scrub.ts"

const base64 = (text: string) => Buffer.from(text).toString("base64")
const codes = (text: string, write: (code: number) => string) =>
  [...text].map((one) => write(one.charCodeAt(0))).join("")
const hex = (code: number) => code.toString(16).padStart(2, "0")
/** As PHP writes JSON. */
const php = (text: string) => JSON.stringify(text).replaceAll("/", "\\/")
/** As Go writes JSON. */
const go = (text: string) => JSON.stringify(text).replace(/[<>&]/g, (one) => `\\u00${hex(one.charCodeAt(0))}`)
const request = (header: string) => `GET /versions HTTP/1.1\r\nauthorization: Token ${header}\r\nhost: x\r\n`

const guid = "3f2a9c1e-77aa-4b1f-9e0c-0a1b2c3d4e5f"
const tokens = [guid, "Zm9vYmFyPj8/fn5+L+8=", "ab/cd+ef==gh&ij<kl>mn~?!"]
/** Tokens in which a part looks like an escape. */
const likeEscapes = ["C%3807bb&eaf<3645>0b2c", "x%2541y<z&amp;12>345&#x41;6"]

/** By name, how a token (or its Base64 form) is written. */
const ways: Readonly<Record<string, (text: string) => string>> = {
  "in HTML, by name": (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
  "in HTML, as template engines do": (text) =>
    text.replace(/[&<>/`=]/g, (one) => `&#x${hex(one.charCodeAt(0)).toUpperCase()};`),
  "in JSON of Go": go,
  "in HTML, every character": (text) => codes(text, (code) => `&#${code};`),
  "in HTML twice": (text) => codes(text, (code) => `&amp;#x${hex(code)};`),
  "in a URL in a URL": (text) => encodeURIComponent(encodeURIComponent(text)),
  "in a URL, three times": (text) => encodeURIComponent(encodeURIComponent(encodeURIComponent(text))),
  "in a URL twice, every character": (text) => codes(text, (code) => `%25${hex(code)}`),
  "in JSON in JSON of PHP": (text) => php(php(text)),
  "in JSON in JSON in JSON of PHP": (text) => php(php(php(text))),
  "in JSON in JSON of Go": (text) => go(go(text)),
  "in JSON twice, every character": (text) => JSON.stringify(codes(text, (code) => `\\u00${hex(code)}`)),
  "as a literal of Python": (text) => codes(text, (code) => `\\x${hex(code)}`),
  "in a dump in Base64": (text) => base64(request(text)),
  "in a dump in Base64 for URLs": (text) => Buffer.from(`{"auth":"Token ${text}"}`).toString("base64url"),
  "as bytes, of Node": (text) => JSON.stringify(Buffer.from(text)),
  "as bytes, of Java": (text) => `[${[...Buffer.from(text)].join(", ")}]`,
  "in a dump in hexadecimal": (text) => Buffer.from(request(text)).toString("hex")
}

const found = (token: string, text: string) =>
  scrub([{ name: "tokenB", value: Redacted.make(token) }])(`before ${text} after`).includes("«tokenB:")

describe("a token that is given back", () => {
  for (const [name, write] of Object.entries(ways)) {
    it(`is found ${name}`, () => {
      for (const token of tokens)
        for (const text of [token, base64(token)])
          assert.isTrue(found(token, write(text)), `${token} as ${write(text)}`)
    })
  }

  it("is found with its quotes escaped again and again", () => {
    const token = 'quo"ted\\token"0123456789'
    const json = (text: string) => JSON.stringify(text)
    const html = (quote: string) => `<td>${token.replaceAll('"', quote)}</td>`
    for (const text of [json(token), json(json(token)), json(json(json(token)))])
      assert.isTrue(found(token, text), text)
    for (const text of ["&quot;", "&#34;", "&#x22;"].map(html)) assert.isTrue(found(token, text), text)
  })

  it("is found in Base64 of its Base64 header", () => {
    for (const token of tokens) assert.isTrue(found(token, base64(base64(base64(token)))), token)
  })

  it("is found where a part of it looks like an escape, and a serializer escapes another part", () => {
    for (const token of likeEscapes)
      for (const write of [go, (text: string) => go(go(text)), encodeURIComponent, ways["in HTML, by name"]!])
        assert.isTrue(found(token, write(token)), `${token} as ${write(token)}`)
  })

  it("is found in other letters, and as other software writes a GUID", () => {
    const digits = guid.replaceAll("-", "")
    for (const text of [guid.toUpperCase(), digits, digits.toUpperCase(), `{${guid}}`])
      assert.isTrue(found(guid, text), text)
    for (const text of [guid, guid.toUpperCase()]) assert.isTrue(found(digits, text), text)
    assert.isTrue(found("Qm3xYz81LkVtR2aa", "qm3xyz81lkvtr2aa"))
  })

  it("leaves a text that has none of it as it came, whatever is escaped in it", () => {
    const text = `{"a":"\\u0041\\\\\\/%2541&amp;&#x41;&quot;&#0;\\x41","b":"${"\\".repeat(50)}%%25&#"}`
    assert.strictEqual(scrub([{ name: "tokenB", value: Redacted.make(guid) }])(text), text)
  })

  it("takes no longer for a megabyte of escapes than others can wait", () => {
    const clean = scrub([{ name: "tokenB", value: Redacted.make(guid) }])
    const million = 1_000_000
    for (const one of ["\\", "%", "%25", "&amp;", "&#", "&#x41;", "\\u0041", "\\\\/"]) {
      const began = performance.now()
      clean(one.repeat(Math.floor(million / one.length)))
      assert.isBelow(performance.now() - began, 1500, JSON.stringify(one))
    }
  })
})
