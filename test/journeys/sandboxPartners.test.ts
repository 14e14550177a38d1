import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { templateById, templates } from "../../src/journeys/catalogue/catalogue.ts"
import { faultsById } from "../../src/sandbox/faults/faultLibrary.ts"
import { oneOf } from "../support/sampled.ts"
import { assertionFlaws, eventFlaws } from "../support/textFlaws.ts"
import { versionsInTurn } from "../support/versionsInTurn.ts"
import { faultyCpos } from "./support/faultyCpos.ts"
import { faultyRegistrants } from "./support/faultyRegistrants.ts"
import { playedQuickly } from "./support/sandboxJourney.ts"

const ours = templates.filter(({ ourRole }) => ourRole === "EMSP")
const faulty = [...faultyCpos, ...faultyRegistrants("CPO")]
/** `npm test` plays every tenth, and every third with an honest one. */
const played = versionsInTurn(faulty, ({ name, templateId }) => `${templateId} ${name}`).filter(oneOf(10))

describe("an honest sandbox CPO", () => {
  const scenes = ours.flatMap(({ id: templateId, supportedVersions }) =>
    supportedVersions.map((version) => ({ templateId, version }))
  )
  for (const { templateId, version } of scenes.filter(oneOf(3))) {
    it.effect(`passes ${templateId} in ${version}`, () =>
      Effect.gen(function* () {
        const { assertions, verdict } = yield* playedQuickly({ templateId, version })
        const notPassed = assertions.filter(
          ({ outcome }) => !["passed", "not_tested", "not_applicable"].includes(outcome)
        )
        assert.deepStrictEqual(notPassed, [])
        assert.strictEqual(verdict, "pass")
      })
    )
  }
})

describe("a faulty sandbox CPO", () => {
  for (const { breaks, name, ...scene } of played) {
    it.effect(
      `that ${name} is caught by ${breaks.join(", ")} of ${scene.templateId} alone, in ${scene.version}`,
      () =>
        Effect.gen(function* () {
          const { assertions, events } = yield* playedQuickly(scene)
          const broken = assertions.filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome))
          assert.deepStrictEqual(broken.map(({ id }) => id).toSorted(), breaks.toSorted())
          assert.deepStrictEqual([...assertions.flatMap(assertionFlaws), ...eventFlaws(events)], [])
          // Where a request of ours is judged, it can be repeated.
          assert.isTrue(
            broken.every(
              ({ curl, exchangeIds, outcome }) =>
                outcome === "error" || exchangeIds === undefined || curl !== undefined
            )
          )
        })
    )
  }

  it("breaks each template in each version in at least two ways", () => {
    const withFaults = new Set(faultyCpos.map(({ templateId }) => templateId))
    for (const { id, supportedVersions } of ours) {
      const scenes = faulty.filter(({ templateId }) => templateId === id)
      assert.isAtLeast(scenes.length, 2, `${id}: test/journeys/support/faultyCpos.ts`)
      if (!withFaults.has(id)) continue
      for (const version of supportedVersions)
        assert.isAtLeast(scenes.filter((scene) => scene.version === version).length, 2, `${id} in ${version}`)
    }
  })

  it.each(["JRN-001", "JRN-006", "JRN-008", "JRN-013"])("proves %s by a fault that says so", (checkId) => {
    const proves = faultyCpos.some(
      ({ breaks, faults = [], templateId }) =>
        faults.some((id) => faultsById.get(id)?.caughtBy.includes(checkId)) &&
        templateById(templateId)
          ?.stages.flatMap(({ expect }) => expect)
          .some((rule) => breaks.includes(rule.id) && rule.checkId === checkId)
    )
    assert.isTrue(proves)
  })
})
