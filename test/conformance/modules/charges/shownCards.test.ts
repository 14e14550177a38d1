/** Cards of ours that are to be shown at a CPO while the run listens, when they are not. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exchangeIn } from "../../../../schema/LedgerEvent.ts"
import { gradedQuickly } from "../../../support/parties/quickWorld.ts"

const checks = ["TOK-120", "TOK-121", "TOK-123", "TOK-125", "TOK-126", "TOK-124"]

describe("cards that are shown at a CPO", () => {
  it.live("are named when nobody shows them", () =>
    Effect.map(
      gradedQuickly({ version: "2.2.1", role: "CPO", checks, listenSeconds: 30 }),
      ({ assertions }) => {
        for (const { outcome, reason } of assertions) {
          assert.strictEqual(outcome, "unobservable")
          assert.match(reason ?? "", /show/)
        }
      }
    )
  )

  it.live("are not sent to a partner when the run does not listen", () =>
    Effect.map(gradedQuickly({ version: "2.2.1", role: "CPO", checks }), ({ assertions, events }) => {
      assert.isTrue(assertions.every(({ outcome }) => outcome === "unobservable"))
      assert.isFalse(events.some((event) => exchangeIn(event)?.operation === "PUT token"))
    })
  )
})
