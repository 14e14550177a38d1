/** A sample of the fault matrix (`npm run chaos` plays all of it): two processes, one database, and what may befall them. */
import { assert, describe, inject, it } from "vitest"
import { lagSample } from "../../../bench/chaos/attacks/lagging.ts"
import { matrix } from "../../../bench/chaos/matrix.ts"
import { play, tableOf } from "../../../bench/chaos/table.ts"
import type { Ground } from "../../../bench/chaos/world/Row.ts"
import { oneOf } from "../../support/sampled.ts"

/** Short ones that hurt ownership and a stream: `npm test` plays one of them. */
const sample = ["F11", "M1"].filter(oneOf(2))

describe("the fault matrix, a sample", () => {
  for (const row of [...sample.map((id) => matrix.find((one) => one.id === id)!), lagSample]) {
    it(`${row.id}: ${row.fault}`, async () => {
      const ground: Ground = { cluster: inject("pgUrl"), short: true, count: (_, few) => few, note: () => {} }
      const played = await play(row, ground)
      process.stdout.write(`${tableOf([played]).split("\n").at(-1)}\n`)
      assert.deepStrictEqual([...played.broken], [])
      assert.strictEqual(played.result, "held")
    }, 240_000)
  }
})
