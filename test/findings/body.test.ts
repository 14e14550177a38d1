import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import {
  bodyMatches,
  dataMatches,
  dataOf,
  itemsMatch,
  jsonOf,
  requestJsonOf,
  requestMatches
} from "../../src/findings/body.ts"
import { answered, answeredData, inbound, unanswered } from "./support/exchanges.ts"

const Thing = Schema.Struct({ id: Schema.String })

describe("reading", () => {
  it("gives the JSON of the answer, and its data", () => {
    assert.deepStrictEqual(dataOf(answeredData([1])), [1])
    assert.deepStrictEqual(jsonOf(answered({ body: "[1]" })), [1])
  })

  it("gives nothing where there is no JSON", () => {
    for (const exchange of [
      unanswered,
      answered({}),
      answered({ body: "<html>" }),
      answered({ body: "{", truncated: true })
    ]) {
      assert.isUndefined(jsonOf(exchange))
      assert.isUndefined(dataOf(exchange))
    }
  })

  it("gives the JSON of a call that came in", () => {
    assert.deepStrictEqual(requestJsonOf(inbound({ id: "1" })), { id: "1" })
  })
})

describe("matching", () => {
  it("is fine with what fits", () => {
    assert.isUndefined(bodyMatches(Thing)(answered({ body: { id: "1" } })))
    assert.isUndefined(dataMatches(Thing)(answeredData({ id: "1" })))
    assert.isUndefined(itemsMatch(Thing)(answeredData([{ id: "1" }, { id: "2" }])))
    assert.isUndefined(requestMatches(Thing)(inbound({ id: "1" })))
  })

  it("points into the whole body", () => {
    assert.strictEqual(dataMatches(Thing)(answeredData({}))?.pointer, "/data/id")
    assert.strictEqual(itemsMatch(Thing)(answeredData([{ id: "1" }, {}]))?.pointer, "/data/1/id")
    assert.strictEqual(requestMatches(Thing)(inbound({}))?.pointer, "/id")
  })

  it("says how many more there are", () => {
    assert.strictEqual(
      itemsMatch(Thing)(answeredData([{}, {}, {}]))?.message,
      "data[0].id is missing (and 2 more)"
    )
  })

  it("tells missing data from data of the wrong kind", () => {
    assert.strictEqual(itemsMatch(Thing)(answered({ body: {} }))?.message, "data is missing")
    assert.strictEqual(itemsMatch(Thing)(answeredData({}))?.message, "data is not a list")
  })

  it("tells no body, no JSON and a body that we cut apart", () => {
    const message = (exchange: Parameters<typeof jsonOf>[0]) => bodyMatches(Thing)(exchange)?.message
    assert.strictEqual(message(answered({})), "there is no body")
    assert.strictEqual(message(answered({ body: "<html>" })), "the body is not JSON")
    assert.include(message(answered({ body: "{", truncated: true })), "too large to be kept whole")
    assert.include(message(unanswered), "no answer: timed_out")
  })
})
