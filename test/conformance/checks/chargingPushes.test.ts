/** A CPO that tells us of the charge that the run begins: the honest one passes, each fault is caught by its check. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { cdrPushesChecks } from "../../../src/conformance/checks/cdrPushes.ts"
import { chargeStoryChecks } from "../../../src/conformance/checks/chargeStory.ts"
import { sessionPushesChecks } from "../../../src/conformance/checks/sessionPushes.ts"
import { faultLibrary } from "../../../src/sandbox/faults/faultLibrary.ts"
import { gradedQuickly } from "../quickWorld.ts"

const mine = [...sessionPushesChecks, ...cdrPushesChecks, ...chargeStoryChecks]
/** The first begins and ends a session, the second lets a reservation run out. */
const provoking = ["CMD-020", "CMD-035"]

const graded = (version: (typeof versionNumbers)[number], faults: ReadonlyArray<string>) =>
  Effect.map(
    gradedQuickly({
      version,
      role: "CPO",
      faults,
      checks: [...mine.filter(({ versions }) => versions.includes(version)).map(({ id }) => id), ...provoking]
    }),
    ({ assertions }) => assertions.filter(({ id }) => !provoking.includes(id))
  )

describe("a CPO that tells of charges", () => {
  it.live.each(versionNumbers)("is all right when it is honest, in %s", (version) =>
    Effect.gen(function* () {
      const assertions = yield* graded(version, [])
      assert.deepStrictEqual(
        assertions
          .filter(({ outcome }) => outcome !== "passed")
          .map(({ id, message, outcome, reason }) => [id, outcome, message ?? reason?.slice(0, 40)]),
        // The sandbox begins its sessions as ACTIVE.
        version === "2.1.1" ? [] : [["SESS-028", "unobservable", "start and stop a charge while the run go"]]
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
  it.live.each(proofs)(
    "is seen through by $check with the fault $fault in $version",
    ({ check, fault, version }) =>
      Effect.gen(function* () {
        const assertions = yield* graded(version, [fault])
        const caught = assertions.filter(({ outcome }) => outcome === "failed" || outcome === "warned")
        assert.include(
          caught.map(({ id }) => id),
          check,
          JSON.stringify(assertions.map(({ id, outcome, reason }) => [id, outcome, reason]))
        )
      })
  )
})
