/** A refusal is one by status and by body: HTTP 4xx or an error code of OCPI, and nothing beside it that says otherwise. */
import { assert, describe, it } from "@effect/vitest"
import { type AnswerRule, invalidParameters, refused, unauthorized } from "../../src/findings/expectations.ts"
import { contradictionIn, isRefusal } from "../../src/findings/refusals.ts"
import { answered, coded } from "./support/exchanges.ts"

const credentials = { token: "abc", url: "https://partner.example/ocpi/versions", roles: [] }
const refusal = { status_code: 2000, timestamp: "2026-01-01T00:00:00Z" }
const success = { status_code: 1000, data: credentials, timestamp: "2026-01-01T00:00:00Z" }

/** An answer whose body is this text. */
const text = (body: string, httpStatus: number) => answered(undefined, { body, httpStatus })

/** Each finding's strength; `own` where it is that of the check. */
const strengths = (rule: AnswerRule, seen: ReturnType<typeof answered>) =>
  rule(seen).map(({ strength }) => strength ?? "own")

describe("a refusal", () => {
  it("is HTTP 4xx or an error code of OCPI, never HTTP 5xx and never an answer without either", () => {
    const answers = [coded(2001), coded(3000), coded(2000, 400), text("Not Found", 404)]
    assert.deepStrictEqual(answers.map(isRefusal), [true, true, true, true])
    const others = [coded(1000), coded(2001, 500), answered({ error: "bad" }), text("", 204), text("", 302)]
    assert.deepStrictEqual(others.map(isRefusal), [false, false, false, false, false])
  })

  it("is contradicted by a second JSON object in the body that says success", () => {
    const two = `${JSON.stringify(refusal)}\n${JSON.stringify(success)}`
    assert.strictEqual(contradictionIn(text(two, 405)), "its body holds a credentials object")
    assert.strictEqual(
      contradictionIn(text('Method not allowed\n{"status_code":1000,"data":[]}', 405)),
      "its body says success"
    )
    assert.isUndefined(contradictionIn(text("Method { not allowed", 405)))
    assert.isUndefined(contradictionIn(text(JSON.stringify(refusal), 405)))
  })

  it("may quote the request, with the token in it", () => {
    const seen = text(JSON.stringify({ ...refusal, data: credentials }), 422)
    const quoting = {
      ...seen,
      exchange: { ...seen.exchange, request: { ...seen.exchange.request, body: JSON.stringify(credentials) } }
    }
    assert.isUndefined(contradictionIn(quoting))
    assert.isDefined(contradictionIn(seen))
  })
})

describe("the rule that a request is refused", () => {
  const notAllowed = refused("HTTP 405", ({ response }) => response.httpStatus === 405)

  it("is kept in the due form, broken mildly in another, and broken without a refusal", () => {
    assert.deepStrictEqual(strengths(notAllowed, coded(2000, 405)), [])
    assert.deepStrictEqual(strengths(notAllowed, coded(2000)), ["should"])
    assert.deepStrictEqual(strengths(notAllowed, coded(1000)), ["own"])
    assert.deepStrictEqual(strengths(notAllowed, coded(2000, 500)), ["own"])
    assert.deepStrictEqual(strengths(notAllowed, answered({ error: "bad" })), ["own"])
  })

  it("is broken by the right status with a success behind it", () => {
    const [found] = notAllowed(text(`${JSON.stringify(refusal)}${JSON.stringify(success)}`, 405))
    assert.include(found, { actual: "HTTP 405; its body holds a credentials object", expected: "HTTP 405" })
    assert.isUndefined(found?.strength)
    assert.lengthOf(unauthorized(text('Unauthorized\n{"status_code":1000,"data":[]}', 401)), 1)
    assert.deepStrictEqual(unauthorized(text("Unauthorized", 401)), [])
  })

  it("is one for every body that is not valid: a plain HTTP 400 or 422 is mild, a failure of the server is not", () => {
    assert.deepStrictEqual(strengths(invalidParameters, coded(2001)), [])
    assert.deepStrictEqual(strengths(invalidParameters, coded(2000)), ["should"])
    assert.deepStrictEqual(strengths(invalidParameters, text("", 400)), ["should"])
    assert.deepStrictEqual(strengths(invalidParameters, answered({ detail: [] }, { httpStatus: 422 })), [
      "should"
    ])
    assert.deepStrictEqual(strengths(invalidParameters, coded(2001, 500)), ["own"])
    assert.deepStrictEqual(strengths(invalidParameters, coded(3000)), ["own"])
    assert.deepStrictEqual(strengths(invalidParameters, coded(1000, 400)), ["own"])
    assert.deepStrictEqual(strengths(invalidParameters, answered({ error: "bad" })), ["own"])
  })
})
