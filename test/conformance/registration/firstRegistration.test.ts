/** A first registration as a run: what an honest partner refuses and takes, and each fault that is caught at it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { suiteById } from "../../../src/conformance/catalogue/suites.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedQuickly } from "../../support/parties/quickWorld.ts"
import { oneOf } from "../../support/sampled.ts"
import { assertionFlaws } from "../../support/textFlaws.ts"
import { versionsInTurn } from "../../support/versionsInTurn.ts"

const honest = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))

/** About a registration that the partner begins: checks/theirRegistration.test.ts. */
const isTheirs = (id: string) => /^CRED-04[1-6]$/.test(id)

const inEachVersion = faultLibrary.flatMap(({ caughtBy, id, roles, versions }) =>
  roles.flatMap((role) =>
    versions.flatMap((version) => {
      const suite = suiteById(`ocpi-${version}-${role.toLowerCase()}-registration`)
      const checks = caughtBy.filter(
        (one) => !isTheirs(one) && suite?.checks.some((check) => check.id === one)
      )
      return checks.length === 0 ? [] : [{ fault: id, role, version, checks }]
    })
  )
)
/** `npm test` plays every sixth. */
const proofs = versionsInTurn(
  inEachVersion,
  ({ checks, fault, role }) => `${fault} ${role} ${checks}`
).filter(oneOf(6))

describe("a run that registers", () => {
  it.live.each(honest)(
    "finds nothing at the honest $role in $version, and is registered",
    ({ role, version }) =>
      Effect.map(gradedQuickly({ role, version, first: true }), ({ assertions, left }) => {
        assert.isNotEmpty(assertions)
        for (const { id, message, outcome, reason } of assertions)
          assert.strictEqual(outcome, isTheirs(id) ? "unobservable" : "passed", `${id}: ${message ?? reason}`)
        assert.strictEqual(left.registration, "registered")
        assert.isNotEmpty(left.counterpart.endpoints)
        assert.deepStrictEqual(left.playing, [])
      })
  )

  it.live.each(proofs)("$checks catch $fault of a $role in $version", ({ checks, fault, role, version }) =>
    Effect.map(gradedQuickly({ role, version, faults: [fault], first: true }), ({ assertions }) => {
      for (const { id, message, outcome, reason } of assertions)
        if (checks.includes(id))
          assert.include(["failed", "warned"], outcome, `${id}: ${message ?? reason ?? "passed"}`)
      assert.deepStrictEqual(assertions.flatMap(assertionFlaws), [])
    })
  )
})
