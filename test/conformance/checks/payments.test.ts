/** A CPO that hears from payment terminals: the honest one keeps what it is told, each fault is caught by its check. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { paymentsFaults } from "../../../src/sandbox/faults/payments.ts"
import { gradedQuickly } from "../quickWorld.ts"

const graded = (faults: ReadonlyArray<string>) =>
  Effect.map(
    gradedQuickly({ version: "2.3.0", role: "CPO", modules: ["payments"], faults }),
    ({ assertions }) => assertions.map(({ id, outcome }) => `${id} ${outcome}`)
  )

describe("payments at a CPO", () => {
  it.live("are all right at an honest one", () =>
    Effect.map(graded([]), (outcomes) =>
      assert.deepStrictEqual(outcomes, ["PAY-002 passed", "PAY-004 passed"])
    )
  )

  it.live.each(paymentsFaults)("$caughtBy, and no other, catches $id", ({ caughtBy, id }) =>
    Effect.map(graded([id]), (outcomes) =>
      assert.deepStrictEqual(
        outcomes,
        ["PAY-002", "PAY-004"].map((check) => `${check} ${caughtBy.includes(check) ? "failed" : "passed"}`)
      )
    )
  )
})
