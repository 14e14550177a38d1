/** All tabs of a browser share the rate of one key, 120 requests a minute: pages that are open side by side leave room in it. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { chromium } from "../support/chromium.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { connectSandbox, type Service, sleep, startService } from "../support/service/Service.ts"
import { type ConsoleBrowser, openConsole, show } from "./support/ConsoleBrowser.ts"

const watchedMillis = 20_000

describe.runIf(chromium !== undefined)("pages that are open side by side", () => {
  let service: Service
  let console: ConsoleBrowser
  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    console = await openConsole(service)
  }, 120_000)
  afterAll(async () => {
    await console?.close()
    await service?.kill()
  })

  it("ask for less than the key's rate, all together", async () => {
    const { connectionId } = await connectSandbox(service)
    const asked = new Map<string, number>()
    const context = console.page.context()
    for (const path of [
      "/",
      "/connections",
      `/connections/${connectionId}`,
      `/connections/${connectionId}?tab=exchanges`,
      "/machines",
      "/sandbox",
      "/runs"
    ]) {
      const page = await context.newPage()
      await show(page, `${service.url}${path}`)
      page.on("request", (request) => {
        if (request.url().includes("/api/v1/")) asked.set(path, (asked.get(path) ?? 0) + 1)
      })
    }
    await sleep(2_000)
    asked.clear()
    await sleep(watchedMillis)
    const perMinute = (many: number) => Math.round((many * 60_000) / watchedMillis)
    const all = [...asked.values()].reduce((sum, many) => sum + many, 0)
    process.stdout.write(
      `polling: ${perMinute(all)} requests a minute of seven pages (${[...asked]
        .map(([path, many]) => `${path.replace(/conn_\w+/, "…")} ${perMinute(many)}`)
        .join(", ")})\n`
    )
    assert.isBelow(perMinute(all), 120)
    assert.isAbove(all, 0, "they do look for news")
  }, 120_000)

  it("leave half of the key's rate when one of them shows how an invited partner registers", async () => {
    const order = {
      partnerBaseUrl: "https://8.8.8.8/ocpi/versions",
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1"
    }
    const { body } = await service.call("POST", "/api/v1/connections", order)
    await service.call("POST", `/api/v1/connections/${body.data._id}/invitation`, {})
    const page = await console.page.context().newPage()
    let asked = 0
    page.on("request", (request) => {
      if (request.url().includes("/api/v1/")) asked += 1
    })
    await show(page, `${service.url}/connections/${body.data._id}`)
    await page.getByRole("heading", { name: "Waiting for the partner" }).waitFor()
    asked = 0
    await sleep(watchedMillis)
    const perMinute = Math.round((asked * 60_000) / watchedMillis)
    process.stdout.write(`polling: ${perMinute} requests a minute of a page that waits for its partner\n`)
    assert.isBelow(perMinute, 60)
    assert.isAbove(asked, 0, "it does look for news")
  }, 60_000)
})
