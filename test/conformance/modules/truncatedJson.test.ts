/** TRANS-020, and what TOK-023 leaves to it, on single answers. */
import { assert, describe, it } from "vitest"
import { allChecks } from "../../../src/conformance/catalogue/suites.ts"
import type { Evidence } from "../../../src/conformance/model/Evidence.ts"

const checkOf = (id: string) => allChecks.find((check) => check.id === id)!

const judged = (
  module: string,
  method: string,
  httpStatus: number,
  status_code?: number,
  check = checkOf("TRANS-020")
) => {
  const exchange = { id: "exc_1", module, operation: "truncated JSON", request: { method } }
  const seen = {
    exchange,
    response: { httpStatus, headers: {}, body: null },
    json: { status_code },
    about: check.id === "TRANS-020" ? "" : "truncated"
  }
  const evidence = { answered: () => [seen], party: { counterpart: { role: "EMSP" } } }
  return check.judge(evidence as unknown as Evidence).is
}

describe("a body that is no JSON", () => {
  it("may be met by HTTP 404 where the resource has to exist and does not", () => {
    assert.strictEqual(judged("tokens", "POST", 404), "inconclusive")
    assert.strictEqual(judged("chargingprofiles", "PUT", 404), "inconclusive")
  })

  it("may be met by status_code 2004 where the token is unknown: TOK-015 judges its HTTP status", () => {
    assert.strictEqual(judged("tokens", "POST", 200, 2004), "inconclusive")
    assert.strictEqual(judged("tokens", "POST", 200, 2001), "fail")
    assert.strictEqual(judged("cdrs", "POST", 200, 2004), "fail")
  })

  it("is HTTP 400 everywhere else", () => {
    assert.strictEqual(judged("tokens", "POST", 400), "pass")
    assert.strictEqual(judged("tokens", "POST", 422), "fail")
    assert.strictEqual(judged("cdrs", "POST", 404), "fail")
    assert.strictEqual(judged("locations", "PUT", 404), "fail")
  })

  it("is refused by authorize, and whether by HTTP 400 is told once", () => {
    const authorize = checkOf("TOK-023")
    assert.strictEqual(judged("tokens", "POST", 200, 2001, authorize), "pass")
    assert.strictEqual(judged("tokens", "POST", 422, undefined, authorize), "pass")
    assert.strictEqual(judged("tokens", "POST", 200, 3000, authorize), "pass")
    assert.strictEqual(judged("tokens", "POST", 200, 3000), "fail")
    assert.strictEqual(judged("tokens", "POST", 200, 1000, authorize), "fail")
  })
})
