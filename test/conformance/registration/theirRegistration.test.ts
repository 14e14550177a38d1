/** A partner that registers with us while a run goes on: what an honest one is seen to do, and each fault caught at it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Schedule } from "effect"
import { isExchangeEvent } from "../../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { Handshake } from "../../../src/party/registration/Handshake.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedQuickly, type Happening } from "../../support/parties/quickWorld.ts"
import { versionsInTurn } from "../../support/versionsInTurn.ts"

const theirs = ["CRED-041", "CRED-042", "CRED-043", "CRED-044", "CRED-045", "CRED-046"]

const honest = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))

const inEachVersion = faultLibrary
  .filter(({ caughtBy }) => caughtBy.some((id) => theirs.includes(id)))
  .flatMap(({ caughtBy, id, roles, versions }) =>
    roles.flatMap((role) =>
      versions.map((version) => ({
        fault: id,
        role,
        version,
        checks: caughtBy.filter((one) => theirs.includes(one))
      }))
    )
  )
const proofs = versionsInTurn(inEachVersion, ({ fault, role }) => `${fault} ${role}`)

/** Tries until it is registered, as a person who watches the run does. */
const itsTurn: Happening = ({ partner }) =>
  Effect.flatMap(Handshake, (handshake) => handshake.run(partner.id)).pipe(
    Effect.delay("5 seconds"),
    Effect.repeat({ until: ({ ok }) => ok, schedule: Schedule.spaced("20 seconds") })
  )

const graded = (version: OcpiVersion, role: Role, faults: ReadonlyArray<string> = []) =>
  gradedQuickly({ version, role, faults, invited: true, activity: "catalogue", meanwhile: itsTurn })

describe("a run in which the partner registers", () => {
  it.live.each(honest)("sees the honest $role in $version do all of it", ({ role, version }) =>
    Effect.map(graded(version, role), ({ assertions, left }) => {
      for (const { id, message, outcome, reason } of assertions)
        assert.strictEqual(
          outcome,
          theirs.includes(id) ? "passed" : "not_applicable",
          `${id}: ${message ?? reason}`
        )
      assert.strictEqual(left.registration, "registered")
      assert.deepStrictEqual(left.playing, [])
    })
  )

  it.live.each(proofs)(
    "$checks alone catch $fault of a $role in $version",
    ({ checks, fault, role, version }) =>
      Effect.map(graded(version, role, [fault]), ({ assertions }) => {
        const alarms = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
        assert.deepStrictEqual(
          alarms
            .map(({ id, message }) => `${id}: ${message}`)
            .filter((one) => !checks.includes(one.slice(0, 8))),
          []
        )
        assert.deepStrictEqual(
          alarms.map(({ id }) => id),
          checks,
          JSON.stringify(assertions.filter(({ id }) => checks.includes(id)))
        )
      })
  )

  it.live("has us list all that we have again afterwards, and our versions alone to who is invited", () =>
    Effect.map(graded("2.2.1", "CPO"), ({ events }) => {
      const bent = events.filter(isExchangeEvent).flatMap(({ exchange }) => exchange.ourFault?.fault ?? [])
      assert.includeMembers([...new Set(bent)], ["credentials-only", "older-versions"])
    })
  )
})
