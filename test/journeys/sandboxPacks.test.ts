import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { templates } from "../../src/journeys/catalogue/catalogue.ts"
import { packIn } from "../../src/journeys/catalogue/packs.ts"
import { packs } from "../../src/journeys/catalogue/playable.ts"
import { playedQuickly } from "./support/sandboxJourney.ts"

/** The oldest, which has least, and the newest, which has most. */
const versions = ["2.1.1", "2.3.0"] as const

describe("an honest sandbox partner", () => {
  for (const { faults, id: templateId, ...pack } of packs) {
    for (const version of versions) {
      const template = packIn({ ...pack, id: templateId }, version, templates)
      if (template === undefined) continue
      it.effect(
        `passes the pack ${templateId} in ${version}`,
        () =>
          Effect.gen(function* () {
            const { assertions, verdict } = yield* playedQuickly({
              templateId,
              version,
              role: template.ourRole === "EMSP" ? "CPO" : "EMSP",
              ...(faults === undefined ? {} : { ourFaults: faults })
            })
            const notPassed = assertions.filter(
              ({ outcome }) => !["passed", "not_tested", "not_applicable"].includes(outcome)
            )
            assert.deepStrictEqual(notPassed, [])
            assert.strictEqual(verdict, "pass")
          }),
        60_000
      )
    }
  }
})
