/** What partners do after the registration was renewed or ended: honest ones, and each fault caught at it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedQuickly } from "../../support/parties/quickWorld.ts"
import { versionsInTurn } from "../../support/versionsInTurn.ts"
import { pushesOn } from "../support/calling.ts"

const renewing = ["CRED-016", "CRED-031", "CRED-032", "CRED-033", "CRED-037"]

const honest = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))

const inEachVersion = faultLibrary.flatMap(({ caughtBy, id, roles, versions }) =>
  caughtBy
    .filter((check) => renewing.includes(check))
    .flatMap((check) =>
      roles.flatMap((role) => versions.map((version) => ({ check, fault: id, role, version })))
    )
)
const proofs = versionsInTurn(inEachVersion, ({ check, fault, role }) => `${check} ${fault} ${role}`)

const graded = (
  version: OcpiVersion,
  role: Role,
  checks: ReadonlyArray<string>,
  faults: ReadonlyArray<string> = []
) => gradedQuickly({ version, role, checks, faults, meanwhile: pushesOn })

describe("after the registration was renewed or ended", () => {
  it.live.each(honest)("the honest $role in $version goes along", ({ role, version }) =>
    Effect.map(graded(version, role, renewing), ({ assertions, left }) => {
      assert.deepStrictEqual(
        assertions.map(({ id, message, outcome, reason }) => `${id} ${outcome} ${message ?? reason ?? ""}`),
        renewing.map((id) => `${id} passed `)
      )
      assert.strictEqual(left.version, version)
      assert.deepStrictEqual(left.playing, [])
    })
  )

  it.live.each(proofs)("$check catches $fault of a $role in $version", ({ check, fault, role, version }) =>
    Effect.map(graded(version, role, [check], [fault]), ({ assertions }) => {
      assert.deepStrictEqual(
        assertions.map(({ outcome }) => outcome),
        ["failed"],
        JSON.stringify(assertions)
      )
    })
  )

  it.live("a partner that does not call cannot be observed, and is not blamed", () =>
    Effect.map(
      gradedQuickly({ version: "2.2.1", role: "CPO", checks: ["CRED-031", "CRED-032"] }),
      ({ assertions }) =>
        assert.deepStrictEqual(
          assertions.map(({ outcome }) => outcome),
          ["unobservable", "unobservable"]
        )
    )
  )
})
