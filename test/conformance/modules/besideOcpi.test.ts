/** URLs that no partner announces: what answers there is no message of OCPI, so the rules of OCPI's answers are not about it. */
import { assert, describe, it } from "vitest"
import type { Exchange } from "../../../schema/Exchange.ts"
import { suiteById } from "../../../src/conformance/catalogue/suites.ts"
import { grade } from "../../../src/conformance/grading/grade.ts"
import type { Observation } from "../../../src/conformance/model/Evidence.ts"
import { answered, evidenceFrom } from "../support/handmade.ts"

/** A router that knows no such route, as Go's: plain text, without the message ids. */
const notFound = (change: Partial<Exchange>, about = ""): Observation => ({
  ...answered("sessions", undefined, {
    response: {
      httpStatus: 404,
      ocpiStatusCode: null,
      headers: { "content-type": "text/plain; charset=utf-8" },
      body: "404 page not found\n",
      truncated: false
    },
    ...change
  }),
  json: undefined,
  about
})

const outcomes = (suite: string, seen: Observation, ids = ["TRANS-011", "TRANS-027"]) => {
  const { checks, scope } = suiteById(suite)!
  return ids.map((id) => {
    const check = checks.find((one) => one.id === id)!
    const others = check.needs(scope).map((probe) => [probe, []])
    const evidence = evidenceFrom({
      ...Object.fromEntries(others),
      "transport.answers": [seen],
      "authentication.refused": [seen]
    })
    return grade(check, evidence, { scope, profile: "strict", checks }).outcome
  })
}

describe("an answer at a URL that is none of OCPI", () => {
  for (const operation of ["list, with trailing slash", "list, without trailing slash", "unknown path"])
    it(`need not have the form of OCPI: ${operation}`, () => {
      assert.notIncludeMembers(outcomes("ocpi-2.2.1-cpo-full", notFound({ operation })), ["failed", "warned"])
    })

  it("need not have it where a second EMSP is registered with another installation of the partner", () => {
    const seen = notFound({ operation: "GET sessions, by the second EMSP" })
    assert.notIncludeMembers(outcomes("ocpi-2.2.1-cpo-full", seen), ["failed", "warned"])
    const told = { ...seen, json: { status_code: 2001, timestamp: "2026-06-01T12:00:00Z" } }
    assert.deepStrictEqual(outcomes("ocpi-2.2.1-cpo-full", told, ["TRANS-027"]), ["failed"])
  })

  it("need not have it below a session either", () => {
    const seen = notFound({ operation: "PATCH session" }, "an address below a session")
    assert.notIncludeMembers(outcomes("ocpi-2.2.1-emsp-full", seen), ["failed", "warned"])
  })

  it("need not have it where the details of a version are asked for that does not exist", () => {
    const seen = notFound({ operation: "details", module: "versions" }, "9.9.9")
    assert.notIncludeMembers(outcomes("ocpi-2.2.1-cpo-full", seen), ["failed", "warned"])
  })

  it("need not have it where a CDR is asked for below the endpoint, nor ask for a token: its URL is the EMSP's choice", () => {
    const all = ["TRANS-011", "TRANS-027", "CRED-049"]
    const seen = notFound({ operation: "unknown object", module: "cdrs" })
    assert.notIncludeMembers(outcomes("ocpi-2.2.1-emsp-full", seen, all), ["failed", "warned"])
    const told = { ...seen, json: { status_code: 2001, timestamp: "2026-06-01T12:00:00Z" } }
    assert.deepStrictEqual(outcomes("ocpi-2.2.1-emsp-full", told, ["TRANS-027", "CRED-049"]), [
      "failed",
      "failed"
    ])
  })

  it("is judged where the partner announces the URL, whatever the method", () => {
    const seen = notFound({ operation: "a method that the module does not have" })
    assert.deepStrictEqual(outcomes("ocpi-2.2.1-cpo-full", seen), ["warned", "failed"])
  })
})
