/** Cards of ours that drivers show at a CPO while the run listens: each whitelist, an invalid card, one that is unknown. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { allChecks } from "../../../src/conformance/suites.ts"
import { shownCardsFaults } from "../../../src/sandbox/faults/shownCards.ts"
import { drivers } from "../proof/speaking.ts"
import { gradedQuickly, type Happening } from "../quickWorld.ts"

const checks = ["TOK-120", "TOK-121", "TOK-123", "TOK-125", "TOK-126", "TOK-124"]

const graded = (version: OcpiVersion, faults: ReadonlyArray<string> = [], meanwhile: Happening = drivers) =>
  gradedQuickly({ version, role: "CPO", checks, faults, meanwhile, listenSeconds: 30 })

describe("cards that are shown at a CPO", () => {
  it.live.each(versionNumbers)("are treated as their whitelist says at an honest one in %s", (version) =>
    Effect.map(graded(version), ({ assertions, events }) => {
      const wanted = allChecks.filter(({ id, versions }) => checks.includes(id) && versions.includes(version))
      assert.strictEqual(assertions.length, wanted.length)
      // We deny none of them.
      for (const { id, message, outcome, reason } of assertions)
        assert.strictEqual(
          outcome,
          id === "TOK-124" ? "unobservable" : "passed",
          `${id}: ${message ?? reason}`
        )
      assert.notProperty(events.at(-1)?.data ?? {}, "leftBehind")
    })
  )

  const proofs = shownCardsFaults.flatMap(({ caughtBy, id, versions }) =>
    versions.map((version) => ({ fault: id, version, caughtBy }))
  )
  it.live.each(proofs)(
    "$caughtBy, and no other, catches $fault in $version",
    ({ caughtBy, fault, version }) =>
      Effect.map(graded(version, [fault]), ({ assertions }) =>
        assert.deepStrictEqual(
          assertions
            .filter(({ outcome }) => outcome === "failed" || outcome === "warned")
            .map(({ id }) => id),
          caughtBy,
          JSON.stringify(assertions)
        )
      )
  )

  it.live("are named when nobody shows them", () =>
    Effect.map(
      graded("2.2.1", [], () => Effect.void),
      ({ assertions }) => {
        for (const { outcome, reason } of assertions) {
          assert.strictEqual(outcome, "unobservable")
          assert.match(reason ?? "", /show/)
        }
      }
    )
  )

  it.live("are not sent to a partner when the run does not listen", () =>
    Effect.map(gradedQuickly({ version: "2.2.1", role: "CPO", checks }), ({ assertions, events }) => {
      assert.isTrue(assertions.every(({ outcome }) => outcome === "unobservable"))
      assert.isFalse(events.some(({ exchange }) => exchange?.operation === "PUT token"))
    })
  )
})
