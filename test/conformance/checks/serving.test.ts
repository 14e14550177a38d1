import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { notedBy } from "../../../src/conformance/grade.ts"
import { allChecks } from "../../../src/conformance/suites.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedAt } from "../sandboxPartner.ts"

/** The checks of lists, whatever stands in them, and of the form of what is asked and answered. */
const mine = allChecks.filter(
  ({ id, mode, module }) =>
    mode === "RO" &&
    id !== "PAGE-028" &&
    (module === "paging" || id === "VERS-015" || /^TRANS-0(2[0-9]|3|4)/.test(id))
)

describe("how a partner serves", () => {
  const honest = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))
  it.effect.each(honest)("is all right at the honest $role in $version", ({ role, version }) =>
    Effect.gen(function* () {
      const checks = mine.filter(({ roles, versions }) => roles.includes(role) && versions.includes(version))
      const assertions = yield* gradedAt({ role, version }, checks)
      const poor = assertions.filter(
        ({ outcome }) => !["passed", "unobservable", "not_applicable"].includes(outcome)
      )
      assert.deepStrictEqual(
        poor.map(({ id, message, outcome, reason }) => ({ id, outcome, why: message ?? reason })),
        []
      )
    })
  )

  const proofs = faultLibrary.flatMap((fault) =>
    fault.caughtBy.flatMap((id) => {
      const check = mine.find((one) => one.id === id)
      const role = fault.roles.find((one) => check?.roles.includes(one))
      return check === undefined || role === undefined || fault.behaviour.reply === undefined
        ? []
        : fault.versions
            .filter((version) => check.versions.includes(version))
            .map((version) => ({ fault: fault.id, check, id, role, version }))
    })
  )
  it.effect.each(proofs)("$id catches $fault in $version", ({ check, fault, role, version }) =>
    Effect.map(gradedAt({ role, version, faults: [fault] }, [check]), ([assertion]) =>
      assert.isTrue(
        assertion?.outcome === "failed" ||
          assertion?.outcome === "warned" ||
          assertion?.message?.startsWith(notedBy),
        JSON.stringify(assertion)
      )
    )
  )
})
