import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import { isTelling, placeholder, type Secrets, scrub } from "../../src/redaction/scrub.ts"
import { cleanerOf } from "../../src/redaction/scrubValue.ts"
import { hostTells, revealed } from "../../src/redaction/secretUrls.ts"
import { cpuMillis } from "../support/cpuMillis.ts"

const token = "plugfest-0123456789abcdef0123"
const mark = placeholder("tokenB", token)
const secretsOf = (...values: ReadonlyArray<string>): Secrets =>
  values.map((value) => ({ name: "tokenB", value: Redacted.make(value) }))
const secrets = secretsOf(token)

describe("a secret in a text", () => {
  it("is found where it is escaped more than it need be, and nothing else is unescaped", () => {
    const clean = scrub(secrets)
    const json = [...token].map((one) => `\\u00${one.charCodeAt(0).toString(16)}`).join("")
    const url = [...token].map((one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`).join("")
    for (const text of [json, json.toUpperCase().replaceAll("\\U", "\\u"), url, url.toLowerCase()]) {
      assert.strictEqual(clean(`"${text}"`), `"${mark}"`)
    }
    assert.strictEqual(clean(`{"a":"\\u0041 %41"}`), `{"a":"\\u0041 %41"}`)
    assert.deepStrictEqual(JSON.parse(clean(`{"a":"\\u0022${json}\\u005c"}`)), { a: `"${mark}\\` })
  })

  it("leaves the escapes beside it as they were sent", () => {
    const body = `{"token":"${token}","url":"https://partner.example/a%20b/versions","name":"\\u0041"}`
    assert.strictEqual(scrub(secrets)(body), body.replace(token, mark))
    const both = `${body}%70${token.slice(1)}`
    assert.notInclude(scrub(secrets)(both), token.slice(1))
  })

  it("is found as hexadecimal digits in either case", () => {
    const hex = Buffer.from(token).toString("hex")
    for (const text of [hex, hex.toUpperCase()]) assert.strictEqual(scrub(secrets)(text), `hex(${mark})`)
  })

  it("is found among hundreds, in time that no text makes long", () => {
    const many = secretsOf(
      ...Array.from({ length: 150 }, (_, n) => `plugfest-${String(n).padStart(48, "0")}`)
    )
    const clean = scrub(many)
    // Each begins like all of them, and is none of them.
    const hostile = "plugfest-0000000000000000000000".repeat(30_000)
    const last = Redacted.value(many.at(-1)!.value)
    const { millis, value } = cpuMillis(() => [clean(hostile), clean(hostile + last)], 3_000)
    assert.strictEqual(value[0], hostile)
    assert.notInclude(value[1], last)
    assert.isBelow(millis, 3_000)
  })
})

describe("a secret in a value", () => {
  it("is taken out of texts, names of fields and lists; what holds none is the same value", () => {
    const { value } = cleanerOf(secrets)
    const sent = { name: "a", list: [{ b: `x ${token} y` }, 1, null, true], [token]: { deep: [[token]] } }
    assert.deepStrictEqual(value(sent) as unknown, {
      name: "a",
      list: [{ b: `x ${mark} y` }, 1, null, true],
      [mark]: { deep: [[mark]] }
    })
    const harmless = { name: "a", list: [{ b: "x" }, 1, null, true] }
    assert.strictEqual(value(harmless), harmless)
  })

  it("harms no prototype", () => {
    const sent = JSON.parse(`{"__proto__":{"x":"${token}"}}`) as object
    const clean = cleanerOf(secrets).value(sent)
    assert.strictEqual(Object.getPrototypeOf(clean), Object.prototype)
    assert.notInclude(JSON.stringify(clean), token)
  })

  it("is none where the token is an ordinary word, but as a token", () => {
    for (const word of ["test", "CPO", "ACTIVE", "AVAILABLE", "locations", "none"]) {
      assert.isFalse(isTelling(word), word)
      const { text, value } = cleanerOf(secretsOf(word))
      const sent = { status: word, module: `/${word}/1`, name: word }
      assert.strictEqual(value(sent), sent)
      assert.notInclude(JSON.stringify(value({ data: { token: word } })), word)
      assert.notInclude(text(`was sent as Token ${word}`), word)
    }
    for (const one of ["x1y2z3a4", "abcdefghijklmnop", "12345678", "a-b-c-d-e-f"])
      assert.isTrue(isTelling(one), one)
  })
})

describe("a URL of a partner with its token in it", () => {
  const kept = (url: string) => cleanerOf(secrets).text(url)
  const urls = [
    `https://p.example/${token}/versions`,
    `https://p.example/versions?token=${token}&a=1`,
    `https://p.example/v?t=${Buffer.from(token).toString("base64")}`
  ]
  it("is kept without the token, and called with it", () => {
    for (const url of urls) {
      assert.notInclude(kept(url), token)
      assert.strictEqual(decodeURIComponent(revealed(secrets, kept(url), ["https://p.example/other"])), url)
      const parsed = new URL(kept(url)).href
      assert.strictEqual(decodeURIComponent(revealed(secrets, parsed, ["https://p.example/"])), url)
    }
  })
  it("is called as it is at another host, and with a placeholder of nobody's", () => {
    const [path] = urls.map(kept)
    assert.strictEqual(revealed(secrets, path!, ["https://other.example/"]), path)
    const unknown = "https://p.example/«tokenB:0000»"
    assert.strictEqual(revealed(secrets, unknown, ["https://p.example/"]), unknown)
  })
  it("is none to keep where the host name tells it", () => {
    assert.isTrue(hostTells(secrets, `https://${token}.example/versions`))
    assert.isTrue(hostTells(secretsOf("UPPER-Case-Token-1"), "https://x.upper-case-token-1.example/"))
    assert.isFalse(hostTells(secrets, urls[0]!))
    assert.isFalse(hostTells(secretsOf("test"), "https://test.example/"))
  })
})
