/** A sample of the fault matrix (`npm run chaos` plays all of it): two processes, one database, and what may befall them. */
import { assert, describe, inject, it } from "vitest"
import { matrix } from "../../bench/chaos/matrix.ts"
import type { Ground } from "../../bench/chaos/Row.ts"
import { play, tableOf } from "../../bench/chaos/table.ts"

/** Short ones that hurt ownership, the database, a stream and a partner. */
const sample = ["F3", "F9", "F11", "M1", "S3", "P3"]

describe("the fault matrix, a sample", () => {
  for (const id of sample) {
    const row = matrix.find((one) => one.id === id)!
    it(`${id}: ${row.fault}`, async () => {
      const ground: Ground = { cluster: inject("pgUrl"), short: true, count: (_, few) => few, note: () => {} }
      const played = await play(row, ground)
      process.stdout.write(`${tableOf([played]).split("\n").at(-1)}\n`)
      assert.deepStrictEqual([...played.broken], [])
      assert.strictEqual(played.result, "held")
    }, 120_000)
  }
})
