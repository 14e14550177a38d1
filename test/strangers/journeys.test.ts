/**
 * Conformant partners in journeys: whatever the OCPI text leaves free, nothing fails. `npm test` plays a few of them, others for each
 * commit; `npm run strangers -- --journeys 32` plays every one of so many strangers.
 */
import { assert, describe, it } from "vitest"
import { oneOf } from "../support/sampled.ts"
import { differences } from "./draw.ts"
import { needsNobody, plainScenes, playScene, type Scene, seededScenes } from "./journeys.ts"
import { faultsOf } from "./meeting.ts"

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
