/** What the rules of journeys say of an object that does not fit. */
import { assert, describe, it } from "@effect/vitest"
import type { Exchange } from "../../schema/Exchange.ts"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { misfit, notAnsweredWith } from "../../src/journeys/model/rulings.ts"

describe("an object without a required field", () => {
  it("is compared with the object of the version", () => {
    const flaw = misfit(profileOf("2.2.1"), "CommandResponse", { result: "ACCEPTED" })
    assert.strictEqual(flaw?.message, "timeout is missing")
    assert.strictEqual(
      flaw?.hint,
      "Compare the CommandResponse with its object in OCPI 2.2.1, field by field."
    )
  })
})

describe("an answer of HTTP 200 without an envelope", () => {
  it("is said to lack a status_code once", () => {
    const answer = {
      operation: "PUT session",
      module: "sessions",
      request: { method: "PUT", url: "https://emsp.example/sessions", headers: {}, body: null },
      response: { httpStatus: 200, ocpiStatusCode: null, headers: {}, body: "{}", truncated: false }
    } as unknown as Exchange // as much of it as is looked at
    assert.match(
      notAnsweredWith(answer, [200])?.message ?? "",
      /was answered HTTP 200 without a status_code$/
    )
  })
})
