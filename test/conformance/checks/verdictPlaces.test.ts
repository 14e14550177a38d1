/** An EMSP that is asked for a verdict at a place of ours, in every state of the place. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { gradedQuickly } from "../quickWorld.ts"

const checks = ["TOK-027"]
const versions = ["2.2", "2.2.1", "2.3.0"] as const

describe("verdicts at a place that cannot be used", () => {
  it.live.each(versions)("do not depend on it at an honest EMSP in %s", (version) =>
    Effect.map(gradedQuickly({ version, role: "EMSP", checks }), ({ assertions, events }) => {
      assert.deepStrictEqual(
        assertions.map(({ id, outcome }) => `${id} ${outcome}`),
        ["TOK-027 passed"]
      )
      assert.notProperty(events.at(-1)?.data ?? {}, "leftBehind")
    })
  )

  it.live.each(versions)("that do are caught in %s", (version) =>
    Effect.map(
      gradedQuickly({ version, role: "EMSP", checks, faults: ["tokens.judges-by-state"] }),
      ({ assertions: [assertion] }) => assert.strictEqual(assertion?.outcome, "failed")
    )
  )
})
