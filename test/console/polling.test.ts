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
})
