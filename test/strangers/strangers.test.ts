/**
 * Conformant partners drawn at random: whatever the OCPI text leaves free, nothing fails, nothing that is a must warns, and
 * nothing is an error of ours. Eight seeds; `npm run strangers -- --seeds 500` plays more.
 */
import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { differences, strangerOf } from "./draw.ts"
import { faultsOf, meet } from "./meeting.ts"

/** Versions and roles take turns, so that each eight seeds have each pair once. `STRANGERS_FROM`: the first. */
const first = Number(process.env["STRANGERS_FROM"] ?? 0)
const seeds = Array.from({ length: 8 }, (_, index) => first + index)

describe("a conformant partner", () => {
  it.each(seeds)(
    "has nothing wrong: seed %i",
    async (seed) => {
      const drawn = strangerOf(seed)
      const met = await meet(drawn, "full")
      assert.isUndefined(met.broken)
      assert.isAbove(met.assertions.filter(({ outcome }) => outcome === "passed").length, 100)
      assert.deepStrictEqual(faultsOf(met), [], JSON.stringify(differences(drawn)))
    },
    120_000
  )

  it("shares no code with what it tests", () => {
    const folder = join(import.meta.dirname, "partner")
    const wrong = readdirSync(folder).flatMap((file) =>
      [
        ...readFileSync(join(folder, file), "utf8").matchAll(
          /^(?:(?:import|export) [^"\n]*|\} )from "([^"]+)"|^import "([^"]+)"|\bimport\("([^"]+)"/gm
        )
      ]
        .map(([, from, bare, lazy]) => from ?? bare ?? lazy!)
        .filter((name) => !name.startsWith("node:") && !/^\.\/[A-Za-z]+\.ts$/.test(name))
        .map((name) => `${file} imports ${name}`)
    )
    assert.deepStrictEqual(wrong, [])
  })
})
