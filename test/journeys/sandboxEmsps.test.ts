import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { oneOf } from "../support/sampled.ts"
import { assertionFlaws, eventFlaws } from "../support/textFlaws.ts"
import { faultyEmsps } from "./support/faultyEmsps.ts"
import { playedQuickly } from "./support/sandboxJourney.ts"

const cpoTemplates = templates.filter(({ ourRole }) => ourRole === "CPO")
/** `npm test` plays every tenth. */
const played = faultyEmsps.filter(oneOf(10))

/** Is there nothing in the version that the rule could look at? */
const hasNone = (reason: string): boolean => reason === "Credentials of this version name no role"

describe("an honest sandbox EMSP", () => {
  for (const { id: templateId, supportedVersions } of cpoTemplates) {
    for (const version of supportedVersions) {
      it.effect(`passes ${templateId} in ${version}`, () =>
        Effect.gen(function* () {
          const { assertions, verdict } = yield* playedQuickly({ templateId, version, role: "EMSP" })
          assert.deepStrictEqual(
            assertions.filter(({ outcome, reason = "" }) => outcome !== "passed" && !hasNone(reason)),
            []
          )
          assert.strictEqual(verdict, "pass")
        })
      )
    }
  }
})

describe("a faulty sandbox EMSP", () => {
  for (const { breaks, name, ...scene } of played) {
    it.effect(`that ${name} is caught by ${breaks.join(", ")} of ${scene.templateId} alone`, () =>
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
  it("breaks each template in at least two ways", () => {
    for (const { id } of cpoTemplates)
      assert.isAtLeast(
        faultyEmsps.filter(({ templateId }) => templateId === id).length,
        2,
        `${id}: test/journeys/support/faultyEmsps.ts`
      )
  })
})
