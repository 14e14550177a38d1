import { assert, describe, it } from "@effect/vitest"
import { Redacted } from "effect"
import type { Exchange } from "../../schema/Exchange.ts"
import { isScrubbedOf, scrubExchange } from "../../src/ocpi/Scrubber.ts"
import { placeholder, scrub } from "../../src/redaction/scrub.ts"

const value = `tok/en+"${"k".repeat(20)}"-åß 9`
const secrets = [{ name: "tokenB", value: Redacted.make(value) }]
const mark = placeholder("tokenB", value)
const base64 = (text: string) => Buffer.from(text).toString("base64")

const forms: ReadonlyArray<readonly [string, string]> = [
  ["plain", value],
  ["with its scheme", `Token ${value}`],
  ["JSON-escaped", JSON.stringify({ echoed: value })],
  ["URL-encoded", `https://p.example/?t=${encodeURIComponent(value)}`],
  ["form-encoded", new URLSearchParams({ t: value }).toString()],
  ["URL-encoded in lower case", encodeURIComponent(value).toLowerCase()],
  ["Base64", base64(value)],
  ["unpadded Base64", base64(value).replace(/=+$/, "")],
  ["URL-safe Base64", Buffer.from(value).toString("base64url")],
  ["Base64 with a line feed", base64(`${value}\n`)],
  ["Base64 with its scheme", base64(`Token ${value}`)],
  ["Base64 twice", base64(base64(value))],
  ["Base64 in a query", encodeURIComponent(base64(value))],
  ["amid longer Base64, shifted by 0", base64(`abc${value}tail`)],
  ["amid longer Base64, shifted by 1", base64(`a${value}tail`)],
  ["amid longer Base64, shifted by 2", base64(`us${value}tail`)]
]

describe("scrub", () => {
  it("takes out a secret of a text in UTF-16", () => {
    const utf16 = Buffer.from(`{"echo":"${value}"}`, "utf16le").toString("utf8")
    assert.notInclude(
      scrub([{ name: "tokenB", value: Redacted.make("kkkkkkkkkkkkkkk") }])(utf16).replaceAll("\0", ""),
      "kkkkkkkkkkkkkkk"
    )
  })

  it.each(forms)("takes out the secret %s", (_, text) => {
    const clean = scrub(secrets)(`before ${text} after`)
    assert.include(clean, mark)
    assert.notInclude(clean, "kkkkkkkkkkkkkk")
    assert.notInclude(clean, base64("k".repeat(9)))
  })

  it("shows that a token was sent Base64 encoded", () => {
    assert.strictEqual(scrub(secrets)(`Token ${base64(value)}`), `Token base64(${mark})`)
    assert.strictEqual(scrub(secrets)(`Token ${value}`), `Token ${mark}`)
  })

  it("leaves words alone that a short secret is part of", () => {
    const clean = scrub([{ name: "tokenA", value: Redacted.make("100") }])
    assert.strictEqual(
      clean(`{"status_code":1000,"token":"100"}`),
      `{"status_code":1000,"token":"${placeholder("tokenA", "100")}"}`
    )
  })

  it("scrubs no placeholder again", () => {
    const clean = scrub([...secrets, { name: "tokenC", value: Redacted.make(mark) }])
    assert.strictEqual(clean(value), mark)
  })
})

const exchange: Exchange = {
  id: "exc_1",
  direction: "outbound",
  module: "credentials",
  operation: "register",
  request: {
    method: "POST",
    url: `https://p.example/?t=${encodeURIComponent(value)}`,
    headers: { authorization: `Token ${base64(value)}` },
    body: JSON.stringify({ token: "new-token-b", url: "https://us.example" }),
    truncated: false
  },
  response: {
    httpStatus: 200,
    ocpiStatusCode: 1000,
    headers: { location: "https://p.example/new-token-c" },
    body: JSON.stringify({ data: { token: "new-token-c" }, echo: "new-token-b", status_code: 1000 }),
    truncated: false
  },
  outcome: "completed",
  fault: { kind: "malformed", message: `echo ${value}` },
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1,
  requestId: "r",
  correlationId: "c"
}

describe("scrubExchange", () => {
  it("cleans URL, headers and fault", () => {
    const clean = JSON.stringify(scrubExchange(secrets, exchange))
    assert.notInclude(clean, "kkkkkkkkkkkkkk")
    assert.notInclude(clean, base64(value))
  })

  it("cleans a token alone in any one place of request and response, a header's name among them", () => {
    const request = { ...exchange.request, url: "https://p.example/", headers: {}, body: null }
    const response = { ...exchange.response!, headers: {}, body: null }
    const { fault: _, ...unbroken } = exchange
    const quiet: Exchange = { ...unbroken, module: "locations", request, response }
    const headersWithToken = [
      { authorization: value },
      { "x-first": "1", "x-token": value, "x-last": "2" },
      { [`x-${value}`]: "1" }
    ]
    const places: ReadonlyArray<Exchange> = [
      { ...quiet, request: { ...request, url: `https://p.example/${value}` } },
      { ...quiet, requestId: value },
      { ...quiet, correlationId: value },
      ...headersWithToken.flatMap((headers) => [
        { ...quiet, request: { ...request, headers } },
        { ...quiet, response: { ...response, headers } }
      ])
    ]
    for (const place of places) {
      const clean = JSON.stringify(scrubExchange(secrets, place))
      assert.notInclude(clean, value)
      assert.include(clean, mark)
    }
    assert.notInclude(JSON.stringify(scrubExchange(secrets, quiet)), mark)
  })

  it("cleans module and operation, which a partner chooses by its path, and leaves words of OCPI in them", () => {
    const word = [{ name: "tokenA", value: Redacted.make("locations") }]
    const strange = { ...exchange, module: value, operation: `GET ${value}` }
    const clean = scrubExchange(secrets, strange)
    assert.deepStrictEqual([clean.module, clean.operation], [mark, `GET ${mark}`])
    assert.strictEqual(scrubExchange(word, { ...exchange, module: "locations" }).module, "locations")
  })

  it("says of which secrets an exchange is clean already", () => {
    const clean = scrubExchange(secrets, exchange)
    assert.isTrue(isScrubbedOf(clean, secrets))
    assert.isFalse(isScrubbedOf({ ...clean }, secrets), "another exchange may hold more")
    assert.isFalse(isScrubbedOf(clean, [...secrets]), "other secrets")
    const short = [{ name: "tokenA", value: Redacted.make("100") }]
    assert.isFalse(
      isScrubbedOf(scrubExchange(short, exchange), short),
      "found only where it is used as a token"
    )
  })

  it("learns the tokens that a credentials exchange hands over", () => {
    const clean = scrubExchange(secrets, exchange)
    assert.include(clean.request.body!, placeholder("tokenB", "new-token-b"))
    assert.include(clean.response!.body!, placeholder("tokenC", "new-token-c"))
    assert.notInclude(JSON.stringify(clean), "new-token")
  })

  it("learns tokens from a body that is cut off", () => {
    const cut = {
      ...exchange,
      response: { ...exchange.response!, body: `{"data":{"token":"new-token-c","ur` }
    }
    assert.notInclude(JSON.stringify(scrubExchange(secrets, cut)), "new-token")
  })

  it("learns tokens from an object that came wrapped in lists", () => {
    const body = JSON.stringify({ data: [[{ token: "new-token-c" }]] })
    const wrapped = { ...exchange, response: { ...exchange.response!, body } }
    assert.notInclude(JSON.stringify(scrubExchange(secrets, wrapped)), "new-token")
  })

  const handed = "3f0b2c7e-handed-over-8d1a"
  const object = (token: unknown = handed) => ({
    token,
    url: "https://cpo.example/ocpi/versions",
    roles: [{ role: "CPO", party_id: "EXA", country_code: "NL" }]
  })
  const text = JSON.stringify(object())
  it.each([
    ["beside a comma too many", `${text.slice(0, -1)},}`],
    ["in single quotes", text.replaceAll('"', "'")],
    ["in a form", `token=${handed}&url=https%3A%2F%2Fcpo.example`],
    ["in XML", `<credentials><token>${handed}</token></credentials>`],
    ["in YAML", `url: https://cpo.example\ntoken: ${handed}`],
    ["in UTF-16", Buffer.from(text, "utf16le").toString("utf8")],
    ["under a name in other case", text.replace("token", "Token")],
    ["under another name", text.replace("token", "auth_token")],
    ["under an escaped name", text.replace("token", "tok\\u0065n")],
    ["under an escaped name, cut off", text.replace("token", "tok\\u0065n").slice(0, 60)],
    ["in a text of JSON", JSON.stringify(text)],
    ["in a text within an object", JSON.stringify({ data: text })],
    ["in an object", JSON.stringify(object({ value: handed }))],
    ["in a list", JSON.stringify(object([handed]))],
    ["cut off after it", text.slice(0, text.indexOf(handed) + handed.length)]
  ])("learns a token of credentials %s", (_, body) => {
    const sent = { ...exchange, request: { ...exchange.request, body } }
    assert.notInclude(JSON.stringify(scrubExchange(secrets, sent)).replaceAll("\uFFFD", ""), handed)
  })

  it.each(["versions", "Credentials", "locations", "emsp"])(
    "learns the token of credentials that came to the path of %s",
    (module) => {
      const bodies = [text, text.slice(0, -3), JSON.stringify({ data: object() })]
      for (const body of bodies) {
        const sent = { ...exchange, module, request: { ...exchange.request, body }, response: null }
        assert.notInclude(JSON.stringify(scrubExchange(secrets, sent)), handed)
      }
    }
  )

  it("takes nothing for a token in objects of other modules that have such a field", () => {
    const bodies = [
      { token: "04AA11BB22CC33DD44", location_id: "LOC-1" },
      { token: { uid: "04AA11BB22CC33DD44", type: "RFID" }, response_url: "https://us.example" },
      { cdr_token: { uid: "04AA11BB22CC33DD44" }, id: "S1" }
    ].map((object) => JSON.stringify(object))
    for (const body of bodies) {
      const sent = { ...exchange, module: "commands", request: { ...exchange.request, body }, response: null }
      assert.strictEqual(scrubExchange(secrets, sent).request.body, body)
    }
  })

  it("cuts a long body after cleaning it and describes the whole", () => {
    const body = "x".repeat(256 * 1024 - 5) + value
    const { response } = scrubExchange(secrets, { ...exchange, response: { ...exchange.response!, body } })
    assert.isTrue(response!.truncated)
    assert.strictEqual(response!.bodyBytes, Buffer.byteLength(body))
    assert.match(response!.bodySha256!, /^[0-9a-f]{64}$/)
    assert.notInclude(response!.body!, "tok/")
  })

  it("keeps NUL out of the store", () => {
    const clean = scrubExchange(secrets, { ...exchange, response: { ...exchange.response!, body: "a\0b" } })
    assert.strictEqual(clean.response!.body, "a\uFFFDb")
  })
})
