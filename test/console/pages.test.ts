/** The console in a browser, against the built service with sandbox partners. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { chromium } from "../support/chromium.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { key, type Service, startService, until } from "../support/service/Service.ts"
import { axe, type ConsoleBrowser, openConsole, show } from "./support/ConsoleBrowser.ts"
import { flawsOf, isClean } from "./support/isClean.ts"
import { lookAt, looks } from "./support/pictures.ts"

const pictured = new Set(
  "connections connection-new connection suites report report-compare journey journey-past journey-waterfall machines sandbox settings journey-choice report-history no-page".split(
    " "
  )
)

describe("the built console", () => {
  it("has at most 150 kilobytes for the first page, and its compressed forms beside each file", () => {
    const folder = join(dirname(fileURLToPath(import.meta.url)), "../../dist/console")
    const page = readFileSync(join(folder, "index.html"), "utf8")
    const first = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, path]) => path!)
    assert.isAbove(first.length, 1)
    const bytes = ["index.html", ...first].map((path) => statSync(join(folder, `${path}.gz`)).size)
    assert.isBelow(
      bytes.reduce((sum, size) => sum + size),
      150_000
    )
    const files = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((path) =>
      /\.\w+$/.test(path)
    )
    for (const path of files.filter((one) => !/\.(br|gz)$/.test(one)))
      for (const form of ["br", "gz"]) assert.include(files, `${path}.${form}`)
    // The policy refuses scripts and styles that stand in the page.
    assert.notMatch(page, /<style|<script(?![^>]*src=)|style=|\son\w+=/)
  })
})

describe.runIf(chromium !== undefined)("the console", () => {
  let service: Service
  let console: ConsoleBrowser
  const ids = { connection: "", report: "", journey: "" }

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    const call = async (path: string, body: unknown = {}) =>
      (await service.call("POST", `/api/v1${path}`, body)).body.data
    const partner = await call("/sandbox/partners", {
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      faults: ["locations.numeric-coordinates", "locations.unknown-status"]
    })
    const connection = await call("/connections", {
      partnerBaseUrl: partner.partnerBaseUrl,
      tokenA: partner.tokenA,
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      label: "Faulty CPO"
    })
    ids.connection = connection._id
    await call(`/connections/${ids.connection}/handshake`)
    const order = { connectionId: ids.connection, suiteId: "ocpi-2.2.1-cpo-core" }
    const earlier = await call("/testing/runs", { ...order, modules: ["locations", "cdrs"] })
    await service.call("GET", `/api/v1/testing/runs/${earlier._id}?wait=30&until=end`)
    ids.report = (await call("/testing/runs", order))._id
    ids.journey = (
      await call("/testing/journey-runs", { target: "sandbox", templateId: "remote-start" })
    ).runId
    await until(
      "the end of both runs",
      async () => {
        const { body } = await service.call("GET", "/api/v1/testing/runs")
        return body.data.every(({ status }: any) => status === "completed") ? true : undefined
      },
      90_000
    )
    console = await openConsole(service)
  }, 180_000)
  afterAll(async () => {
    await console?.close()
    await service?.kill()
  })

  it("leads whoever has signed in back to where they wanted to go", async () => {
    assert.strictEqual(new URL(console.page.url()).pathname, "/connections")
    assert.strictEqual(new URL(console.page.url()).search, "?q=x")
  })

  it("signs in by the code of a link, which is gone from the address, and signs out", async () => {
    const { page, trouble, close } = console
    assert.isFunction(close)
    const { body } = await service.call("POST", "/api/v1/session/links", {})
    const context = await console.browser.newContext()
    await context.addInitScript(axe)
    const other = await context.newPage()
    await other.goto(body.data.url)
    await other.getByRole("heading", { name: "Home" }).waitFor()
    assert.notInclude(other.url(), "code=")
    const cookies = await context.cookies()
    assert.isTrue(cookies.length === 1 && cookies[0]!.httpOnly && cookies[0]!.sameSite === "Strict")
    assert.notInclude(await other.evaluate("document.cookie + JSON.stringify(localStorage)"), key)
    await other.locator(".top-tools summary").click()
    await other.getByRole("button", { name: "Sign out" }).click()
    await other.getByLabel("API key").waitFor()
    await isClean(other, "sign-in", { isPictured: true })
    await other.goto("about:blank")
    await other.goto(body.data.url)
    await other.getByText("This link was used before, or is too old").waitFor()
    await context.close()
    assert.deepStrictEqual(trouble, [])
    await page.bringToFront()
  }, 60_000)

  it("offers no second try for a run that does not exist, and says where to look", async () => {
    const { page, trouble } = console
    await show(page, `${service.url}/runs/rep_x`)
    await page.getByText("There is no such run").waitFor()
    await page.getByText("Look it up in its list").waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Try again" }).count(), 0)
    // That there is no such run is an answer of status 404.
    for (const line of trouble.splice(0)) assert.match(line, /status of 404/)
    await show(page, `${service.url}/machines/decide`)
    await page.getByRole("heading", { name: "Decide for several runs" }).waitFor()
  }, 30_000)

  it("says the absolute time of a relative one to pointer and keyboard, and puts it away with Escape", async () => {
    const { page } = console
    await lookAt(page, looks[0])
    await show(page, `${service.url}/runs`)
    const time = page.locator(".has-tip", { has: page.locator("time") }).first()
    const tip = page.locator(".tip:popover-open")
    await time.focus()
    await tip.waitFor()
    assert.match(await tip.innerText(), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d UTC$/)
    assert.strictEqual(await time.getAttribute("aria-describedby"), await tip.getAttribute("id"))
    await page.keyboard.press("Escape")
    await tip.waitFor({ state: "detached" })
    await time.hover()
    await tip.waitFor()
    await page.mouse.move(0, 0)
    await tip.waitFor({ state: "detached" })
  })

  it("shows each page without a violation, light and dark, wide and narrow, and within its policy", async () => {
    const { page, trouble } = console
    const pages = {
      home: "/",
      connections: "/connections",
      "connection-new": "/connections/new",
      connection: `/connections/${ids.connection}`,
      "connection-runs": `/connections/${ids.connection}?tab=runs`,
      "no-page": "/runs/of/nobody",
      exchanges: `/connections/${ids.connection}?tab=exchanges`,
      commands: `/connections/${ids.connection}?tab=commands`,
      suites: `/suites?connection=${ids.connection}&suite=ocpi-2.2.1-cpo-core`,
      "journey-choice": "/suites?kind=journeys",
      runs: "/runs",
      report: `/runs/${ids.report}?outcome=failed&check=LOC-003`,
      "report-history": `/runs/${ids.report}?check=LOC-003&history=1`,
      "report-exchanges": `/runs/${ids.report}?tab=exchanges`,
      "report-compare": `/runs/${ids.report}?tab=compare`,
      journey: `/journeys/${ids.journey}`,
      "journey-waterfall": `/journeys/${ids.journey}?tab=waterfall`,
      "journey-file": "/journeys/file",
      "journey-past": `/journeys/${ids.journey}?seq=20`,
      // An exchange of the journey, with a long path.
      "journey-exchange": `/journeys/${ids.journey}?seq=10`,
      machines: "/machines",
      decide: `/machines/decide?runs=${ids.journey}.1`,
      sandbox: "/sandbox",
      settings: "/settings",
      account: "/settings?tab=account",
      audit: "/settings?tab=audit"
    }
    const found: Array<string> = []
    for (const [name, path] of Object.entries(pages)) {
      await show(page, `${service.url}${path}`)
      found.push(...(await flawsOf(page, name, { isPictured: pictured.has(name) })))
    }
    assert.deepStrictEqual(found, [])
    assert.deepStrictEqual(trouble, [])
  }, 240_000)

  it("goes from nothing to a verdict by one click, and to the failure of another run by keys", async () => {
    const { page } = console
    await show(page, `${service.url}/`)
    await page.getByRole("button", { name: "Try with the sandbox partner" }).click()
    await page.waitForURL(/\/runs\/rep_/)
    await page.locator(".verdict-word", { hasText: /Passed|warnings/ }).waitFor({ timeout: 60_000 })

    await page.keyboard.press("Control+k")
    await page.keyboard.type("faulty fail")
    await page.keyboard.press("Enter")
    await page.waitForURL(new RegExp(ids.report))
    await page.locator(".check-row").first().waitFor()
    await page.keyboard.press("f")
    await page.waitForURL(/check=LOC-\d+/)
    await page.locator(".check-detail .exchange mark").first().waitFor()
    await page.keyboard.press("?")
    await page.getByRole("heading", { name: "Keyboard shortcuts" }).waitFor()
    await page.keyboard.press("Escape")
    await page.keyboard.press("g")
    await page.keyboard.press("m")
    await page.waitForURL(/\/machines$/)
  }, 90_000)

  it("keeps the chosen exchange of a report in sight, and goes on from the list where it is closed", async () => {
    const { page } = console
    await show(page, `${service.url}/runs/${ids.report}?tab=exchanges`)
    await page.locator(".check-row").first().waitFor()
    const seen = new Set<string>()
    for (let presses = 0; presses < 25; presses++) {
      await page.keyboard.press("j")
      await page.waitForURL((url) => !seen.has(url.search))
      seen.add(new URL(page.url()).search)
    }
    const [list, row] = [page.locator(".check-list"), page.locator('.check-row[aria-pressed="true"]')]
    await row.waitFor({ timeout: 10_000 })
    await until("the row in sight", async () => {
      const [frame, box] = [await list.boundingBox(), await row.boundingBox()]
      const isIn =
        frame !== null && box !== null && box.y >= frame.y && box.y + box.height <= frame.y + frame.height
      return isIn ? true : undefined
    })
    const close = page.getByRole("article", { name: "Exchange" }).getByRole("button", { name: "Close" })
    await close.focus()
    await page.keyboard.press("Enter")
    await close.waitFor({ state: "detached" })
    assert.isTrue(await list.evaluate("document.activeElement.classList.contains('check-list')"))
  }, 90_000)

  it("says that there is no run yet only where no filter is set, and nothing of a partner that it has not read", async () => {
    const { page, trouble } = console
    await page.route(/\/api\/v1\/testing\/runs\?/, (route) =>
      route.fulfill({ json: { success: true, data: [] } })
    )
    await show(page, `${service.url}/runs`)
    await page.getByText("No run yet.").waitFor()
    await show(page, `${service.url}/runs?verdict=fail`)
    await page.getByText("No run is like this.").waitFor()
    await page.unroute(/\/api\/v1\/testing\/runs\?/)

    await page.route(/\/api\/v1\/connections\?/, (route) =>
      route.fulfill({ status: 403, json: { success: false, message: "connections.list: not now" } })
    )
    await show(page, `${service.url}/sandbox`)
    const card = page.locator("article").first()
    await card.getByText("not now").waitFor()
    assert.notMatch(await card.innerText(), /cannot be connected|Connect and register/)
    assert.isTrue(await card.getByRole("button", { name: "Remove" }).isDisabled())
    await page.unroute(/\/api\/v1\/connections\?/)
    // That the list was refused is an answer of status 403.
    for (const line of trouble.splice(0)) assert.match(line, /status of 403/)
  }, 60_000)

  it("says within seconds that the service is back", async () => {
    const { page, trouble } = console
    await page.route("**/health/ready", (route) =>
      route.fulfill({ status: 503, json: { success: false, message: "away" } })
    )
    await page.goto(`${service.url}/runs`)
    const away = page.getByText("The service does not answer")
    await away.waitFor()
    await page.unroute("**/health/ready")
    await away.waitFor({ state: "detached", timeout: 9_000 })
    for (const line of trouble.splice(0)) assert.match(line, /status of 503/)
  }, 60_000)

  it("says in its place what is wrong with a page, and keeps what is around it", async () => {
    const { page, trouble } = console
    await page.route("**/assets/SuitesPage-*.js", (route) => route.fulfill({ status: 404 }))
    await page.goto(`${service.url}/suites`)
    await page.getByRole("alert").getByRole("button", { name: "Try again" }).waitFor()
    await isClean(page, "a page that failed")
    await page.unroute("**/assets/SuitesPage-*.js")
    await page.getByRole("link", { name: "Runs" }).click()
    await page.getByRole("heading", { name: "Runs" }).waitFor()
    trouble.splice(0)
  }, 60_000)

  it("shows a journey as it was at an earlier event, and keeps that in the address", async () => {
    const { page } = console
    await show(page, `${service.url}/journeys/${ids.journey}`)
    await page.locator(".state.active", { hasText: "Completed" }).waitFor()
    await page.locator("input[type=range]").focus()
    await page.keyboard.press("Home")
    await page.waitForURL(/seq=1$/)
    await page.locator(".state.active", { hasText: "Queued" }).waitFor()
    await page.reload()
    await page.getByRole("heading", { name: "After event 1: Queued" }).waitFor()
  }, 60_000)
})
