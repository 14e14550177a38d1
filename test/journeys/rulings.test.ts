/** What the rules of journeys say of an object that does not fit. */
import { assert, describe, it } from "@effect/vitest"
import { profileOf } from "../../schema/ocpi/versions.ts"
import { misfit } from "../../src/journeys/model/rulings.ts"

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
