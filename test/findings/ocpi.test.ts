import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { isEnveloped, ocpiStatus, ocpiStatusWithin } from "../../src/findings/ocpi.ts"
import { answered, answeredData, unanswered } from "./support/exchanges.ts"

const enveloped = isEnveloped(profileOf("2.2.1"))
const timestamp = "2026-01-01T00:00:00Z"

describe("status_code", () => {
  it("is one of those asked for", () => {
    assert.isUndefined(ocpiStatus(1000)(answeredData([])))
    assert.deepInclude(ocpiStatus(2001, 2000)(answeredData([])), {
      message:
        "answered with status_code 1000 (success); expected status_code 2001 (invalid parameters) or 2000 (client error)",
      pointer: "/status_code",
      actual: "1000"
    })
  })

  it("is within a range", () => {
    assert.isUndefined(ocpiStatusWithin(2000, 2999)(answered({ body: { status_code: 2004, timestamp } })))
    assert.isDefined(ocpiStatusWithin(2000, 2999)(answeredData([])))
  })

  it("is told apart from a text that looks like it", () => {
    const flaw = ocpiStatus(1000)(answered({ body: { status_code: "1000", timestamp } }))
    assert.strictEqual(flaw?.actual, '"1000"')
  })

  it("is missing where there is no envelope", () => {
    assert.strictEqual(ocpiStatus(1000)(answered({ body: "<html>" }))?.actual, "nothing")
    assert.include(ocpiStatus(1000)(unanswered)?.message, "no answer")
  })

  it("is read from what the exchange recorded when the body was cut", () => {
    assert.isUndefined(ocpiStatus(1000)(answered({ body: "{", truncated: true, ocpiStatusCode: 1000 })))
  })
})

describe("the envelope", () => {
  it("is fine with a code and a timestamp of the version", () =>
    assert.isUndefined(enveloped(answeredData([]))))

  it("points at what is wrong with it", () => {
    const pointer = (body: unknown) => enveloped(answered({ body }))?.pointer
    assert.strictEqual(pointer({ status_code: 20, timestamp }), "/status_code")
    assert.strictEqual(pointer({ status_code: 1000 }), "/timestamp")
    assert.strictEqual(pointer({ status_code: 1000, timestamp: "yesterday" }), "/timestamp")
    assert.strictEqual(pointer([]), "")
  })

  it("holds the timestamp to the version that is asked about", () => {
    const fraction = answered({ body: { status_code: 1000, timestamp: "2026-01-01T00:00:00.123Z" } })
    assert.isUndefined(enveloped(fraction))
    assert.strictEqual(isEnveloped(profileOf("2.1.1"))(fraction)?.pointer, "/timestamp")
  })
})
