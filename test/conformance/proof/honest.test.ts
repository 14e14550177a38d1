/** The well-behaved partner in every version and role, in the strict profile: nothing failed, nothing warned, no error of ours. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Assertion } from "../../../schema/Assertion.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { phaseOf } from "../../../src/conformance/stages.ts"
import { bothRoles } from "../../../src/sandbox/faults/Fault.ts"
import { gradedQuickly } from "../quickWorld.ts"
import { fullSuite, sceneFor, wholeScenes } from "./scenes.ts"

const honest = versionNumbers.flatMap((version) => bothRoles.map((role) => ({ role, version })))

/** Those that came to something else than they should. */
const odd = (assertions: ReadonlyArray<Assertion>, fine: ReadonlyArray<Assertion["outcome"]>) =>
  assertions
    .filter(({ outcome }) => !fine.includes(outcome))
    .map(({ id, message, outcome, reason }) => `${id} ${outcome}: ${message ?? reason}`)

const fine: ReadonlyArray<Assertion["outcome"]> = ["passed", "unobservable", "not_applicable"]

describe("the honest partner", () => {
  it.live.each(honest)(
    "has kept every rule of the full suite as $role in $version, and was seen in all that it does",
    ({ role, version }) =>
      Effect.gen(function* () {
        const suite = fullSuite(version, role)
        const wanted = (id: string) => suite.find((check) => check.id === id)
        const [calm, ...others] = yield* Effect.forEach(wholeScenes(version, role), gradedQuickly)
        const runs = [calm!, ...others]
        for (const { assertions, events } of runs) {
          assert.strictEqual(assertions.length, suite.length)
          assert.deepStrictEqual(odd(assertions, [...fine, "not_tested"]), [])
          assert.notProperty(events.at(-1)?.data ?? {}, "leftBehind")
        }
        // What risks the registration is only graded when it is named.
        const graded = calm!.assertions.filter(({ id }) => phaseOf(wanted(id)!) !== "risk")
        assert.deepStrictEqual(odd(graded, fine), [])
        const unseen = graded.filter(
          ({ id }) =>
            wanted(id)?.mode === "OBS" &&
            !(id in neverHappens) &&
            !runs.some(({ assertions }) =>
              assertions.some((one) => one.id === id && one.outcome === "passed")
            )
        )
        assert.deepStrictEqual(odd(unseen, []), [])
      }),
    120_000
  )

  it.live.each(honest)("renews its registration as $role in $version", ({ role, version }) =>
    Effect.map(gradedQuickly(sceneFor("renewing", version, role)), ({ assertions }) => {
      assert.isNotEmpty(assertions)
      assert.deepStrictEqual(odd(assertions, ["passed"]), [])
    })
  )

  it.live.each(honest)("ends its registration as $role in $version", ({ role, version }) =>
    Effect.map(gradedQuickly(sceneFor("ending", version, role)), ({ assertions }) => {
      assert.isNotEmpty(assertions)
      assert.deepStrictEqual(odd(assertions, ["passed"]), [])
    })
  )
})

/** What an honest sandbox partner never does, and so cannot be seen doing well. */
const neverHappens: Readonly<Record<string, string>> = {
  "CRED-041": "it was we who registered",
  "CRED-042": "it was we who registered",
  "CRED-044": "it was we who registered",
  "CRED-045": "it was we who registered",
  "LOC-046": "no EVSE goes",
  "TAR-031": "no tariff is deleted",
  "SESS-028": "a session begins as ACTIVE",
  "CMD-037": "no reservation is cancelled by the CPO",
  "CMD-105": "no connector is required",
  "TOK-124": "we deny no card",
  "TRANS-053": "an EMSP changes nothing in part"
}
