/** Runs that are open: nothing of their page moves while events arrive, and each list says who must act since when. */
import type { Locator, Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { chromium } from "../support/chromium.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { connectSandbox, freePort, type Service, startService, until } from "../support/service/Service.ts"
import { type ConsoleBrowser, openConsole, show, violations } from "./support/ConsoleBrowser.ts"
import { isClean } from "./support/isClean.ts"

/** Sums what moves without an act of the user, from now on. */
const noteShifts = `window.shifts = []
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput)
      shifts.push([entry.value, ...entry.sources.map(({ node }) => node?.parentElement?.outerHTML.slice(0, 120))])
}).observe({ type: "layout-shift" })`

/** Fails where anything has moved since `noteShifts`. */
async function assertStill(page: Page): Promise<void> {
  const shifts = await page.evaluate<ReadonlyArray<readonly [number, ...Array<string>]>>("shifts")
  const sum = shifts.reduce((all, [value]) => all + value, 0)
  assert.isBelow(sum, 0.005, JSON.stringify(shifts.slice(0, 5), null, 1))
}

const topOf = async (place: Locator) => Math.round((await place.boundingBox())?.y ?? 0)

describe.runIf(chromium !== undefined)("an open run in the console", () => {
  let service: Service
  let console: ConsoleBrowser
  let env: Record<string, string>
  const start = async (templateId = "remote-start"): Promise<string> => {
    const order = { target: "sandbox", templateId }
    return (await service.call("POST", "/api/v1/testing/journey-runs", order)).body.data.runId
  }
  const statusOf = async (runId: string): Promise<string> =>
    (await service.call("GET", `/api/v1/testing/journey-runs/${runId}`)).body.data.status

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

  it("stays where it is on the page while a journey is played", async () => {
    const { page } = console
    const runId = await start()
    await show(page, `${service.url}/journeys/${runId}`)
    await page.locator(".ledger-row").first().waitFor()
    await page.evaluate(noteShifts)
    const waiting = page.getByRole("region", { name: "Waiting" })
    await waiting
      .getByText(/^Since \d\d:\d\d:\d\d, until \d\d:\d\d:\d\d UTC, .* left$/)
      .waitFor({ timeout: 60_000 })
    await page.locator(".page-head .badge", { hasText: "Completed" }).waitFor({ timeout: 120_000 })
    await page.getByRole("region", { name: "Last wait" }).waitFor()
    await assertStill(page)
  }, 240_000)

  it("is filtered by type and edge, and goes to an event by its number", async () => {
    const { page } = console
    const edge = page.getByRole("button", { name: /^running to waiting, partner, taken \d+ times?$/ })
    const times = Number(/(\d+) time/.exec((await edge.getAttribute("aria-label")) ?? "")?.[1])
    await edge.press("Enter")
    await page.waitForURL(/edge=running%3Ewaiting\.partner/)
    await page
      .locator(".ledger")
      .and(page.getByRole("group", { name: `Ledger, ${times} events` }))
      .waitFor()
    await edge.press("Enter")
    await page.getByLabel("Type of events").focus()
    await page.getByLabel("Type of events").selectOption("stage.started")
    await page.locator(".ledger-row .line", { hasText: "Stage “Start session” begins" }).waitFor()
    await page.getByLabel("Type of events").selectOption("")
    await page.getByLabel("Go to event").fill("3")
    await page.getByLabel("Go to event").press("Enter")
    await page.waitForURL(/seq=3$/)
    await page.getByRole("heading", { name: /^Event 3: / }).waitFor()
    await page.getByText("What the run remembers here").click()
    await page.getByText("requests of ours").waitFor()
    assert.deepStrictEqual(await violations(page), [])
  }, 60_000)

  it("stays where it is on the page while a conformance run is graded", async () => {
    const { page } = console
    const faults = ["locations.numeric-coordinates", "locations.unknown-status", "tokens.new-refused"]
    const { connectionId } = await connectSandbox(service, { faults })
    const order = { connectionId, suiteId: "ocpi-2.2.1-cpo-full", listenSeconds: 120 }
    const id = (await service.call("POST", "/api/v1/testing/runs", order)).body.data._id
    // However fast the run is, its results come to the page in parts.
    let asked = 0
    await page.route(`**/testing/runs/${id}/checks*`, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const json = { ...body, data: body.data.slice(0, 12 * (asked++) ** 2) }
      // The route may have been taken away meanwhile: then the browser has let the request go on.
      await route.fulfill({ response, json }).catch(() => undefined)
    })
    await show(page, `${service.url}/runs/${id}`)
    await page.getByText("No check has a result yet").waitFor()
    await page.getByText("Nothing to mend so far").waitFor()
    await page.evaluate(noteShifts)
    await page.getByRole("heading", { name: /^What to mend so far: \d/ }).waitFor({ timeout: 60_000 })
    await page.getByRole("region", { name: "Waiting" }).waitFor({ timeout: 60_000 })
    await until("results", async () => (asked > 5 ? true : undefined), 60_000)
    await assertStill(page)
    await isClean(page, "report-running", { isPictured: true, narrowAt: ".report-panes > :last-child" })
    await page.locator(".cause .link").first().click()
    await page.locator(".check-detail").waitFor()
    await isClean(page, "a check of a run that goes on")
    await page.unroute(`**/testing/runs/${id}/checks*`)
    await page.getByRole("button", { name: "Stop the run" }).click()
    await page.getByText("cancelled on request").waitFor({ timeout: 60_000 })
    await page.getByRole("heading", { name: /^What to mend: \d/ }).waitFor()
    // What was chosen is still shown.
    await page.locator(".check-detail").waitFor()
  }, 240_000)

  it("asks whoever must act: a person, or the partner", async () => {
    const { page } = console
    // The charge takes its time: the run still waits when all pages were looked at.
    await service.kill()
    service = await startService({ ...env, SIMULATION_SPEED: "1" })
    const machines = await page.context().newPage()
    await show(page, `${service.url}/`)
    await show(machines, `${service.url}/machines?machine=journeyRun`)
    await machines.getByText("No journey is open").waitFor()
    const below = [
      page.getByRole("heading", { name: "Last runs" }),
      machines.getByRole("heading", { name: "Processes" })
    ]
    const tops = await Promise.all(below.map(topOf))
    const runId = await start()
    for (const one of [page, machines])
      await one
        .getByRole("listitem")
        .filter({ hasText: "The partner has to act" })
        .waitFor({ timeout: 60_000 })
    assert.deepStrictEqual(
      await Promise.all(below.map(topOf)),
      tops,
      "what stands below a new run does not jump"
    )
    await machines.close()
    await until("the wait", async () => ((await statusOf(runId)) === "waiting" ? true : undefined), 60_000)
    await show(page, `${service.url}/journeys/${runId}`)
    await page.getByRole("region", { name: "Waiting" }).waitFor()
    await isClean(page, "journey-waiting", { isPictured: true, narrowAt: ".waiting-place" })
    await show(page, `${service.url}/`)
    const theirs = page.getByRole("region", { name: "Waiting for the partner or the clock" })
    await theirs.getByRole("link", { name: "Remote start, charge, remote stop" }).waitFor()
    await theirs.getByText("The partner has to act").waitFor()
    await page.getByRole("region", { name: "Needs you now" }).getByText("No run asks you").waitFor()
    await page.getByRole("region", { name: "Health" }).getByText("1 alive").waitFor()

    const { connectionId } = await connectSandbox(service)
    const order = { connectionId, suiteId: "ocpi-2.2.1-cpo-full", listenSeconds: 120 }
    await service.call("POST", "/api/v1/testing/runs", order)
    await show(page, `${service.url}/machines?machine=journeyRun`)
    await page.getByRole("listitem").filter({ hasText: "The partner has to act" }).waitFor()
    await isClean(page, "machines-open", { isPictured: true, narrowAt: "h2:has-text('Open journeys')" })
    await show(page, `${service.url}/machines?machine=handshake`)
    const registrations = page.getByRole("region", { name: "Connections" })
    await registrations.getByText("Registered").first().waitFor()
    await isClean(page, "machines-connections")
    const entry = { theirRole: "CPO", ourRole: "EMSP", ocpiVersion: "2.2.1", tokenA: "never used" }
    await service.call("POST", "/api/v1/connections", {
      ...entry,
      partnerBaseUrl: "https://cpo.example.com/ocpi/versions",
      label: "Not yet"
    })
    await show(page, `${service.url}/machines?machine=handshake&state=unregistered`)
    await registrations
      .getByRole("listitem")
      .filter({ hasText: "Not yet" })
      .getByText("You have to act")
      .waitFor()
    assert.strictEqual(await registrations.getByRole("listitem").count(), 1)
    await show(page, `${service.url}/machines?machine=suiteRun`)
    const suites = page.getByRole("region", { name: "Open conformance runs" })
    await suites.getByRole("listitem").first().waitFor()
    await isClean(page, "machines-suites")

    await service.kill()
    service = await startService(env)
    await until(
      "the interruption",
      async () => ((await statusOf(runId)) === "interrupted" ? true : undefined),
      60_000
    )
    await show(page, `${service.url}/`)
    const mine = page.getByRole("region", { name: "Needs you now" })
    await mine.getByText("You have to act: choose how it goes on").first().waitFor()
    const sections = page.locator("main section[aria-label]")
    const names = await sections.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label")))
    assert.deepStrictEqual(names.slice(0, 3), [
      "Needs you now",
      "Waiting for the partner or the clock",
      "Begin"
    ])
    await isClean(page, "home", { isPictured: true })
    await show(page, `${service.url}/journeys/${runId}`)
    await page.getByRole("heading", { name: /was interrupted/ }).waitFor()
    await isClean(page, "journey-interrupted", { isPictured: true, narrowAt: ".note.warn" })
    // At an earlier event it is said what was awaited then, and nothing is decided.
    await page.locator(".ledger-row", { hasText: "wait.started" }).first().click()
    await page.getByRole("heading", { name: /^At that point: the partner has to act/ }).waitFor()
    assert.strictEqual(await page.getByRole("heading", { name: /was interrupted/ }).count(), 0)
    const { recoveryVersion } = (await service.call("GET", `/api/v1/testing/journey-runs/${runId}`)).body.data
    await show(page, `${service.url}/machines/decide?runs=${runId}.${recoveryVersion}`)
    await page.getByRole("heading", { name: "1 of 1 run waits for a decision" }).waitFor()
    await isClean(page, "decide", { isPictured: true, narrowAt: "form" })
    await show(page, `${service.url}/runs`)
    await isClean(page, "runs", { isPictured: true })
    await page.keyboard.press("Control+k")
    await page.getByLabel("Page, connection or run").waitFor()
    await isClean(page, "palette", { isPictured: true })
  }, 240_000)
})
