/** Reports, the order of a suite, and exported runs in a browser. */
import type { Route } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { interact, interactWithReport, noteInteractions } from "../../bench/console/inputs.ts"
import type { Cause } from "../../src/reports/causes.ts"
import { chromium } from "../support/chromium.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { connectSandbox, type Service, startService, until } from "../support/service/Service.ts"
import { type ConsoleBrowser, openConsole, overflow, show, violations } from "./support/ConsoleBrowser.ts"
import { isClean } from "./support/isClean.ts"

describe.runIf(chromium !== undefined)("the runs of the console", () => {
  let service: Service
  let console: ConsoleBrowser
  const ids = { connection: "", report: "", journey: "", refused: "" }

  beforeAll(async () => {
    service = await startService({
      DATABASE_URL: await migratedDatabase(inject("pgUrl")),
      SIMULATION_SPEED: "15"
    })
    const call = async (method: string, path: string, body?: unknown) =>
      (await service.call(method, `/api/v1${path}`, body)).body.data
    const { connectionId } = await connectSandbox(service, {
      faults: ["locations.numeric-coordinates", "locations.unknown-status"]
    })
    const order = { connectionId, suiteId: "ocpi-2.2.1-cpo-core" }
    const end = (id: string) => call("GET", `/testing/runs/${id}?wait=30&until=end`)
    await end((await call("POST", "/testing/runs", { ...order, modules: ["locations", "cdrs"] }))._id)
    ids.connection = connectionId
    ids.report = (await end((await call("POST", "/testing/runs", order))._id))._id
    const refusing = await connectSandbox(service, { faults: ["tokens.new-refused"] })
    const tokens = {
      connectionId: refusing.connectionId,
      suiteId: "ocpi-2.2.1-cpo-tokens",
      needs: [],
      listenSeconds: 1
    }
    ids.refused = (await end((await call("POST", "/testing/runs", tokens))._id))._id
    const journey = { target: "sandbox", templateId: "first-reads" }
    const { reportId, runId } = await call("POST", "/testing/journey-runs", journey)
    await end(reportId)
    ids.journey = runId
    console = await openConsole(service)
  }, 180_000)
  afterAll(async () => {
    await console?.close()
    await service?.kill()
  })

  it("shows what a suite waits for as a sentence and a command", async () => {
    const { page } = console
    await page.route(`**/testing/runs/${ids.report}`, async (route) => {
      const response = await route.fetch()
      const body = await response.json()
      const waitingFor = {
        party: "partner",
        instruction: "The partner pushes a session.",
        since: new Date(Date.now() - 10_000).toISOString(),
        deadline: new Date(Date.now() + 50_000).toISOString(),
        nearMisses: ["PUT session: its id is another one"],
        expects: { method: "PUT", url: "/x", headers: {}, body: null, curl: "curl -X PUT /x" }
      }
      const json = { ...body, data: { ...body.data, status: "waiting", verdict: null, waitingFor } }
      await route.fulfill({ response, json })
    })
    await show(page, `${service.url}/runs/${ids.report}`)
    const waiting = page.getByRole("region", { name: "Waiting" })
    await waiting.getByRole("heading", { name: "The partner has to act" }).waitFor()
    await waiting.getByText("1 call came and did not fit").click()
    const text = await waiting.innerText()
    for (const part of ["pushes a session", " s left", "its id is another one"]) assert.include(text, part)
    await waiting.getByText("The request that would satisfy it").click()
    await waiting.getByText("curl -X PUT /x").waitFor()
    await page.unroute(`**/testing/runs/${ids.report}`)
  }, 60_000)

  it("says first what failed in a journey that is over, and leads to it in the report", async () => {
    const { page } = console
    const { connectionId } = await connectSandbox(service, { faults: ["commands.start-rejected"] })
    const order = { connectionId, templateId: "remote-start", inputs: { waitSeconds: 5 } }
    const { body } = await service.call("POST", "/api/v1/testing/journey-runs", order)
    const { reportId, runId } = body.data
    await service.call("GET", `/api/v1/testing/runs/${reportId}?wait=30&until=end`)
    await show(page, `${service.url}/journeys/${runId}`)
    const failed = page.getByRole("region", { name: "What failed" })
    await failed.getByRole("heading", { name: /^\d+ rules? failed$/ }).waitFor()
    assert.strictEqual(await page.getByRole("region", { name: "Last wait" }).count(), 0)
    await isClean(page, "journey-failed")
    await failed.getByRole("link").first().click()
    await page.waitForURL(new RegExp(`/runs/${reportId}\\?check=`))
    await page
      .getByRole("heading", { name: "What to mend" })
      .or(page.locator(".check-detail"))
      .first()
      .waitFor()
  }, 90_000)

  it("shows among the machines an open run of a suite, and the process that works on it", async () => {
    const { page } = console
    // Its own partner: the others' histories are those of the tests below.
    const { connectionId } = await connectSandbox(service)
    const order = { connectionId, suiteId: "ocpi-2.2.1-cpo-full", listenSeconds: 120 }
    const { body } = await service.call("POST", "/api/v1/testing/runs", order)
    const [process] = (await service.call("GET", "/api/v1/processes")).body.data
    await show(page, `${service.url}/machines?machine=suiteRun&state=running.grading`)
    const row = page.getByRole("region", { name: "Open conformance runs" }).getByRole("listitem")
    // The tip with the whole id stands between the two.
    await row.getByText(new RegExp(`process ${process._id.slice(0, 8)}.*, epoch 1`)).waitFor()
    await page.getByRole("region", { name: "Processes" }).getByText("1 run", { exact: true }).waitFor()
    assert.deepStrictEqual(await violations(page), [])
    const suite = (await service.call("GET", "/api/v1/testing/suites/ocpi-2.2.1-cpo-full")).body.data
    await row.getByRole("link", { name: suite.name }).click()
    await page.waitForURL(new RegExp(body.data._id))
    await service.call("POST", `/api/v1/testing/runs/${body.data._id}/cancel`, {})
    await service.call("GET", `/api/v1/testing/runs/${body.data._id}?wait=30&until=end`)
  }, 90_000)

  it("begins with the causes of the report, with the partner's words and what they keep from being judged", async () => {
    const { page } = console
    const { text } = await service.call("GET", `/api/v1/testing/runs/${ids.refused}/export?format=json`)
    const { causes }: { causes: ReadonlyArray<Cause> } = JSON.parse(text)
    const cause = causes.find(({ blocked, partnerSaid }) => blocked.length > 0 && partnerSaid !== undefined)!
    await show(page, `${service.url}/runs/${ids.refused}`)
    await page.getByRole("heading", { name: `What to mend: ${causes.length} cause` }).waitFor()
    const shown = page.locator(".cause", { hasText: cause.what }).first()
    await shown.getByText(cause.partnerSaid!).waitFor()
    const checks = cause.blocked.length === 1 ? "1 check" : `${cause.blocked.length} checks`
    await shown.getByText(`Keeps ${checks} from being judged:`).waitFor()
    for (const id of cause.found) await shown.getByRole("button", { name: id }).waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await shown.getByRole("button", { name: cause.blocked[0]! }).click()
    const detail = page.getByRole("article", { name: cause.blocked[0]! })
    await detail.getByText("It could not be judged because of what").waitFor()
    await detail.locator("h3", { hasText: /^What keeps it from being judged: \d/ }).waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await detail.getByRole("button", { name: cause.found[0]!, exact: true }).click()
    await page.getByRole("article", { name: cause.found[0]! }).waitFor()
  }, 60_000)

  it("brings a check that is chosen far above it into sight, with the focus, which returns to the list", async () => {
    const { page } = console
    const isInSight = (id: string) =>
      until(`${id} in sight`, async () => {
        const detail = page.getByRole("article", { name: id })
        const { y = -1 } = (await detail.boundingBox()) ?? {}
        const isFocused = await detail.evaluate((node: any) => node === node.ownerDocument.activeElement)
        return isFocused && y >= 0 && y < 300 ? true : undefined
      })
    await page.setViewportSize({ width: 1280, height: 420 })
    await show(page, `${service.url}/runs/${ids.refused}`)
    const chosen = page.locator(".cause").first().getByRole("button").first()
    const id = await chosen.innerText()
    await chosen.focus()
    await page.keyboard.press("Enter")
    await isInSight(id)
    await page.evaluate("window.scrollTo(0, 0)")
    await page.keyboard.press("j")
    await page.waitForURL((url) => url.searchParams.get("check") !== id)
    await isInSight(new URL(page.url()).searchParams.get("check")!)
    await page.locator(".check-detail").getByRole("button", { name: "Close" }).press("Enter")
    await until("the focus on the list", () =>
      page.evaluate('document.activeElement.matches(".check-list") || undefined')
    )
    await page.setViewportSize({ width: 1280, height: 900 })
  }, 60_000)

  it("wraps a label without a space in the head of a report and of a journey", async () => {
    const { page } = console
    const label = "x".repeat(100)
    const labelled = async (route: Route) => {
      const response = await route.fetch()
      const text = await response.text()
      const body = text.replace(/"(connectionLabel|label)":"[^"]*"/g, `"$1":"${label}"`)
      await route.fulfill({ response, body })
    }
    await page.route("**/api/v1/testing/runs/*", labelled)
    await page.route("**/api/v1/connections/*", labelled)
    await page.setViewportSize({ width: 390, height: 900 })
    for (const path of [`/runs/${ids.report}`, `/journeys/${ids.journey}`]) {
      await show(page, `${service.url}${path}`)
      await page.getByRole("link", { name: label }).waitFor()
      assert.isAtMost(await overflow(page), 0, path)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await page.unrouteAll({ behavior: "wait" })
  }, 60_000)

  it("marks the place that is chosen in the partner's answer, in sight of its box, and keeps it in the address", async () => {
    const { page } = console
    await show(page, `${service.url}/runs/${ids.report}?check=LOC-003`)
    await page.locator(".check-detail details summary").first().click()
    await page.locator(".place").nth(5).click()
    await page.waitForURL(/place=0\.5/)
    const isInSight = () =>
      page.evaluate(`(() => {
        const mark = document.querySelector(".exchange mark")
        const box = mark?.closest("pre").getBoundingClientRect()
        const { bottom, top } = mark?.getBoundingClientRect() ?? {}
        return box !== undefined && top >= box.top && bottom <= box.bottom
      })()`)
    await until("the mark in sight", async () => ((await isInSight()) ? true : undefined))
    await page.reload()
    await page.locator('.place[aria-pressed="true"]').waitFor()
    await until("the mark in sight again", async () => ((await isInSight()) ? true : undefined))
    assert.deepStrictEqual(await violations(page), [])
  }, 60_000)

  it("has on the pages of a journey and of a report what the benchmark of the console presses and clicks", async () => {
    const { page } = console
    await show(page, `${service.url}/journeys/${ids.journey}`)
    await page.evaluate(noteInteractions)
    const answers = await interact(page, 1)
    assert.isAbove(answers.length, 15)
    assert.isTrue(answers.every((millis) => millis >= 16))
    await show(page, `${service.url}/runs/${ids.report}`)
    await page.evaluate(noteInteractions)
    assert.isAbove((await interactWithReport(page, 1)).length, 40)
  }, 120_000)

  it("compares a run with an earlier one, and shows what became of a check", async () => {
    const { page } = console
    await show(page, `${service.url}/runs/${ids.report}`)
    await page.getByRole("tab", { name: "Compare" }).click()
    await page.waitForURL(/tab=compare/)
    const comparison = page.getByRole("region", { name: "Comparison" })
    await comparison.getByText(/checks were asked in this run only/).waitFor()
    await comparison.getByRole("heading", { name: /^Still failing: \d/ }).waitFor()
    await comparison.getByRole("button", { name: "LOC-003" }).click()
    await page.getByRole("button", { name: "History with this partner" }).click()
    await page.getByText("It failed in all of 2 runs.").waitFor()
    await page.reload()
    await page.getByText("It failed in all of 2 runs.").waitFor()
  }, 60_000)

  it("orders a run again as it was ordered, and accepts a failure of it", async () => {
    const { page } = console
    const order = {
      connectionId: ids.connection,
      suiteId: "ocpi-2.2.1-cpo-core",
      checks: ["LOC-00*"],
      clauses: ["mod_locations"],
      needs: ["partner_data"],
      accept: [{ checkId: "LOC-003", reason: "known for long", owner: "us", expires: "2099-01-01" }]
    }
    const { body } = await service.call("POST", "/api/v1/testing/runs?wait=30&until=end", order)
    const sentBy = async (click: () => Promise<void>) => {
      const sent = page.waitForRequest(
        (request) => request.method() === "POST" && request.url().endsWith("/testing/runs")
      )
      await click()
      return (await sent).postDataJSON()
    }
    await show(page, `${service.url}/runs/${body.data._id}`)
    await page.getByText("1 accepted failure").click()
    await page.getByText("known for long").first().waitFor()
    const again = await sentBy(() => page.getByRole("button", { name: "Play again" }).click())
    assert.deepInclude(again, order)
    await page.waitForURL((url) => /rep_/.test(url.pathname) && !url.pathname.includes(body.data._id))

    await show(page, `${service.url}/runs/${ids.report}?check=LOC-003`)
    await page.getByRole("link", { name: "Accept this failure in the next run" }).click()
    await page.waitForURL(/\/suites\?.*accept=LOC-003/)
    assert.strictEqual(await page.getByLabel("Check", { exact: true }).inputValue(), "LOC-003")
    assert.deepStrictEqual(await violations(page), [])
    await page.getByLabel("Why it is accepted").fill("known")
    await page.getByLabel("Who answers for it").fill("us")
    await page.getByLabel("Until").fill("2099-01-01")
    const { accept } = await sentBy(() => page.getByRole("button", { name: "Start the run" }).click())
    assert.deepStrictEqual(accept, [
      { checkId: "LOC-003", reason: "known", owner: "us", expires: "2099-01-01" }
    ])
  }, 90_000)

  it("plays a journey again with its inputs, by keyboard, and asks first where it changes the registration", async () => {
    const { page } = console
    const { connectionId } = await connectSandbox(service, {})
    const ended = (runId: string) =>
      until(
        "the end of the journey",
        async () => {
          const read = await service.call("GET", `/api/v1/testing/journey-runs/${runId}`)
          return /completed|failed/.test(read.body.data.status) ? true : undefined
        },
        60_000
      )
    const play = async (templateId: string, inputs: object) => {
      const order = { connectionId, templateId, inputs }
      const { body, text } = await service.call("POST", "/api/v1/testing/journey-runs", order)
      assert.isTrue(body.success, text)
      const { reportId, runId } = body.data
      await ended(runId)
      return { reportId, runId }
    }
    const sent = () =>
      page.waitForRequest(
        (request) => request.method() === "POST" && request.url().endsWith("/testing/journey-runs")
      )
    const unlock = await play("unlock", { waitSeconds: 20 })
    await show(page, `${service.url}/journeys/${unlock.runId}`)
    await page.getByRole("button", { name: "Play again" }).and(page.locator(":enabled")).waitFor()
    const first = sent()
    await page.keyboard.press("p")
    assert.deepStrictEqual((await first).postDataJSON(), {
      connectionId,
      templateId: "unlock",
      inputs: { waitSeconds: 20 }
    })
    await page.waitForURL((url) => /run_/.test(url.pathname) && !url.pathname.includes(unlock.runId))

    await ended(new URL(page.url()).pathname.split("/").at(-1)!)
    const rotation = await play("rotate-tokens-with-cpo", {})
    await show(page, `${service.url}/runs/${rotation.reportId}`)
    await page.getByRole("button", { name: "Play again" }).click()
    await page.getByRole("dialog").getByText("PUTs our credentials with a new token").waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await page.getByRole("button", { name: "Do not begin" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("button", { name: "Play again" }).click()
    const second = sent()
    await page.getByRole("button", { name: "Begin", exact: true }).click()
    assert.strictEqual((await second).postDataJSON().templateId, "rotate-tokens-with-cpo")
    await page.waitForURL((url) => /run_/.test(url.pathname) && !url.pathname.includes(rotation.runId))
  }, 90_000)

  it("starts a suite as its form says, which stands in the address", async () => {
    const { page } = console
    await show(page, `${service.url}/suites?connection=${ids.connection}&suite=ocpi-2.2.1-cpo-core`)
    await page.getByText(/^About .+, as the last run with this partner took for \d+ checks\.$/).waitFor()
    await page.getByLabel("Only these checks").fill("LOC-00*")
    await page.getByLabel("Strict profile").check()
    await page.getByLabel(/^what a driver or an operator does/).uncheck()
    await page.getByLabel("Only what failed in").selectOption(ids.report)
    await page.waitForURL(
      /checks=LOC-00\*.*profile=strict.*needs=partner_data\.second_registration.*failed=rep_/
    )
    await page.reload()
    await page.getByText("Accepted deviations").click()
    await page.getByRole("button", { name: "Accept a deviation" }).click()
    await page.getByLabel("Check", { exact: true }).fill("LOC-003")
    await page.getByLabel("Why it is accepted").fill("known")
    await page.getByLabel("Who answers for it").fill("us")
    await page.getByLabel("Until").fill("2099-01-01")
    await page.waitForURL(/expected=.*2099-01-01/)
    await page.reload()
    assert.strictEqual(await page.getByLabel("Who answers for it").inputValue(), "us")
    const order = page.waitForRequest(
      (request) => request.method() === "POST" && request.url().endsWith("/testing/runs")
    )
    await page.getByRole("button", { name: "Start the run" }).click()
    assert.deepStrictEqual((await order).postDataJSON(), {
      connectionId: ids.connection,
      suiteId: "ocpi-2.2.1-cpo-core",
      profile: "strict",
      checks: ["LOC-00*"],
      needs: ["partner_data", "second_registration"],
      only: `failed-of:${ids.report}`,
      accept: [{ checkId: "LOC-003", reason: "known", owner: "us", expires: "2099-01-01" }]
    })
    await page.waitForURL(/\/runs\/rep_/)
    await page.locator(".verdict-word", { hasText: /Passed|Failed|warnings/ }).waitFor({ timeout: 60_000 })
  }, 90_000)

  it("offers the journeys for the partner's role and version, and names what is in the way of others", async () => {
    const { page } = console
    await show(page, `${service.url}/suites?connection=${ids.connection}&kind=journeys`)
    await page.getByRole("heading", { name: "Go-live of a CPO" }).waitFor()
    assert.notMatch(await page.locator("main").innerText(), /of an EMSP|with an EMSP|OCPI 2\.1\.1/)
    await page
      .getByText("The connection is already registered; create another one for a registration.")
      .waitFor()
    await page
      .getByText(/^\d+ more journeys and packs are for partners of another role or version\.$/)
      .waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Start", disabled: true }).count(), 0)
    await show(page, `${service.url}/suites?connection=${ids.connection}`)
    await page.getByRole("heading", { name: "CPO 2.2.1: everything" }).waitFor()
    assert.notMatch(await page.locator("main").innerText(), /behind a hub|first registration/)
  }, 60_000)

  it("keeps the inputs of a journey in the address, and the caret where one types", async () => {
    const { page } = console
    await show(page, `${service.url}/suites?connection=${ids.connection}&kind=journeys`)
    const card = page.locator("li.card", { hasText: "Inputs" }).first()
    await card.getByText("Inputs").click()
    const field = card.getByRole("textbox").first()
    await field.pressSequentially("LOC")
    await field.press("ArrowLeft")
    await field.press("ArrowLeft")
    await field.pressSequentially("-1-")
    await page.waitForURL(/L-1-OC/)
    await page.reload()
    await field.waitFor()
    assert.strictEqual(await field.inputValue(), "L-1-OC")
  }, 60_000)

  it("keeps in the address what is validated, and the violation that is looked at, but not what was pasted", async () => {
    const { page, trouble } = console
    await show(page, `${service.url}/?validate=1`)
    await page.getByRole("combobox", { name: /^Object/ }).selectOption("Token")
    await page.getByRole("combobox", { name: /^OCPI version/ }).selectOption("2.2.1")
    await page.waitForURL(/object=Token.*version=2\.2\.1/)
    await page.reload()
    assert.strictEqual(await page.getByRole("combobox", { name: /^Object/ }).inputValue(), "Token")
    await page.getByLabel("JSON").fill('{"uid": 1}')
    await page.getByRole("button", { name: "Validate" }).click()
    await page.getByRole("button", { name: "/uid" }).first().click()
    await page.waitForURL(/place=%2Fuid/)
    assert.deepStrictEqual(trouble, [])
  }, 60_000)

  it("says before the first run of a suite how long it may take, and which checks need somebody to act", async () => {
    const { page } = console
    await show(page, `${service.url}/suites?connection=${ids.connection}&suite=ocpi-2.2.1-cpo-full`)
    await page
      .getByText(/^About .+, an estimate by the run of .+, because this suite has not finished yet\.$/)
      .waitFor()
    await page.getByText(/^What will be asked: \d+ checks need an act at the partner$/).click()
    const asked = page.locator("details", { hasText: "What will be asked" })
    await asked.getByText("Needs what a driver or an operator does at the partner").first().waitFor()
    assert.deepStrictEqual(await violations(page), [])
    await page.setViewportSize({ width: 375, height: 900 })
    assert.isAtMost(await overflow(page), 0)
    await page.setViewportSize({ width: 1280, height: 900 })
  }, 60_000)

  it("shows a signed export without asking for its run, and whether it is as it was signed", async () => {
    const { page, trouble } = console
    const { text } = await service.call("GET", `/api/v1/testing/runs/${ids.journey}/export?format=signed`)
    const asked: Array<string> = []
    page.on("request", (request) => asked.push(request.url()))
    await show(page, `${service.url}/journeys/file`)
    const give = (buffer: Buffer) =>
      page
        .locator("input[type=file]")
        .setInputFiles({ name: "run.json", mimeType: "application/json", buffer })
    await give(Buffer.from(text))
    await page.getByText(/All \d+ lines are as they were written/).waitFor()
    await page.getByText("This service has signed it").waitFor()
    await page.locator(".state.active", { hasText: "Completed" }).waitFor()
    await isClean(page, "journey-file", { isPictured: true, narrowAt: "h1" })
    await page.locator("input[type=range]").focus()
    await page.keyboard.press("Home")
    await page.getByRole("heading", { name: "After event 1: Queued" }).waitFor()
    assert.isEmpty(asked.filter((url) => url.includes(ids.journey)))

    const envelope = JSON.parse(text)
    const payload = JSON.parse(Buffer.from(envelope.payload, "base64").toString())
    payload.lines[4].line = payload.lines[4].line.replace("occurredAt", "occuredAt")
    const changed = { ...envelope, payload: Buffer.from(JSON.stringify(payload)).toString("base64") }
    await give(Buffer.from(JSON.stringify(changed)))
    await page.getByText("Line 5 is not the one that was written. Only the lines before it").waitFor()
    await page.getByRole("heading", { name: "After event 1" }).waitFor()
    await page.getByText("4 events").waitFor()
    await page.getByText("No key of this service has signed it").waitFor()
    await give(Buffer.from("{}"))
    await page.getByText("This is no export of a ledger").waitFor()
    assert.deepStrictEqual(trouble, [])
  }, 60_000)

  it("shows and verifies a signed export that is dropped on a page of a run without the service, then others", async () => {
    const { text } = await service.call("GET", `/api/v1/testing/runs/${ids.journey}/export?format=signed`)
    // A browser that has read nothing of the console before, and stays signed in.
    const storageState = await console.page.context().storageState()
    const context = await console.browser.newContext({ storageState, viewport: { width: 1280, height: 900 } })
    const page = await context.newPage()
    const drop = async (content: string) => {
      const dataTransfer = await page.evaluateHandle(
        `(() => {
          const transfer = new DataTransfer()
          transfer.items.add(new File([${JSON.stringify(content)}], "run.json", { type: "application/json" }))
          return transfer
        })()`
      )
      await page.locator("main").dispatchEvent("drop", { dataTransfer })
    }
    const holds = async () => {
      await page.getByText(/All \d+ lines are as they were written/).waitFor()
      await page.getByText("This service has signed it").waitFor()
      await page.locator(".state.active", { hasText: "Completed" }).waitFor()
    }
    const beforehand = [/\/FilePage-/, /\/jwks\.json$/, /\/machines\/suiteRun$/].map((url) =>
      page.waitForEvent("requestfinished", (request) => url.test(request.url()))
    )
    await show(page, `${service.url}/journeys/${ids.journey}`)
    await Promise.all(beforehand)
    await context.setOffline(true)
    try {
      await drop(text)
      await page.waitForURL(/\/journeys\/file$/)
      await holds()
      await page.locator("input[type=range]").focus()
      await page.keyboard.press("Home")
      await page.getByRole("heading", { name: "After event 1: Queued" }).waitFor()

      const envelope = JSON.parse(text)
      const changed = (change: (document: any) => unknown) => {
        const document = JSON.parse(Buffer.from(envelope.payload, "base64").toString())
        change(document)
        return JSON.stringify({
          ...envelope,
          payload: Buffer.from(JSON.stringify(document)).toString("base64")
        })
      }
      // Its lines hold, and what it says of the run beside them is another thing.
      await drop(changed((document) => Object.assign(document.report, { verdict: "fail" })))
      await page.getByText("No key of this service has signed it").waitFor()
      await page.locator(".note.bad", { hasText: "or it was changed" }).waitFor()
      await drop(changed(({ lines }) => lines.splice(2, 1)))
      await page.locator(".note.bad", { hasText: "Line 3 is not the one that was written" }).waitFor()
      await page.getByText("No key of this service has signed it").waitFor()
      await drop(changed(({ lines }) => lines.pop()))
      await page.locator(".note.bad", { hasText: /Lines after \d+ are missing/ }).waitFor()
    } finally {
      await context.close()
    }
  }, 60_000)
})
