import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import fc from "fast-check"
import { firstDocument, parseJson, readJson } from "../../src/findings/readJson.ts"
import { envelope, readEnvelope } from "../../src/ocpi/envelope.ts"
import { crawlStep, nextLink, nextLinkHeader } from "../../src/ocpi/paging.ts"
import { readRouting, routingHeaders } from "../../src/ocpi/routing.ts"
import { authorizationValue, inboundAuthorization, issueToken } from "../../src/ocpi/tokens.ts"
import { joinUrl } from "../../src/ocpi/urls.ts"
import { evse, location } from "../support/ocpi/objects.ts"

describe("tokens", () => {
  const token = Redacted.make("example-token")

  it("sends a token raw, encoded or literally", () => {
    assert.strictEqual(authorizationValue(token, "raw"), "Token example-token")
    assert.strictEqual(authorizationValue(token, "base64"), "Token ZXhhbXBsZS10b2tlbg==")
    assert.strictEqual(authorizationValue(Redacted.make("Bearer x"), "literal"), "Bearer x")
  })

  it("reads a raw token in one way when it cannot be Base64", () => {
    assert.deepStrictEqual(
      inboundAuthorization("Token example-token")?.candidates.map(({ value }) => value),
      ["example-token"]
    )
  })

  it("reads an encoded token in both ways", () => {
    const { candidates } = inboundAuthorization("Token ZXhhbXBsZS10b2tlbg==")!
    assert.deepStrictEqual(
      candidates.map(({ form, value }) => [form, value]),
      [
        ["raw", "ZXhhbXBsZS10b2tlbg=="],
        ["base64", "example-token"]
      ]
    )
  })

  it("strips one line feed that was encoded with the token, and says so", () => {
    const encoded = Buffer.from("example-token\n").toString("base64")
    assert.deepInclude(inboundAuthorization(`token ${encoded}`)?.candidates[1], {
      value: "example-token",
      hadNewline: true
    })
  })

  it.each([undefined, "", "Token", "Token   "])("finds no token in %j", (header) => {
    assert.isUndefined(inboundAuthorization(header))
  })

  it.effect("issues tokens that no Base64 text can be", () =>
    Effect.map(issueToken, (issued) => {
      assert.match(Redacted.value(issued), /^[\x21-\x7e]{1,64}$/)
      assert.include(Redacted.value(issued), "-")
      assert.lengthOf(inboundAuthorization(`Token ${Redacted.value(issued)}`)!.candidates, 1)
    })
  )
})

describe("envelope", () => {
  const timestamp = "2026-01-01T00:00:00Z"

  it("leaves out data and message that are not given", () => {
    assert.deepStrictEqual(envelope({ statusCode: 1000, timestamp }), { status_code: 1000, timestamp })
  })

  it("keeps an empty list as data", () => {
    assert.deepStrictEqual(envelope({ data: [], statusCode: 1000, timestamp }).data, [])
  })

  it.each([
    [[]],
    ["x"],
    [null],
    [{ status_code: "fine" }],
    [{ status_code: "9".repeat(20) }],
    [{ status_code: 1e20 }],
    [{ status_code: 1000.5 }]
  ])("is not read from %j", (json) => {
    assert.isUndefined(readEnvelope(json))
  })

  it("is read where its status_code is a text of digits", () => {
    assert.deepInclude(readEnvelope({ data: [1], status_code: "1000" }), { statusCode: 1000, data: [1] })
  })

  it("is read through a byte order mark", () => {
    assert.strictEqual(readEnvelope(parseJson(`\uFEFF{"status_code":2001}`))?.statusCode, 2001)
  })

  it("is not read from what is nested beyond all reason", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
    assert.isArray(parseJson(nested(100)))
    assert.isUndefined(parseJson(nested(100_000)))
  })
})

describe("JSON that is too much for us", () => {
  const excess = (json: unknown) => readJson(JSON.stringify(json)).excess ?? ""
  const many = (count: number, one: unknown) => Array.from({ length: count }, () => one)

  it("is told apart from what is no JSON", () => {
    assert.deepStrictEqual(readJson("{"), { json: undefined })
    assert.match(excess(many(20_001, {})), /a list or an object with more than 20000 entries/)
    const wide = Object.fromEntries(many(20_001, 1).map((one, at) => [`f${at}`, one]))
    assert.match(excess({ data: wide }), /a list or an object with more than 20000 entries/)
    assert.match(excess(many(20, many(10_000, 1))), /more than 150000 values/)
    assert.match(readJson(`${"[".repeat(101)}${"]".repeat(101)}`).excess ?? "", /deeper than 100 levels/)
  })

  it("begins one beyond what we look at, however it is written", () => {
    const fullest = many(20_000, { a: "x,[{" })
    // 1 list of 8 lists, 7 of them with 18748 values each and one with what is left.
    const most = [...many(7, many(18_748, [])), many(150_000 - 1 - 8 - 7 * 18_748, '\\",')]
    for (const json of [fullest, most])
      for (const space of [0, 1])
        assert.deepStrictEqual(readJson(JSON.stringify(json, null, space)), { json })
    assert.match(excess([...fullest, 1]), /entries/)
    assert.match(excess([...most, 1]), /values/)
  })

  it("is never said of a text that does not begin like JSON, and never of what is short", () => {
    assert.deepStrictEqual(readJson(`<script>${"[1,2],".repeat(90_000)}</script>`), { json: undefined })
    fc.assert(
      fc.property(fc.json(), fc.constantFrom("", "\uFEFF", " \n"), (text, before) => {
        assert.deepStrictEqual(readJson(before + text), { json: JSON.parse(text) })
      })
    )
  })

  it("is no large location, however many EVSEs it has", () => {
    const evses = Array.from({ length: 800 }, (_, at) =>
      evse({ uid: `E${at}`, physical_reference: "x".repeat(16) })
    )
    const text = JSON.stringify(location({ evses, directions: [{ language: "en", text: "y".repeat(500) }] }))
    assert.isUndefined(readJson(text).excess)
    assert.isUndefined(excessOfFull(1024 * 1024))
  })
})

/** A megabyte of the legal objects with the most values to a byte: elements of a tariff. */
const excessOfFull = (bytes: number) => {
  const element = { price_components: [{ type: "ENERGY", price: 0.25, step_size: 1 }] }
  const count = Math.floor(bytes / (JSON.stringify(element).length + 1))
  return readJson(JSON.stringify({ elements: Array.from({ length: count }, () => element) })).excess
}

describe("several JSON documents in one body", () => {
  it("give the first of them, whatever stands in its strings", () => {
    assert.deepStrictEqual(firstDocument(' {"a":"}{\\""}\n{"b":2}'), { a: '}{"' })
    assert.deepStrictEqual(firstDocument("[1][2]"), [1])
  })

  it("are none where there is one, or something else behind it", () => {
    for (const text of ['{"a":1}', '{"a":1} trailing', '{"a":1', '"a" "b"', "", "<html>{}{}"])
      assert.isUndefined(firstDocument(text), text)
  })
})

describe("paging", () => {
  const page = "https://p.example/locations?limit=1"

  it("reads back the Link that it writes", () => {
    assert.strictEqual(
      nextLink(nextLinkHeader("https://p.example/l?offset=1"), page),
      "https://p.example/l?offset=1"
    )
  })

  it("finds next among several links and relations, in any case", () => {
    const header = `<https://p.example/a>; rel="prev", </b?x=1,2>; title="t"; REL="last next"`
    assert.strictEqual(nextLink(header, page), "https://p.example/b?x=1,2")
  })

  it.each([undefined, "", `<https://p.example/a>; rel="prev"`, "garbage"])("ends at %j", (header) => {
    assert.deepStrictEqual(crawlStep(header, [page]), { step: "end" })
  })

  it("notices a link to a page that was read already", () => {
    assert.strictEqual(crawlStep(nextLinkHeader(page), [page]).step, "cycle")
  })

  it("stops at the cap", () => {
    assert.strictEqual(
      crawlStep(nextLinkHeader(`${page}&offset=2`), [page, `${page}&offset=1`], 2).step,
      "cap"
    )
  })
})

describe("joinUrl", () => {
  it.each([
    ["https://p.example/ocpi/locations", "https://p.example/ocpi/locations/NL/A%2FB"],
    ["https://p.example/ocpi/locations/", "https://p.example/ocpi/locations/NL/A%2FB"],
    ["https://p.example/?k=v", "https://p.example/NL/A%2FB?k=v"]
  ])("joins segments to %s with one slash", (endpoint, joined) => {
    assert.strictEqual(joinUrl(endpoint, ["NL", "A/B"]), joined)
  })

  it("leaves an endpoint alone and adds the query to its own", () => {
    assert.strictEqual(joinUrl("https://p.example/x/"), "https://p.example/x/")
    assert.strictEqual(
      joinUrl("https://p.example/x?k=v", [], { limit: "1" }),
      "https://p.example/x?k=v&limit=1"
    )
  })
})

describe("routing", () => {
  it("is read back from lower-case headers", () => {
    const from = { countryCode: "NL", partyId: "ABC" }
    const headers = Object.fromEntries(
      Object.entries(routingHeaders(from)).map(([name, value]) => [name.toLowerCase(), value])
    )
    assert.deepStrictEqual(readRouting(headers), { from, to: undefined })
  })
})
