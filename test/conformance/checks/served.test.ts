import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/suites.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedAt } from "../sandboxPartner.ts"

/** The checks of what a partner serves of charges, prices and tokens, and two that want an encrypted line. */
const mine = allChecks.filter(
  ({ id, mode, module }) =>
    (mode === "RO" && ["sessions", "cdrs", "tariffs", "tokens"].includes(module)) ||
    ["TRANS-009", "TRANS-010"].includes(id)
)

describe("what a partner serves", () => {
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
      assert.include(["failed", "warned"], assertion?.outcome, JSON.stringify(assertion))
    )
  )
})
