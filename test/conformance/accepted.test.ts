import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import type { Assertion } from "../../schema/Assertion.ts"
import { AcceptedDeviation } from "../../schema/Suite.ts"
import { inLightOf } from "../../src/conformance/grading/accepted.ts"

const now = "2026-06-01T12:00:00.000Z"
const graded = (outcome: Assertion["outcome"], change: Partial<Assertion> = {}): Assertion => ({
  id: "LOC-006",
  title: "A rule",
  outcome,
  strength: "must",
  reference: "mod_locations",
  ...change
})
const agreed = (expires = "2026-12-31"): AcceptedDeviation => ({
  checkId: "LOC-006",
  reason: "our ERP has two letters",
  owner: "Ada",
  expires
})

describe("an accepted deviation", () => {
  it("is a warning that says who accepted it, why, and what it would be otherwise", () => {
    const { message, outcome } = inLightOf(graded("failed", { message: "country is NL" }), agreed(), now)
    assert.strictEqual(outcome, "warned")
    assert.strictEqual(
      message,
      "accepted by Ada until 2026-12-31 (our ERP has two letters), otherwise failed: country is NL"
    )
  })

  it("counts in full once it has expired, and says so", () => {
    const { message, outcome } = inLightOf(graded("failed", { message: "wrong" }), agreed("2026-05-31"), now)
    assert.deepStrictEqual(
      [outcome, message],
      ["failed", "the acceptance by Ada ended with 2026-05-31: wrong"]
    )
  })

  it("lasts until the end of its day, or until its instant", () => {
    const outcomes = ["2026-06-01", "2026-06-01T12:00:01Z", "2026-06-01T11:59:59Z"].map(
      (expires) => inLightOf(graded("failed"), agreed(expires), now).outcome
    )
    assert.deepStrictEqual(outcomes, ["warned", "warned", "failed"])
  })

  it("is a warning in the strict profile when it no longer happens", () => {
    assert.strictEqual(inLightOf(graded("passed"), agreed(), now, "strict").outcome, "warned")
  })

  it("is reported when it no longer happens", () => {
    const { message, outcome } = inLightOf(graded("passed"), agreed(), now)
    assert.deepStrictEqual(
      [outcome, message],
      ["passed", "the accepted deviation no longer happens; it can be taken back"]
    )
  })

  it("still happens where it was found, though it is no more than noted", () => {
    const found = graded("passed", { strength: "may", message: "noted: the raw token is refused" })
    assert.strictEqual(inLightOf(found, agreed(), now), found)
  })

  it("changes nothing about what was not graded, or not agreed", () => {
    for (const outcome of ["unobservable", "not_tested", "not_applicable", "error"] as const)
      assert.deepStrictEqual(inLightOf(graded(outcome), agreed(), now), graded(outcome))
    assert.deepStrictEqual(inLightOf(graded("failed"), undefined, now), graded("failed"))
  })

  it("needs a reason, an owner and a day that there is", () => {
    const isValid = (change: object) =>
      Either.isRight(Schema.decodeUnknownEither(AcceptedDeviation)({ ...agreed(), ...change }))
    assert.isTrue(isValid({}))
    assert.isTrue(isValid({ expires: "2026-12-31T10:00:00Z" }))
    for (const wrong of [
      { expires: "soon" },
      { expires: "2026-13-01" },
      { expires: "2026-12-31T10:00:00+02:00" },
      { owner: " " },
      { reason: "" }
    ])
      assert.isFalse(isValid(wrong), JSON.stringify(wrong))
  })
})
