/**
 * Conformant partners in journeys: whatever the OCPI text leaves free, nothing fails. `npm test` plays a few of them, others for each
 * commit; `npm run strangers -- --journeys 32` plays every one of so many strangers, `-- --journey-faults` every single fault.
 */
import { assert, describe, it } from "vitest"
import { oneOf } from "../support/sampled.ts"
import { differences } from "./draw.ts"
import { needsNobody, plainScenes, playScene, type Scene, seededScenes } from "./journeys.ts"
import { faultsOf } from "./meeting.ts"
import { journeyFaults, ruleOf } from "./mutations/journeyFaults.ts"
import { playFault, sceneOf } from "./mutations/playJourneyFault.ts"

const seeded = Array.from({ length: 16 }, (_, seed) => seededScenes(seed)).flat()

const isClean = async (scene: Scene) => {
  const met = await playScene(scene)
  assert.isUndefined(met.broken)
  assert.deepStrictEqual(faultsOf(met), [], JSON.stringify(differences(scene.drawn)))
  return met
}

describe("a conformant partner in a journey", () => {
  it.each(plainScenes.filter(oneOf(16)))(
    "has nothing wrong, and is seen in what it does: $name",
    async (scene) => {
      const { assertions } = await isClean(scene)
      const passed = assertions.filter(({ outcome }) => outcome === "passed")
      if (needsNobody(scene)) assert.isAbove(passed.length, 0)
    },
    120_000
  )

  it.each(seeded.filter(oneOf(64)))(
    "has nothing wrong: $name",
    async (scene) => void (await isClean(scene)),
    120_000
  )
})

describe("a single fault in a journey", () => {
  it("has an id of its own, a rule of its journey, and a stranger that can have it", () => {
    const ids = journeyFaults.map(({ id }) => id)
    assert.deepStrictEqual(ids, [...new Set(ids)])
    assert.deepStrictEqual(
      journeyFaults.filter((one) => ruleOf(one) === undefined || sceneOf(one, 0) === undefined),
      []
    )
  })

  it.each(journeyFaults.map((one, index) => ({ one, index, id: one.id })).filter(oneOf(24)))(
    "is found by its rule, and by no other: $id",
    async ({ index, one }) => {
      const played = await playFault(one, index)
      assert.isUndefined(played?.met.broken)
      assert.deepStrictEqual(
        played?.caught.map(({ id }) => id),
        [one.caughtBy]
      )
      assert.deepStrictEqual(
        played?.falsely.map(({ id, message, reason }) => `${id}: ${message ?? reason}`),
        []
      )
    },
    120_000
  )
})
