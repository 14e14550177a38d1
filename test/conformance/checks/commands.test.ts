/** Commands and charging profiles at a sandbox CPO: what it does right in every version, and each fault that is caught. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/suites.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedQuickly } from "../quickWorld.ts"

const modules = ["commands", "chargingprofiles"]
const mine = allChecks.filter(({ module, roles }) => modules.includes(module) && roles.includes("CPO"))

const proofs = faultLibrary.flatMap((fault) =>
  fault.versions.flatMap((version) => {
    const checks = mine
      .filter(({ id, versions }) => fault.caughtBy.includes(id) && versions.includes(version))
      .map(({ id }) => id)
    return checks.length === 0 ? [] : [{ fault: fault.id, version, checks }]
  })
)

describe("commands at a CPO", () => {
  it.live.each(versionNumbers)("are all right at the honest one in %s", (version) =>
    Effect.map(gradedQuickly({ version, role: "CPO", modules }), ({ assertions, events }) => {
      const poor = assertions.filter(
        ({ outcome }) => !["passed", "unobservable", "not_applicable"].includes(outcome)
      )
      assert.deepStrictEqual(
        poor.map(({ id, message, outcome, reason }) => ({ id, outcome, why: message ?? reason })),
        []
      )
      assert.notProperty(events.at(-1)?.data ?? {}, "leftBehind")
    })
  )

  it.live.each(proofs)("$checks catch $fault in $version", ({ checks, fault, version }) =>
    Effect.map(gradedQuickly({ version, role: "CPO", faults: [fault], checks }), ({ assertions }) => {
      for (const { id, outcome, ...rest } of assertions)
        assert.include(["failed", "warned"], outcome, `${id}: ${JSON.stringify(rest)}`)
    })
  )
})
