/** A sample of what `npm run bench -- journeys` plays: many journeys at once, over sockets. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { gather, playAll, roomy } from "../support/service/crowd.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { type Service, startService } from "../support/service/Service.ts"

const count = 40

describe("many journeys at once", () => {
  let us: Service
  let them: Service
  beforeAll(async () => {
    const start = async () =>
      startService({ ...roomy, DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    us = await start()
    them = await start()
  }, 90_000)
  afterAll(async () => {
    await us?.kill("SIGTERM")
    await them?.kill("SIGTERM")
  })

  it(`all end right: ${count} of them on one process`, async () => {
    const { ends, overheads, peakBytes } = await playAll(us, await gather(us, them, count))
    assert.deepStrictEqual([...ends], [["completed pass", count]])
    const [slowest] = overheads
    process.stdout.write(
      `${count} journeys at once: peak memory ${(peakBytes / 2 ** 20).toFixed(0)} MiB, slowest stage overhead ${slowest?.millis.toFixed(0)} ms (${slowest?.stageId})\n`
    )
    // Eleven stages each; the bound is for a busy machine, and says that nothing stands still.
    assert.strictEqual(overheads.length, 11 * count)
    assert.isBelow(slowest?.millis ?? Number.POSITIVE_INFINITY, 30_000)
  }, 240_000)
})
