/** What partners do when we fail, are away or serve something broken: honest ones, and each fault caught at it. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { exchangeIn } from "../../../schema/LedgerEvent.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { cutOffFaults } from "../../../src/sandbox/faults/transport/cutOff.ts"
import { gradedQuickly, type Scene } from "../../support/parties/quickWorld.ts"
import { oneOf } from "../../support/sampled.ts"
import { versionsInTurn } from "../../support/versionsInTurn.ts"
import { pushesOn, readsOn } from "../support/calling.ts"

const checks = ["TRANS-056", "TRANS-057", "TRANS-058"]

const honest = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))
const inEachVersion = cutOffFaults.flatMap(({ caughtBy, id, roles, versions }) =>
  caughtBy.flatMap((check) =>
    roles.flatMap((role) => versions.map((version) => ({ check, fault: id, role, version })))
  )
)
const proofs = versionsInTurn(inEachVersion, ({ check, fault, role }) => `${check} ${fault} ${role}`)

/** It pushes now and then; it reads only when a check is about that, for it must catch up by itself. */
const graded = (scene: Scene, check: string) =>
  gradedQuickly({ ...scene, checks: [check], meanwhile: check === "TRANS-058" ? readsOn : pushesOn })

describe("when we misbehave on purpose", () => {
  it.live.each(honest.filter(oneOf(4)))("the honest $role in $version bears it", ({ role, version }) =>
    Effect.forEach(checks, (check) =>
      Effect.map(graded({ version, role }, check), ({ assertions, left }) => {
        assert.deepStrictEqual(
          assertions.map(({ id, message, outcome, reason }) => `${id} ${outcome} ${message ?? reason ?? ""}`),
          [`${check} passed `]
        )
        assert.deepStrictEqual(left.playing, [])
      })
    )
  )

  it.live.each(proofs)("$check catches $fault of a $role in $version", ({ check, fault, role, version }) =>
    Effect.map(graded({ version, role, faults: [fault] }, check), ({ assertions }) =>
      assert.deepStrictEqual(
        assertions.map(({ outcome }) => outcome),
        ["warned"],
        JSON.stringify(assertions)
      )
    )
  )

  it.live.each(checks)("%s is not graded, and nothing is bent, unless it is named", (check) =>
    Effect.map(
      gradedQuickly({ version: "2.2.1", role: "CPO", modules: ["transport"], meanwhile: pushesOn }),
      ({ assertions, events }) => {
        assert.strictEqual(assertions.find(({ id }) => id === check)?.outcome, "not_tested")
        assert.isEmpty(events.filter((event) => exchangeIn(event)?.ourFault !== undefined))
      }
    )
  )

  it.live.each(checks)("%s blames no partner that does not call", (check) =>
    Effect.map(gradedQuickly({ version: "2.2.1", role: "EMSP", checks: [check] }), ({ assertions }) =>
      assert.deepStrictEqual(
        assertions.map(({ outcome }) => outcome),
        ["unobservable"]
      )
    )
  )
})
