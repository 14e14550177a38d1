/**
 * Conformant partners drawn at random: whatever the OCPI text leaves free, nothing fails, nothing that is a must warns, and
 * nothing is an error of ours. 24 seeds; `npm run strangers -- --seeds 500` plays more.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join, relative } from "node:path"
import { assert, describe, it } from "vitest"
import { oneOf } from "../support/sampled.ts"
import { differences, hubStrangerOf, lackingNothing, strangerOf } from "./draw.ts"
import { faultsOf, meet } from "./meeting.ts"
import type { StrangerVersion } from "./partner/Freedoms.ts"

/** Versions and roles take turns, so that each eight seeds have each pair once. `STRANGERS_FROM`: the first. */
const first = Number(process.env["STRANGERS_FROM"] ?? 0)
const seeds = Array.from({ length: 8 }, (_, index) => first + index)
/** `npm test` plays every third of those behind a hub, and of those with drivers. */
const inTurn = oneOf(3)

const forAll = ["CMD-101", "CMD-102", "CMD-104", "CMD-107", "CMD-108", "CMD-110"]
const since22 = [...forAll, "CMD-103", "CMD-112", "CP-101", "CP-102", "CP-103"]
/** Checks of an EMSP that its drivers' acts at the site of a run let be judged. */
const reachedByDrivers: Readonly<Record<StrangerVersion, Array<string>>> = {
  "2.1.1": forAll,
  "2.2": since22,
  "2.2.1": [...since22, "CMD-105"],
  "2.3.0": [...since22, "CMD-105"]
}

describe("a conformant partner", () => {
  it.each(seeds.filter(oneOf(2)))(
    "has nothing wrong: seed %i",
    async (seed) => {
      const drawn = strangerOf(seed)
      const met = await meet(drawn, "full")
      assert.isUndefined(met.broken)
      const { objects, leftOut } = drawn.freedoms
      const isWhole = objects > 0 && leftOut.length === 0
      assert.isAbove(met.assertions.filter(({ outcome }) => outcome === "passed").length, isWhole ? 100 : 40)
      assert.deepStrictEqual(faultsOf(met), [], JSON.stringify(differences(drawn)))
    },
    120_000
  )

  it.each(seeds.slice(0, 6).filter(inTurn))(
    "has nothing wrong behind a hub: seed %i",
    async (seed) => {
      const drawn = lackingNothing(hubStrangerOf(seed))
      const met = await meet(drawn, { part: "hub", listenSeconds: 90 })
      assert.isUndefined(met.broken)
      const passed = met.assertions.filter(({ outcome }) => outcome === "passed").map(({ id }) => id)
      assert.includeMembers(passed, ["HUB-101", "HUB-102", "HUB-103", "HUB-104"])
      assert.deepStrictEqual(faultsOf(met), [], JSON.stringify(differences(drawn)))
      assert.notInclude(
        met.assertions.filter(({ outcome }) => outcome === "warned").map(({ id }) => id),
        "HUB-004"
      )
    },
    120_000
  )

  it.each(seeds.filter((seed) => strangerOf(seed).role === "EMSP").filter(inTurn))(
    "has nothing wrong where its drivers act on what a run publishes: seed %i",
    async (seed) => {
      const drawn = lackingNothing(strangerOf(seed))
      const met = await meet(drawn, { part: "full", hasDrivers: true, listenSeconds: 60 })
      assert.isUndefined(met.broken)
      const passed = met.assertions.filter(({ outcome }) => outcome === "passed").map(({ id }) => id)
      assert.includeMembers(passed, reachedByDrivers[drawn.version])
      assert.deepStrictEqual(faultsOf(met), [], JSON.stringify(differences(drawn)))
    },
    120_000
  )

  it("shares no code with what it tests", () => {
    const folder = join(import.meta.dirname, "partner")
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".ts")
    )
    assert.include(files, join("objects", "validity.ts"))
    const isWithin = (file: string, name: string) =>
      /^\.{1,2}\/[A-Za-z/.]+\.ts$/.test(name) &&
      !relative(folder, join(folder, file, "..", name)).startsWith("..")
    const wrong = files.flatMap((file) =>
      [
        ...readFileSync(join(folder, file), "utf8").matchAll(
          /^(?:(?:import|export) [^"\n]*|\} )from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"/gm
        )
      ]
        .map(([, from, bare, lazy]) => from ?? bare ?? lazy!)
        .filter((name) => !name.startsWith("node:") && !isWithin(file, name))
        .map((name) => `${file} imports ${name}`)
    )
    assert.deepStrictEqual(wrong, [])
  })
})
