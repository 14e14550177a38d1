/** Results that come with the token that the partner issued itself: known as its call, refused, and a finding. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { gradedQuickly } from "../../support/parties/quickWorld.ts"

const run = (version: (typeof versionNumbers)[number], faults: ReadonlyArray<string>) =>
  gradedQuickly({ version, role: "CPO", checks: ["CMD-004", "CMD-006", "CMD-007", "CMD-008"], faults })

describe("results of commands", () => {
  it.live.each(versionNumbers)("come with our token from an honest CPO in %s", (version) =>
    Effect.map(run(version, []), ({ assertions }) =>
      assert.deepStrictEqual([...new Set(assertions.map(({ outcome }) => outcome))], ["passed"])
    )
  )

  it.live.each(versionNumbers)("with the CPO's own token break one rule, in %s", (version) =>
    Effect.map(run(version, ["commands.result-with-own-token"]), ({ assertions, left }) => {
      assert.deepStrictEqual(
        assertions.filter(({ outcome }) => outcome !== "passed").map(({ id, outcome }) => `${id} ${outcome}`),
        ["CMD-008 failed"]
      )
      assert.isTrue(left.dialect.deviations.some((text) => text.includes("the token that it issued itself")))
    })
  )
})
