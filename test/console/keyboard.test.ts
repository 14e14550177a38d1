/** From a partner to a recovered run without a mouse; and one decision over several interrupted runs. */
import type { Locator, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { chromium } from "../support/chromium.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { freePort, type Service, startService, until } from "../support/service/Service.ts"
import { type ConsoleBrowser, openConsole, show, violations } from "./support/ConsoleBrowser.ts"
import { isClean } from "./support/isClean.ts"

/** Moves the focus with Tab until it is on the element. */
async function tabTo(page: Page, goal: Locator): Promise<void> {
  await goal.waitFor()
  for (let presses = 0; presses < 120; presses++) {
    if (await goal.evaluate((element) => element === (globalThis as any).document.activeElement)) return
    await page.keyboard.press("Tab")
  }
  assert.fail(`Tab does not lead to ${goal}`)
}

describe.runIf(chromium !== undefined)("the console by keyboard", () => {
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

  const statuses = async () => {
    const { body } = await service.call("GET", "/api/v1/testing/journey-runs")
    return (body.data as ReadonlyArray<any>).map(({ status }) => status)
  }

  it("leads from a partner over a suite and its report to a run that goes on", async () => {
    const { page } = console
    const made = await service.call("POST", "/api/v1/sandbox/partners", {
      theirRole: "CPO",
      ocpiVersion: "2.2.1"
    })
    const { partnerBaseUrl, tokenA } = made.body.data
    await show(page, `${service.url}/`)
    await tabTo(page, page.getByRole("link", { name: "New connection" }))
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/connections\/new$/)
    await tabTo(page, page.getByLabel("Versions URL of the partner"))
    await page.keyboard.type(partnerBaseUrl)
    const role = page.getByLabel("The partner is a")
    await tabTo(page, role)
    // To the EMSP and back: the choice is made by keys.
    await page.keyboard.press("ArrowDown")
    assert.strictEqual(await role.inputValue(), "EMSP")
    await page.keyboard.press("ArrowUp")
    assert.strictEqual(await role.inputValue(), "CPO")
    const version = page.getByLabel("OCPI version")
    await tabTo(page, version)
    await page.keyboard.press("Home")
    for (let presses = 0; presses < 8 && (await version.inputValue()) !== "2.2.1"; presses++)
      await page.keyboard.press("ArrowDown")
    assert.strictEqual(await version.inputValue(), "2.2.1")
    await tabTo(page, page.getByLabel("Label"))
    await page.keyboard.type("by keyboard")
    await tabTo(page, page.getByLabel("Token A"))
    await page.keyboard.type(tokenA)
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/connections\/conn_/)
    await page.getByText("Nothing stands in the way").waitFor()
    await tabTo(page, page.getByRole("button", { name: "Register", exact: true }))
    await page.keyboard.press("Enter")
    await page.locator(".page-head .badge", { hasText: "Registered" }).waitFor()

    await tabTo(page, page.getByRole("main").getByRole("link", { name: "Test", exact: true }))
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/suites\?connection=conn_/)
    const suite = page.locator("li.card", { hasText: "only reads" }).first()
    await tabTo(page, suite.getByRole("button", { name: "Choose" }))
    await page.keyboard.press("Enter")
    await tabTo(page, page.getByRole("button", { name: /^Start the run/ }))
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/runs\/rep_/)
    await page.locator(".verdict-word", { hasText: /Passed|warnings/ }).waitFor({ timeout: 60_000 })
    await page.locator(".check-row").first().waitFor()
    await page.keyboard.press("j")
    await page.waitForURL(/check=/)
    await page.locator(".check-detail").waitFor()

    await page.keyboard.press("g")
    await page.keyboard.press("t")
    await page.waitForURL(/\/suites/)
    // The tab that is shown takes the focus; the arrows go on from it.
    await tabTo(page, page.getByRole("tab", { name: "Suites" }))
    await page.keyboard.press("ArrowRight")
    const card = page
      .getByRole("listitem")
      .filter({ has: page.getByRole("heading", { name: "Remote start, charge, remote stop" }) })
    await tabTo(page, card.getByRole("button", { name: "Start" }))
    await page.keyboard.press("Enter")
    await page.waitForURL(/\/journeys\/run_/)
    await page.locator(".stage.waiting", { hasText: "session" }).waitFor({ timeout: 60_000 })
    await service.kill()
    service = await startService(env)
    await page.getByRole("heading", { name: /was interrupted/ }).waitFor({ timeout: 60_000 })
    const option = page.locator(".choice", { hasText: "recommended" }).locator("input")
    await tabTo(page, page.locator("fieldset .choice input").first())
    for (let presses = 0; presses < 8 && !(await option.isChecked()); presses++)
      await page.keyboard.press(presses === 0 ? "Space" : "ArrowDown")
    assert.isTrue(await option.isChecked())
    await tabTo(page, page.locator("form.stack button[type=submit]"))
    await page.keyboard.press("Enter")
    await page.locator(".page-head .badge", { hasText: "Completed" }).waitFor({ timeout: 120_000 })
  }, 300_000)

  it("decides for several interrupted runs, each by its own offer, and shows it again at the same address", async () => {
    const { page, trouble } = console
    const started = await Promise.all(
      [1, 2, 3].map(() =>
        service.call("POST", "/api/v1/testing/journey-runs", {
          target: "sandbox",
          templateId: "remote-start"
        })
      )
    )
    const runIds = started.map(({ body }) => body.data.runId)
    const [first] = runIds
    await until(
      "three waits",
      async () =>
        (await statuses()).filter((status) => status === "waiting").length === 3 ? true : undefined,
      60_000
    )
    await service.kill()
    service = await startService(env)
    await until(
      "three interruptions",
      async () =>
        (await statuses()).filter((status) => status === "interrupted").length === 3 ? true : undefined,
      60_000
    )

    await show(page, `${service.url}/machines?machine=journeyRun&state=interrupted`)
    // Nobody works on them: the process that took them over has given them back.
    await until("whoever works on the runs", async () =>
      (await page.getByText("no process, epoch 2").count()) === 3 ? true : undefined
    )
    const processes = page.getByRole("region", { name: "Processes" }).getByRole("listitem")
    await processes.filter({ hasText: "Alive" }).getByText("0 runs").waitFor()
    await processes
      .filter({ hasText: "Lost" })
      .getByText(/counted as lost/)
      .first()
      .waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await page.getByRole("button", { name: "Choose all 3 interrupted" }).click()
    await page.waitForURL(/pick=/)
    await page.reload()
    await page.getByRole("link", { name: "Decide for 3 runs" }).click()
    await page.waitForURL(/\/machines\/decide\?runs=/)
    // Somebody else is faster with one of them.
    const { body } = await service.call("GET", `/api/v1/testing/journey-runs/${first}`)
    const recoveryVersion = body.data.recoveryVersion
    await service.call("POST", `/api/v1/testing/journey-runs/${first}/recovery`, {
      decision: "abandon",
      recoveryVersion
    })
    await page.locator(".choice", { hasText: "Finish now" }).locator("input").check()
    await isClean(page, "a decision that is chosen")
    // The first answer is kept back until the rest was stopped.
    let letGo = () => {}
    const stopped = new Promise<void>((resolve) => {
      letGo = resolve
    })
    await page.route("**/recovery", async (route) => {
      await stopped
      await route.continue()
    })
    await page.getByRole("button", { name: /Finish now: \d runs/ }).click()
    const progress = page.getByRole("region", { name: "Progress" })
    await progress.getByText(/^0 of \d runs decided$/).waitFor()
    await isClean(page, "runs that are decided upon")
    await progress.getByRole("button", { name: "Stop after this run" }).click()
    await progress.getByRole("button", { name: "Stopping after this run…" }).waitFor()
    letGo()
    await page.getByText(/^Stopped after 1 of \d runs\. The others are as they were\.$/).waitFor()
    await page.unroute("**/recovery")
    assert.include(await statuses(), "interrupted")
    await isClean(page, "decisions that were stopped")
    await page.getByRole("button", { name: /Finish now: \d run/ }).click()
    await page.getByRole("heading", { name: "3 of 3 runs decided" }).waitFor({ timeout: 60_000 })
    await page.reload()
    await page.getByRole("heading", { name: "3 of 3 runs decided" }).waitFor()
    const results = page.getByRole("region", { name: "Runs" })
    assert.strictEqual(await results.getByText("Decided: Finish.").count(), 2)
    assert.strictEqual(await results.getByText("Decided: Abandon.").count(), 1)

    const audit = await service.call("GET", "/api/v1/settings/audit?limit=50")
    const decided = (audit.body.data as ReadonlyArray<any>).filter(
      ({ action, status }) => action === "journeyRuns.recovery" && status < 300
    )
    for (const runId of runIds)
      assert.lengthOf(
        decided.filter(({ target }) => target === runId),
        1,
        runId
      )
    assert.deepStrictEqual(
      trouble.filter((line) => !/ERR_CONNECTION|Failed to load/.test(line)),
      []
    )
  }, 240_000)
})
