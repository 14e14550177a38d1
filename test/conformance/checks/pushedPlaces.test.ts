/** A CPO that pushes its locations and tariffs: the honest one passes in every version, each fault is caught by its check. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { OcpiVersion } from "../../../schema/ocpi/OcpiVersion.ts"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { phaseOf } from "../../../src/conformance/stages.ts"
import { allChecks } from "../../../src/conformance/suites.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedQuickly } from "../quickWorld.ts"

const mine = allChecks.filter((check) => phaseOf(check) === "watch" && /^(LOC|TAR)-/.test(check.id))
/** Reads the lists before anything changes. */
const first = ["LOC-001"]

/** A lively partner; long enough for its EVSEs to change, and for that to be settled. */
const graded = (version: OcpiVersion, faults: ReadonlyArray<string> = []) =>
  Effect.map(
    gradedQuickly({
      version,
      role: "CPO",
      faults,
      activity: "lively",
      listenSeconds: 200,
      checks: [...first, ...mine.filter(({ versions }) => versions.includes(version)).map(({ id }) => id)]
    }),
    ({ assertions }) => assertions.filter(({ id }) => !first.includes(id))
  )

describe("a CPO that pushes places and prices", () => {
  it.live.each(versionNumbers)("is all right when it is honest, in %s", (version) =>
    Effect.map(graded(version), (assertions) => {
      assert.isNotEmpty(assertions)
      // No EVSE goes and no tariff is deleted at an honest partner.
      for (const { id, message, outcome, reason } of assertions)
        assert.strictEqual(
          outcome,
          ["LOC-046", "TAR-031"].includes(id) ? "unobservable" : "passed",
          `${id}: ${message ?? reason}`
        )
    })
  )

  const proofs = faultLibrary.flatMap(({ caughtBy, id, versions }) =>
    caughtBy
      .filter((check) => mine.some((one) => one.id === check))
      .flatMap((check) =>
        versions
          .filter((version) => mine.some((one) => one.id === check && one.versions.includes(version)))
          .map((version) => ({ fault: id, check, version }))
      )
  )
  /** A tariff that is deleted has to be gone from the list as well; whose uid is another was not told of. */
  const wide: ReadonlySet<string> = new Set(["tariffs.deleted-while-used", "locations.new-uids"])
  it.live.each(proofs)("$check, and no other, catches $fault in $version", ({ check, fault, version }) =>
    Effect.map(graded(version, [fault]), (assertions) => {
      const caught = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
      const ids = caught.map(({ id }) => id)
      if (wide.has(fault)) assert.include(ids, check)
      else assert.deepStrictEqual(ids, [check], JSON.stringify(caught.length > 0 ? caught : assertions))
    })
  )
})
