/** The status codes that say success: the range 1xxx (status_codes, 1xxx: Success). */
import { assert, describe, it } from "vitest"
import { alarms, gradedOverHttp } from "../support/overHttp.ts"

describe("the status codes of success", () => {
  const checks = [
    "VERS-001",
    "TAR-001",
    "LOC-001",
    "TOK-101",
    "TRANS-012",
    "TRANS-017",
    "TRANS-035",
    "TRANS-055"
  ]

  it.each([1000, 1001, 1500])("have %i among them", async (statusCode) => {
    const { assertions } = await gradedOverHttp(checks, { statusCode })
    assert.deepStrictEqual(alarms(assertions), [])
    assert.isTrue(assertions.every(({ outcome }) => outcome !== "not_tested"))
  })

  it("have 19xx among them, which only custom modules may use", async () => {
    const { assertions } = await gradedOverHttp(checks, { statusCode: 1901 })
    assert.deepStrictEqual(
      alarms(assertions).map((one) => one.split(":")[0]),
      ["TRANS-017 failed"]
    )
  })
})
