/** An EMSP that is told sessions and CDRs: the honest one passes in every version, each fault is caught by its check. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/suites.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedQuickly } from "../quickWorld.ts"

const mine = allChecks.filter(
  ({ mode, module, roles }) =>
    mode === "MUT" && roles.includes("EMSP") && (module === "sessions" || module === "cdrs")
)

/** Who takes nothing new, or shows everything wrong, breaks more than one rule. */
const wide: ReadonlySet<string> = new Set(["sessions.new-refused", "cdrs.new-refused"])

describe("an EMSP that is told of charges", () => {
  it.live.each(versionNumbers)("is all right when it is honest, in %s", (version) =>
    Effect.gen(function* () {
      const checks = mine.filter(({ versions }) => versions.includes(version)).map(({ id }) => id)
      const { assertions } = yield* gradedQuickly({ version, role: "EMSP", checks })
      assert.deepStrictEqual(assertions.map(({ id }) => id).toSorted(), checks.toSorted())
      assert.deepStrictEqual(
        assertions
          .filter(({ outcome }) => outcome !== "passed")
          .map(({ id, message, outcome, reason }) => ({ id, outcome, why: message ?? reason })),
        []
      )
    })
  )

  const proofs = faultLibrary.flatMap(({ caughtBy, id, versions }) =>
    caughtBy
      .filter((check) => mine.some((one) => one.id === check))
      .flatMap((check) =>
        versions
          .filter((version) => mine.some((one) => one.id === check && one.versions.includes(version)))
          .map((version) => ({ fault: id, check, version }))
      )
  )
  it.live.each(proofs)("$check, and no other, catches $fault in $version", ({ check, fault, version }) =>
    Effect.gen(function* () {
      const checks = mine.filter(({ versions }) => versions.includes(version)).map(({ id }) => id)
      const { assertions } = yield* gradedQuickly({ version, role: "EMSP", checks, faults: [fault] })
      const caught = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
      // A whole charge goes wrong with any of its parts.
      const ids = caught.map(({ id }) => id).filter((id) => id === check || !id.startsWith("JRN-"))
      if (check.startsWith("JRN-") || wide.has(fault)) assert.include(ids, check)
      else assert.deepStrictEqual(ids, [check], JSON.stringify(caught))
    })
  )
})
