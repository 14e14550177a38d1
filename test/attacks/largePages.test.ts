/** Row 17: an account reads pages of what its partner made large, all at once. One page is no larger than others can bear. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { migratedDatabase } from "../support/service/database.ts"
import { type Service, until } from "../support/service/Service.ts"
import { api, attack, type Heard, local, Victim } from "./support/attack.ts"
import { type Partner, registered, startPartner } from "./support/partner.ts"

/** What a page may have in bytes, with the item that brings it there. */
const most = 1.5 * 1024 * 1024

describe("pages of large exchanges", () => {
  let victim: Victim
  let service: Service
  let partner: Partner
  let connectionId: string
  let runId: string
  let largest = 0
  let pages = 0

  beforeAll(async () => {
    victim = new Victim({ ...local, DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    service = await victim.alive()
    partner = await startPartner()
    const padding = "x".repeat(250 * 1024)
    partner.answer = (_, ordinary) => ({ ...ordinary, message: padding })
    connectionId = await registered(service, partner)
    for (let times = 0; times < 4; times++)
      await api(service, `/connections/${connectionId}/handshake`, { method: "POST" })
    const run = await api(service, "/testing/runs", {
      method: "POST",
      body: { connectionId, suiteId: "ocpi-2.2.1-cpo-core" }
    })
    assert.strictEqual(run.status, 202, run.text)
    runId = run.json.data.runId
    await until(
      "the run to end",
      async () =>
        (await api(service, `/testing/runs/${run.json.data._id}?wait=3`)).json?.data?.verdict == null
          ? undefined
          : true,
      60_000
    )
  }, 120_000)
  afterAll(async () => {
    attack("17", `${pages} pages`, `${Math.ceil(largest / 1024)} KiB the largest`)
    await victim?.end()
    partner?.close()
  })

  /** All items, by the links from page to page. */
  const all = async (path: string) => {
    const items: Array<any> = []
    const sizes: Array<number> = []
    for (let next: string | undefined = path; next !== undefined; ) {
      const page: Heard = await api(service, next)
      assert.strictEqual(page.status, 200, page.text.slice(0, 300))
      items.push(...page.json.data)
      sizes.push(Buffer.byteLength(page.text))
      next = /<\/api\/v1([^>]*)>; rel="next"/.exec(String(page.headers["link"] ?? ""))?.[1]
    }
    pages += sizes.length
    largest = Math.max(largest, ...sizes)
    return { items, sizes }
  }

  it("bounds a page of events, and leads to every one of them", async () => {
    for (const query of ["?limit=1000", "?limit=1000&type=exchange.completed", ""]) {
      const { items, sizes } = await all(`/testing/journey-runs/${runId}/events${query}`)
      assert.isAtMost(Math.max(...sizes), most, query)
      const numbers = items.map(({ sequence }) => sequence)
      assert.deepStrictEqual(
        numbers,
        [...new Set(numbers)].sort((a, b) => a - b)
      )
      if (!query.includes("type")) assert.strictEqual(numbers.at(-1), numbers.length)
      assert.isAbove(
        sizes.reduce((sum, one) => sum + one),
        most
      )
    }
  }, 60_000)

  it("bounds a page of exchanges, from either end, and leads to every one of them", async () => {
    const ids: Array<ReadonlyArray<string>> = []
    for (const order of ["oldest", "newest"]) {
      const { items, sizes } = await all(`/connections/${connectionId}/exchanges?limit=1000&order=${order}`)
      assert.isAtMost(Math.max(...sizes), most, order)
      assert.isAbove(
        sizes.reduce((sum, one) => sum + one),
        most
      )
      ids.push(items.map(({ id }) => id))
    }
    assert.strictEqual(new Set(ids[0]).size, ids[0]!.length)
    assert.deepStrictEqual(ids[0], ids[1]!.toReversed())
  }, 60_000)
})
