import { assert, describe, it } from "vitest"
import { harOf } from "../../src/reports/har.ts"
import { document, hostile } from "../support/documents.ts"

describe("harOf", () => {
  const { log } = JSON.parse(harOf(document))

  it("has every exchange, each on the page of its stage", () => {
    assert.strictEqual(log.version, "1.2")
    assert.deepStrictEqual(
      log.entries.map((entry: any) => [entry._id, entry.pageref]),
      [
        ["exc_0", "versions"],
        ["exc_1", "locations"],
        ["exc_2", "locations"],
        ["exc_3", "run"]
      ]
    )
    assert.sameMembers(
      log.pages.map(({ id }: any) => id),
      ["versions", "locations", "run"]
    )
  })

  it("has every field that the format asks for", () => {
    for (const { cache, request, response, startedDateTime, time, timings } of log.entries) {
      assert.isFalse(Number.isNaN(Date.parse(startedDateTime)))
      assert.strictEqual(time, timings.send + timings.wait + timings.receive)
      assert.isObject(cache)
      assert.containsAllKeys(request, ["method", "url", "httpVersion", "cookies", "headers", "queryString"])
      assert.containsAllKeys(request, ["headersSize", "bodySize"])
      assert.containsAllKeys(response, ["status", "statusText", "httpVersion", "cookies", "headers"])
      assert.containsAllKeys(response, ["content", "redirectURL", "headersSize", "bodySize"])
      assert.containsAllKeys(response.content, ["size", "mimeType"])
    }
  })

  it("tells connecting, waiting and receiving apart where they were measured", () => {
    const timed = {
      ...document,
      exchanges: document.exchanges.map(({ exchange, stageId }) => ({
        stageId,
        exchange: { ...exchange, durationMs: 30.3, timings: { connectMs: 10.1, answerMs: 15.1 } }
      }))
    }
    const { timings } = JSON.parse(harOf(timed)).log.entries[0]
    assert.deepInclude(timings, { connect: 10.1, send: 0, wait: 15.1, receive: 5.1 })
    const [entry] = log.entries
    assert.deepInclude(entry.timings, { connect: -1, wait: entry.time, receive: 0 })
  })

  it("takes the query apart and keeps bodies and headers as they came", () => {
    const { request, response } = log.entries[1]
    assert.deepStrictEqual(request.queryString, [
      { name: "offset", value: "0" },
      { name: "limit", value: "10" }
    ])
    assert.deepInclude(response.headers, { name: "x-odd", value: hostile })
    assert.strictEqual(JSON.parse(response.content.text).data[0].name, hostile)
  })

  it("shows an exchange without an answer as one", () => {
    const { _error, _outcome, response } = log.entries[2]
    assert.deepInclude(response, { status: 0, statusText: "timed_out" })
    assert.deepStrictEqual([_outcome, _error], ["timed_out", "timeout: 30 s"])
  })
})
