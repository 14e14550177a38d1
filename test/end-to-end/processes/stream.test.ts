/** The feed under a client whose connection breaks at any byte. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../../support/service/database.ts"
import { readFeed } from "../../support/service/rawFeed.ts"
import { connectSandbox, type Service, startService } from "../../support/service/Service.ts"

const reconnects = 200

describe("the stream of a journey run", () => {
  let service: Service

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
  }, 60_000)
  afterAll(async () => {
    await service?.kill("SIGTERM")
  })

  const start = async (speed: number) => {
    const { connectionId } = await connectSandbox(service, { speed })
    const run = await service.call("POST", "/api/v1/testing/journey-runs", {
      connectionId,
      templateId: "remote-start"
    })
    assert.strictEqual(run.status, 202, run.text)
    return run.body.data.runId as string
  }

  it(`joins to 1..n over ${reconnects} reconnects at random bytes`, async () => {
    const runId = await start(600)
    const ids: Array<number> = []
    let cuts = 0
    let over = false
    while (!over) {
      // Cut at a random byte while cuts are left; then read to the end.
      const cutAt = cuts < reconnects ? 1 + Math.floor(Math.random() * 3000) : Number.POSITIVE_INFINITY
      const { complete, ended } = await readFeed(service, runId, ids.at(-1), cutAt)
      ids.push(...complete)
      cuts += 1
      over = ended && cuts > 1 && (await terminal(service, runId))
      // A run that is over keeps answering: go on cutting its replay until all cuts are made.
      if (over && cuts < reconnects) {
        over = false
        const [replayed] = [await readWithCuts(service, runId, reconnects - cuts)]
        assert.deepStrictEqual(replayed, ids, "a replay gives the same ids")
        cuts = reconnects
        over = true
      }
    }
    assert.isAtLeast(cuts, reconnects)
    assert.deepStrictEqual(
      ids,
      ids.map((_, index) => index + 1)
    )
    const status = await service.call("GET", `/api/v1/testing/journey-runs/${runId}`)
    assert.strictEqual(ids.length, status.body.data.lastSequence)
    process.stdout.write(`stream: ${cuts} reconnects, ids 1..${ids.length} without gap or double\n`)
  }, 120_000)

  it("refuses a Last-Event-ID that cannot be, and answers 204 at the head of a finished run", async () => {
    const runId = await start(20_000)
    for (;;) {
      if (await terminal(service, runId)) break
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const path = `/api/v1/testing/journey-runs/${runId}/stream`
    const head = (await service.call("GET", `/api/v1/testing/journey-runs/${runId}`)).body.data.lastSequence
    for (const wrong of ["abc", "-1", String(head + 1), "1e3", "999999999999999999999999999999"]) {
      const answer = await service.call("GET", path, undefined, { "last-event-id": wrong })
      assert.strictEqual(answer.status, 400, wrong)
      assert.deepStrictEqual(Object.keys(answer.body).sort(), ["message", "success"])
    }
    assert.strictEqual(
      (await service.call("GET", path, undefined, { "last-event-id": String(head) })).status,
      204
    )
    const rest = await service.call("GET", path, undefined, { "last-event-id": String(head - 1) })
    assert.strictEqual(rest.status, 200)
    assert.match(rest.text, /^retry: 2000/)
    assert.match(rest.text, new RegExp(`id: ${head}\ndata: \\{`))
  }, 60_000)
})

async function terminal(service: Service, runId: string): Promise<boolean> {
  const status = await service.call("GET", `/api/v1/testing/journey-runs/${runId}`)
  return ["completed", "cancelled", "failed"].includes(status.body.data.status)
}

/** Replays a finished run with so many cuts at random bytes. */
async function readWithCuts(service: Service, runId: string, cuts: number): Promise<Array<number>> {
  const ids: Array<number> = []
  for (let cut = 0; cut < cuts; cut++) {
    const { complete } = await readFeed(service, runId, ids.at(-1), 1 + Math.floor(Math.random() * 3000))
    ids.push(...complete)
  }
  const { complete } = await readFeed(service, runId, ids.at(-1), Number.POSITIVE_INFINITY)
  ids.push(...complete)
  return ids
}
