/** Plans of conformance runs as earlier releases stored them, and as this one does. */
import { Either, Schema } from "effect"
import { assert, describe, it } from "vitest"
import { decodeSuitePlan, SuitePlan } from "../../../schema/ledger/SuitePlan.ts"

const selection = { stages: ["versions"], checks: ["VERS-001"] }

describe("the plan of a conformance run", () => {
  it("may be without what an earlier release did not store", () => {
    assert.deepStrictEqual(Either.getOrThrow(decodeSuitePlan(selection)), selection)
  })

  it("may have what a later release stores", () => {
    assert.isTrue(Either.isRight(decodeSuitePlan({ ...selection, region: "north" })))
  })

  it("is refused where it says what this release does not know, and is taken for nothing else", () => {
    for (const wrong of [
      { profile: "harsh" },
      { environment: "moon" },
      { checks: "all" },
      { needs: ["luck"] }
    ])
      assert.isTrue(Either.isLeft(decodeSuitePlan({ ...selection, ...wrong })), JSON.stringify(wrong))
  })

  it("is read in parts, whatever the others are", () => {
    assert.deepStrictEqual(
      Schema.decodeUnknownSync(SuitePlan.pick("profile"))({ profile: "strict", checks: "all" }),
      {
        profile: "strict"
      }
    )
    assert.throws(() => Schema.decodeUnknownSync(SuitePlan.pick("stages"))({ profile: "strict" }))
  })
})
