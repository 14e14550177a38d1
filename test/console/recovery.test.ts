/** A journey that is followed in the console while its service is killed, and recovered by a click. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { chromium } from "../support/chromium.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { freePort, type Service, sleep, startService } from "../support/service/Service.ts"
import { type ConsoleBrowser, openConsole, show } from "./support/ConsoleBrowser.ts"

/** The sequences of the rows from the first to the last, as one sees them who scrolls: only those in sight are drawn. */
async function sequencesShown(page: Page): Promise<ReadonlyArray<number>> {
  const read = `[...document.querySelectorAll(".ledger-row")]
    .map((row) => [row.getBoundingClientRect().top, Number(row.querySelector(".sequence").textContent)])
    .sort(([a], [b]) => a - b).map(([, sequence]) => sequence)`
  // Whoever scrolls up follows no longer.
  await page.locator(".ledger").hover()
  await page.mouse.wheel(0, -100)
  await page.locator(".ledger").evaluate((list: any) => list.scrollTo(0, 0))
  const shown: Array<number> = []
  let [isOver, last] = [false, -1]
  while (!isOver) {
    await sleep(300)
    const rows = await page.evaluate<ReadonlyArray<number>>(read)
    // Rows that overlap with the last look: a row that is there twice stands twice behind the one before it.
    const known = rows.lastIndexOf(last)
    shown.push(...rows.slice(known + 1))
    last = shown.at(-1) ?? -1
    isOver = await page.locator(".ledger").evaluate((list: any) => {
      const isAtEnd = list.scrollTop + list.clientHeight >= list.scrollHeight - 2
      list.scrollBy(0, list.clientHeight / 2)
      return isAtEnd
    })
  }
  return shown
}

describe.runIf(chromium !== undefined)("a journey in the console", () => {
  let service: Service
  let console: ConsoleBrowser
  let env: Record<string, string>

  beforeAll(async () => {
    env = {
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      PORT: String(await freePort()),
      LEASE_SECONDS: "2",
      SIMULATION_SPEED: "15"
    }
    service = await startService(env)
    console = await openConsole(service)
  }, 120_000)
  afterAll(async () => {
    await console?.close()
    await service?.kill()
  })

  it("waits for the service with a page that was not read yet, and keeps what is around it", async () => {
    const { page } = console
    await show(page, `${service.url}/`)
    await page.evaluate("globalThis.isSameDocument = true")
    await service.kill()
    await page.getByRole("link", { name: "Settings" }).click()
    await page.getByText("The service does not answer").waitFor()
    await page.getByRole("link", { name: "Sandbox" }).click()
    await page.waitForURL(/\/sandbox$/)
    assert.strictEqual(await page.getByRole("main").count(), 1)
    service = await startService(env)
    await page.getByRole("button", { name: "Make a partner" }).waitFor()
    assert.isTrue(await page.evaluate("globalThis.isSameDocument"))
    await page.getByText("The service does not answer").waitFor({ state: "detached" })
  }, 120_000)

  it("goes on after a kill -9, with every event once, and after a decision that came too late", async () => {
    const { page } = console
    const { body } = await service.call("POST", "/api/v1/testing/journey-runs", {
      target: "sandbox",
      templateId: "remote-start"
    })
    const { runId } = body.data
    await show(page, `${service.url}/journeys/${runId}`)
    await page.locator(".stage.waiting", { hasText: "session" }).waitFor({ timeout: 60_000 })
    await service.kill()
    await page.getByText("The connection to the service was lost").waitFor()
    service = await startService(env)

    await page.getByRole("heading", { name: /was interrupted/ }).waitFor({ timeout: 60_000 })
    const options = page.locator("fieldset .choice")
    assert.isAbove(await options.count(), 1)
    // Nothing is chosen for the user.
    assert.isTrue(await page.getByRole("button", { name: "Choose a decision" }).isDisabled())
    await page.locator(".choice", { hasText: "recommended" }).locator("input").check()

    await page.route("**/recovery", (route) => {
      const sent = route.request().postDataJSON()
      return route.continue({
        postData: JSON.stringify({ ...sent, recoveryVersion: sent.recoveryVersion - 1 })
      })
    })
    await page.locator("form.stack button[type=submit]").click()
    await page.getByText("nothing was done").waitFor()
    await page.unroute("**/recovery")
    await page.locator("form.stack button[type=submit]").click()
    await page.locator(".page-head .badge", { hasText: "Completed" }).waitFor({ timeout: 120_000 })

    await page.locator(".ledger-row .type", { hasText: "run.completed" }).waitFor()
    const shown = await sequencesShown(page)
    const { body: ledger } = await service.call(
      "GET",
      `/api/v1/testing/journey-runs/${runId}/events?limit=1000`
    )
    assert.deepStrictEqual(
      shown,
      ledger.data.map(({ sequence }: { readonly sequence: number }) => sequence)
    )
  }, 240_000)
})
