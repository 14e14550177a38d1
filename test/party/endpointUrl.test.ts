import { Effect, Either } from "effect"
import { assert, describe, it } from "vitest"
import { type Dialect, defaultDialect } from "../../schema/Connection.ts"
import type { OcpiVersion } from "../../schema/ocpi/OcpiVersion.ts"
import { callUrl } from "../../src/party/outbound/endpointUrl.ts"
import type { CallRequest } from "../../src/party/wire/CallRequest.ts"
import { partyWith } from "../support/parties/parties.ts"

const base = "https://cpo.example/ocpi"
const urlOf = (dialect: Partial<Dialect>, request: Partial<CallRequest>, version: OcpiVersion = "2.2.1") => {
  const party = partyWith({
    id: "conn_1",
    role: "EMSP",
    version,
    dialect: { ...defaultDialect, ...dialect },
    counterpart: {
      role: "CPO",
      versionsUrl: `${base}/versions`,
      endpoints: [
        { identifier: "locations", role: "SENDER", url: `${base}/locations` },
        { identifier: "commands", role: "RECEIVER", url: `${base}/commands?tenant=1` }
      ],
      parties: null
    }
  })
  const asked = { module: "locations", interfaceRole: "SENDER", operation: "list", method: "GET" } as const
  const url = Effect.runSync(Effect.either(callUrl(party, { ...asked, exchangeId: "exc_1", ...request })))
  return Either.isRight(url) ? url.right : url.left.message
}

describe("the URL of a call", () => {
  const command = {
    module: "commands",
    interfaceRole: "RECEIVER",
    method: "POST",
    path: ["START_SESSION"]
  } as const

  it("ends in a slash below an endpoint where the caller has set that, and nowhere else", () => {
    const slashed = { trailingSlash: true, overridden: ["trailingSlash"] } as const
    assert.strictEqual(urlOf(slashed, { path: ["A/1"] }), `${base}/locations/A%2F1/`)
    assert.strictEqual(urlOf({ trailingSlash: false }, { path: ["A/1"] }), `${base}/locations/A%2F1`)
    assert.strictEqual(urlOf({ trailingSlash: true }, { path: ["A/1"] }), `${base}/locations/A%2F1`)
    assert.strictEqual(urlOf(slashed, command), `${base}/commands/START_SESSION/?tenant=1`)
  })

  it("keeps the path of a URL that the partner gave", () => {
    assert.strictEqual(urlOf({ trailingSlash: true }, {}), `${base}/locations`)
    const url = `${base}/locations/page2?offset=50`
    assert.strictEqual(urlOf({ trailingSlash: true, pageLimit: 5, overridden: ["pageLimit"] }, { url }), url)
  })

  it("asks for no larger page of a list than the page limit", () => {
    const seen = { pageLimit: 20 }
    const wanted = { pageLimit: 20, overridden: ["pageLimit"] } as const
    const limit = (dialect: Partial<Dialect>, query?: Record<string, string>, more = {}) =>
      new URL(urlOf(dialect, { ...(query === undefined ? {} : { query }), ...more })).searchParams.get(
        "limit"
      )
    assert.strictEqual(limit(seen, { limit: "50" }), "20")
    assert.strictEqual(limit(seen, { limit: "10" }), "10")
    assert.strictEqual(limit(seen), null, "the partner's own page is no larger")
    assert.strictEqual(limit(wanted, { date_from: "2026-01-01T00:00:00Z" }), "20")
    assert.strictEqual(limit(wanted, { limit: "500" }, { fixedLimit: true }), "500")
    assert.strictEqual(limit(wanted, undefined, { path: ["LOC1"] }), null)
    assert.strictEqual(limit(wanted, undefined, command), null)
  })

  it("is none where the partner lists no such endpoint", () => {
    assert.match(urlOf({}, { module: "tariffs" }), /list no tariffs endpoint with role SENDER$/)
    assert.match(urlOf({}, { module: "tariffs" }, "2.1.1"), /list no tariffs endpoint$/)
  })
})
