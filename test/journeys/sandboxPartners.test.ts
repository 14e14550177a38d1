import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { templates } from "../../src/journeys/catalogue.ts"
import { faultyCpos } from "./faultyCpos.ts"
import { faultyRegistrants } from "./faultyRegistrants.ts"
import { playedQuickly } from "./sandboxJourney.ts"

describe("an honest sandbox CPO", () => {
  for (const { id: templateId, supportedVersions } of templates.filter(({ ourRole }) => ourRole === "EMSP")) {
    for (const version of supportedVersions) {
      it.effect(`passes ${templateId} in ${version}`, () =>
        Effect.gen(function* () {
          const { assertions, verdict } = yield* playedQuickly({ templateId, version })
          const notPassed = assertions.filter(({ outcome }) => !["passed", "not_tested"].includes(outcome))
          assert.deepStrictEqual(notPassed, [])
          assert.strictEqual(verdict, "pass")
        })
      )
    }
  }
})

describe("a faulty sandbox CPO", () => {
  for (const { breaks, name, ...scene } of [...faultyCpos, ...faultyRegistrants("CPO")]) {
    it.effect(`that ${name} is caught by ${breaks.join(", ")} of ${scene.templateId} alone`, () =>
      Effect.gen(function* () {
        const { assertions } = yield* playedQuickly(scene)
        const broken = assertions.filter(({ outcome }) => ["failed", "warned", "error"].includes(outcome))
        assert.deepStrictEqual(broken.map(({ id }) => id).toSorted(), breaks.toSorted())
      })
    )
  }
})
