import { assert, describe, it } from "@effect/vitest"
import { allOf, anyOf } from "../../src/findings/combine.ts"
import {
  answersWith,
  answersWithin,
  headerEchoed,
  headerMatches,
  headerPresent,
  isAnswered,
  jsonContentType
} from "../../src/findings/http.ts"
import { answered, unanswered, withHeaders } from "./support/exchanges.ts"

describe("status", () => {
  it("is one of those asked for", () => {
    assert.isUndefined(answersWith(200, 201)(answered({ httpStatus: 201 })))
    assert.deepInclude(answersWith(200, 201)(answered({ httpStatus: 404 })), {
      expected: "HTTP 200 or 201",
      actual: "HTTP 404"
    })
  })

  it("is within a range, both ends included", () => {
    const verdicts = [199, 200, 299, 300].map(
      (httpStatus) => answersWithin(200, 299)(answered({ httpStatus })) === undefined
    )
    assert.deepStrictEqual(verdicts, [false, true, true, false])
  })
})

describe("an exchange without an answer", () => {
  it("has the same flaw whatever is asked", () => {
    for (const finding of [
      isAnswered,
      answersWith(200),
      headerPresent("Date"),
      jsonContentType,
      headerEchoed("X-Request-ID")
    ]) {
      assert.strictEqual(
        finding(unanswered)?.message,
        "no answer: timed_out (timeout: no answer within 30 seconds)"
      )
    }
  })
})

describe("headers", () => {
  it("are found under their name in any case", () => {
    assert.isUndefined(headerPresent("X-Total-Count")(withHeaders({ "x-total-count": "0" })))
    assert.strictEqual(
      headerPresent("X-Total-Count")(withHeaders({}))?.message,
      "the header X-Total-Count is missing"
    )
  })

  it("have a form, asked for any number of times", () => {
    const isCount = headerMatches("X-Limit", /^\d+$/g, "50")
    const verdicts = ["50", "50", "many"].map((value) => isCount(withHeaders({ "x-limit": value }))?.actual)
    assert.deepStrictEqual(verdicts, [undefined, undefined, "many"])
  })

  it("repeat what was sent", () => {
    assert.isUndefined(headerEchoed("X-Request-ID")(withHeaders({ "x-request-id": "r-1" })))
    assert.deepInclude(headerEchoed("X-Request-ID")(withHeaders({ "x-request-id": "r-2" })), {
      expected: "r-1",
      actual: "r-2"
    })
    assert.isUndefined(headerEchoed("X-Not-Sent")(withHeaders({})))
  })

  it("say JSON with or without parameters", () => {
    const fine = (type: string) => jsonContentType(withHeaders({ "content-type": type })) === undefined
    assert.deepStrictEqual(
      ["application/json", "Application/JSON; charset=utf-8", "application/jsonp", "text/html"].map(fine),
      [true, true, false, false]
    )
  })
})

describe("combining", () => {
  const created = answered({ httpStatus: 201 })

  it("all: stops at the first flaw", () => {
    assert.isUndefined(allOf(isAnswered, answersWith(201))(created))
    assert.strictEqual(allOf(isAnswered, answersWith(200), answersWith(404))(created)?.expected, "HTTP 200")
  })

  it("any: is fine when one is, else tells what all of them miss", () => {
    assert.isUndefined(anyOf(answersWith(200), answersWith(201))(created))
    const message = anyOf(answersWith(200), answersWith(404))(created)?.message
    assert.strictEqual(
      message,
      "answered with HTTP 201; expected HTTP 200; or: answered with HTTP 201; expected HTTP 404"
    )
  })
})
