/** A CPO that is told a driver's wishes, in a session that the run itself begins. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { preferencesChecks } from "../../../src/conformance/checks/preferences.ts"
import { preferencesFaults } from "../../../src/sandbox/faults/preferences.ts"
import { gradedQuickly } from "../quickWorld.ts"

const checks = preferencesChecks.map(({ id }) => id)
const [{ versions } = { versions: [] }] = preferencesChecks

describe("a CPO that is told a driver's wishes", () => {
  it.live.each(versions)("is all right when it is honest, in %s", (version) =>
    Effect.gen(function* () {
      const { assertions } = yield* gradedQuickly({ version, role: "CPO", checks })
      assert.deepStrictEqual(
        assertions.map(({ id, message, outcome, reason }) => [id, outcome, message ?? reason]),
        checks.map((id) => [id, "passed", undefined])
      )
    })
  )

  const proofs = preferencesFaults.flatMap(({ caughtBy, id }) =>
    versions.map((version) => ({ fault: id, caughtBy, version }))
  )
  it.live.each(proofs)("is seen through with the fault $fault in $version", ({ caughtBy, fault, version }) =>
    Effect.gen(function* () {
      const { assertions } = yield* gradedQuickly({ version, role: "CPO", checks, faults: [fault] })
      const caught = assertions.filter(({ outcome }) => outcome !== "passed").map(({ id }) => id)
      assert.deepStrictEqual(caught, [...caughtBy])
    })
  )
})
