import { assert, describe, it } from "vitest"
import type { Exchange } from "../../schema/Exchange.ts"
import { followUp, makeFollowUps, setEndSlash, setLimit } from "../../src/ocpi/followUp.ts"

const url = "https://cpo.example/ocpi/tokens/NL/MSP/1?type=RFID"
const startedAt = "2026-06-01T12:00:00.000Z"

const answered = (method: string, httpStatus: number, headers: Record<string, string>): Exchange => ({
  id: "exc_1",
  direction: "outbound",
  module: "tokens",
  operation: "PUT token",
  request: { method, url, headers: {}, body: null, truncated: false },
  response: { httpStatus, ocpiStatusCode: null, headers, body: null, truncated: false },
  outcome: "completed",
  startedAt,
  durationMs: 1000,
  requestId: "r",
  correlationId: "c"
})
const slashed = "/ocpi/tokens/NL/MSP/1/?type=RFID"

describe("a redirect", () => {
  it("is followed where it only adds a slash, and the method is kept", () => {
    for (const [method, status] of [
      ["PUT", 307],
      ["POST", 308],
      ["GET", 301],
      ["DELETE", 302]
    ] as const)
      assert.deepStrictEqual(followUp(answered(method, status, { location: slashed })), {
        why: "slash",
        endSlash: "with"
      })
  })

  it("is not followed where the method would change, or anything else of the URL", () => {
    assert.isUndefined(followUp(answered("POST", 302, { location: slashed })))
    assert.isUndefined(followUp(answered("GET", 303, { location: slashed })))
    for (const location of [
      "/ocpi/tokens/NL/MSP/1/",
      "/ocpi/tokens/NL/MSP/2/?type=RFID",
      `http://cpo.example${slashed}`,
      `https://other.example${slashed}`,
      "https://["
    ])
      assert.isUndefined(followUp(answered("PUT", 307, { location })), location)
    assert.isUndefined(followUp(answered("PUT", 307, {})))
  })

  it("leads to the URL of ours, not to the one of the header", () => {
    assert.strictEqual(setEndSlash(url, "with"), `https://cpo.example${slashed}`)
    assert.strictEqual(setEndSlash(`https://cpo.example${slashed}`, "without"), url)
  })
})

describe.each([429, 503])("HTTP %i", (status) => {
  const busy = (method: string, after: string) => followUp(answered(method, status, { "retry-after": after }))

  it("is waited for by seconds, or until a date", () => {
    assert.deepStrictEqual(busy("GET", "3"), { why: "busy", millis: 3000 })
    assert.deepStrictEqual(busy("PUT", "Mon, 01 Jun 2026 12:00:06 GMT"), { why: "busy", millis: 5000 })
    assert.deepStrictEqual(busy("GET", "Mon, 01 Jun 2026 11:00:00 GMT"), { why: "busy", millis: 0 })
  })

  it("is waited for two seconds where it does not say how long", () => {
    const short = { why: "busy", millis: 2000, isUnasked: true } as const
    for (const after of ["1.5", "soon", ""]) assert.deepStrictEqual(busy("GET", after), short)
    assert.deepStrictEqual(followUp(answered("GET", status, {})), short)
  })

  it("is taken as it is where the wait is long", () => {
    assert.isUndefined(busy("GET", "11"))
  })

  it("is sent again after a POST or PATCH only where that was one of too many: 503 may have been begun", () => {
    for (const method of ["POST", "PATCH"])
      assert.deepStrictEqual(busy(method, "1"), status === 429 ? { why: "busy", millis: 1000 } : undefined)
  })
})

describe("a page of a list that is too large for us", () => {
  const page = (query: string, more: Partial<Exchange> = {}): Exchange => ({
    ...answered("GET", 200, {}),
    operation: "list",
    request: { ...answered("GET", 200, {}).request, url: `https://cpo.example/ocpi/locations${query}` },
    fault: { kind: "too_large", message: "The body is larger than 1024 KiB" },
    ...more
  })

  it("is asked for with a smaller limit, down to one object", () => {
    for (const [query, limit] of [
      ["", 10],
      ["?date_from=2026-01-01T00:00:00Z", 10],
      ["?limit=1000", 10],
      ["?limit=20", 5],
      ["?limit=10", 2],
      ["?limit=2", 1]
    ] as const)
      assert.deepStrictEqual(followUp(page(query)), { why: "smaller", limit }, query)
    assert.isUndefined(followUp(page("?limit=1")))
    const { next } = makeFollowUps()()
    assert.strictEqual(next(page(""))?.why, "smaller")
    assert.strictEqual(next(page("?limit=10"))?.why, "smaller")
  })

  it("is taken as it is where it is no first page, none of a list, or none at all", () => {
    assert.isUndefined(followUp(page("", { operation: "list, next page" })))
    assert.isUndefined(followUp(page("", { module: "versions" })))
    assert.isUndefined(followUp(page("", { fault: { kind: "malformed", message: "no JSON" } })))
    assert.isUndefined(followUp(page("", { response: { ...page("").response!, httpStatus: 500 } })))
  })

  it("keeps the rest of the query", () => {
    assert.strictEqual(
      setLimit("https://cpo.example/l?offset=2&limit=20", 5),
      "https://cpo.example/l?offset=2&limit=5"
    )
  })
})

describe("the follow-ups of a run", () => {
  const busy = (seconds: number) => answered("GET", 429, { "retry-after": `${seconds}` })

  it("are one of each kind for a request", () => {
    const { next } = makeFollowUps()()
    assert.deepStrictEqual(next(busy(1)), { why: "busy", millis: 1000 })
    assert.isUndefined(next(busy(1)))
    assert.deepStrictEqual(next(answered("GET", 307, { location: slashed })), {
      why: "slash",
      endSlash: "with"
    })
  })

  it("wait for ten seconds in all where no answer says how long", () => {
    const ofRequest = makeFollowUps()
    const unasked = Array.from({ length: 7 }, () => ofRequest().next(answered("POST", 429, {})))
    assert.lengthOf(
      unasked.filter((wait) => wait !== undefined),
      5
    )
    assert.deepStrictEqual(ofRequest().next(busy(1)), { why: "busy", millis: 1000 })
  })

  it("wait for a minute in all", () => {
    const ofRequest = makeFollowUps()
    const waits = Array.from({ length: 8 }, () => ofRequest().next(busy(10)))
    assert.lengthOf(
      waits.filter((wait) => wait !== undefined),
      6
    )
  })
})
