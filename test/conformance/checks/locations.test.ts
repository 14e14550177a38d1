import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { phaseOf } from "../../../src/conformance/stages.ts"
import { allChecks } from "../../../src/conformance/suites.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedAt } from "../sandboxPartner.ts"

/** The checks of what a CPO serves of its locations. */
const mine = allChecks.filter((check) => check.module === "locations" && phaseOf(check) === "read")
/** They only record what no version forbids. */
const recording = ["LOC-005"]

describe("the locations that a CPO serves", () => {
  it.effect.each(versionNumbers)("are all right at the honest CPO in %s", (version) =>
    Effect.gen(function* () {
      const checks = mine.filter(({ versions }) => versions.includes(version))
      const assertions = yield* gradedAt({ role: "CPO", version }, checks)
      const seen = assertions.map(({ id, message, outcome, reason }) => ({
        id,
        outcome,
        why: message ?? reason
      }))
      assert.deepStrictEqual(
        seen.filter(({ outcome }) => !["passed", "unobservable", "not_applicable"].includes(outcome)),
        []
      )
      // What the honest CPO has none of proves nothing: that is tariffs for several at once, private places, schedules, pictures.
      const silent = ["LOC-020", "LOC-023", "LOC-033", "LOC-038"]
      assert.deepStrictEqual(
        seen.filter(({ id, outcome }) => outcome !== "passed" && !silent.includes(id)),
        []
      )
    })
  )

  const proofs = faultLibrary.flatMap((fault) =>
    fault.caughtBy.flatMap((id) => {
      const check = mine.find((one) => one.id === id)
      return check === undefined || recording.includes(id)
        ? []
        : fault.versions
            .filter((version) => check.versions.includes(version))
            .map((version) => ({ fault, check, id, name: fault.id, version }))
    })
  )
  it.effect.each(proofs)("$id and only it catches $name in $version", ({ fault, id, version }) =>
    Effect.gen(function* () {
      const checks = mine.filter(({ versions }) => versions.includes(version))
      const assertions = yield* gradedAt({ role: "CPO", version, faults: [fault.id] }, checks)
      const caught = assertions.filter(({ outcome }) => ["failed", "warned"].includes(outcome))
      assert.deepStrictEqual(
        caught.map((one) => one.id),
        [id],
        JSON.stringify(caught)
      )
    })
  )
})
