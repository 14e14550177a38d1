/** Every page of the console with the texts of a hostile partner in the place of all that it shows. */
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { chromium } from "../support/chromium.ts"
import { attacks } from "../support/markupAttacks.ts"
import { oneOf } from "../support/sampled.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { connectSandbox, type Service, startService, until } from "../support/service/Service.ts"
import { tried } from "../support/tried.ts"
import { type ConsoleBrowser, openConsole, show } from "./support/ConsoleBrowser.ts"

/** Fields that hold texts of a partner or of a user; ids, by which pages ask, times and words of the contract stay what they are. */
const texts = new RegExp(
  `^(${[
    ...["message", "actual", "expected", "title", "hint", "label", "connectionLabel", "name", "description"],
    ...[
      "lastError",
      "partnerSaid",
      "what",
      "reason",
      "instruction",
      "partnerBaseUrl",
      "url",
      "curl",
      "body",
      "reference"
    ],
    ...["templateId", "operation", "nextAction", "pointer", "section", "identifier", "outcome"],
    ...[
      "sends",
      "passes",
      "target",
      "action",
      "authorization",
      "content-type",
      "location_id",
      "evse_uid",
      "uid"
    ]
  ].join("|")})$`
)
const lists = /^(deviations|notes|reasons|faults|caughtBy|unknownFields|trustedOrigins)$/

const hostile = (text: string, attack: string): string =>
  JSON.stringify(
    JSON.parse(text, (name, value) =>
      typeof value === "string" && texts.test(name)
        ? attack
        : Array.isArray(value) && lists.test(name)
          ? [attack]
          : value
    )
  )

/** A page, what is done on it, and the part of it that has to show the text; default: what is not the header, which names the key. */
interface Hostile {
  readonly path: string
  readonly prepare?: () => Promise<unknown>
  readonly within?: string
}

const uri = encodeURIComponent

describe.runIf(chromium !== undefined)("the texts of a hostile partner", () => {
  let service: Service
  let console: ConsoleBrowser
  const ids = { connection: "", failed: "", report: "", journey: "", partner: "", command: "", exchange: "" }
  const call = async (method: string, path: string, body?: unknown) =>
    (await service.call(method, `/api/v1${path}`, body)).body.data

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    const partner = await call("POST", "/sandbox/partners", {
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      faults: ["locations.numeric-coordinates"]
    })
    ids.partner = partner._id
    const order = { partnerBaseUrl: partner.partnerBaseUrl, ourRole: "EMSP", theirRole: "CPO" }
    const connect = async (tokenA: string) => {
      const { _id } = await call("POST", "/connections", { ...order, ocpiVersion: "2.2.1", tokenA })
      await call("POST", `/connections/${_id}/handshake`, {})
      return _id
    }
    ids.connection = await connect(partner.tokenA)
    ids.failed = await connect("unknown-to-it-0001")
    const command = { connectionId: ids.connection, command: "UNLOCK_CONNECTOR" }
    ids.command = (await call("POST", "/testing/command", command)).commandId
    const suiteId = "ocpi-2.2.1-cpo-core"
    ids.report = (await call("POST", "/testing/runs", { connectionId: ids.connection, suiteId }))._id
    const journey = { target: "sandbox", templateId: "first-reads" }
    ids.journey = (await call("POST", "/testing/journey-runs", journey)).runId
    const [newest] = await call("GET", `/connections/${ids.connection}/exchanges?order=newest&limit=1`)
    ids.exchange = newest.id
    await until(
      "the end of both runs",
      async () => {
        const runs = await call("GET", "/testing/runs")
        return runs.every(({ status }: any) => status === "completed") ? true : undefined
      },
      90_000
    )
    // It is open until its tests are over.
    const { connectionId } = await connectSandbox(service)
    await call("POST", "/testing/runs", { connectionId, suiteId: "ocpi-2.2.1-cpo-full", listenSeconds: 600 })
    console = await openConsole(service)
  }, 180_000)
  afterAll(async () => {
    await console?.close()
    await service?.kill()
  })

  it("are texts in a file, and where a run waits, asks, or was interrupted", async () => {
    const { page, trouble } = console
    const text = attacks.join(" ")
    const signed = await service.call("GET", `/api/v1/testing/runs/${ids.report}/export?format=ledger`)
    const isFine = async () => {
      for (const details of await page.locator("main details").all())
        await details.evaluate((node: any) => node.setAttribute("open", ""))
      assert.include(await page.locator("main").innerText(), text.slice(0, 12))
      for (const link of await page
        .locator("a")
        .evaluateAll((all) => all.map((one: any) => one.getAttribute("href"))))
        assert.match(link ?? "/", /^\/(?!\/)/)
      assert.deepStrictEqual(trouble.splice(0), [])
    }
    await show(page, `${service.url}/journeys/file`)
    const name = "run.json"
    const buffer = Buffer.from(hostile(signed.text, text))
    await page.locator("input[type=file]").setInputFiles({ name, mimeType: "application/json", buffer })
    await page.getByText("Verifying the hashes").waitFor({ state: "detached" })
    await isFine()

    const waitingFor = {
      party: "partner",
      instruction: text,
      since: new Date(Date.now() - 10_000).toISOString(),
      deadline: new Date(Date.now() + 50_000).toISOString(),
      nearMisses: [text],
      expects: { method: text, url: text, headers: {}, body: null, curl: text }
    }
    const option = { decision: "abandon", label: text, description: text, recommended: true, repeats: [text] }
    const line = { sequence: 2, occurredAt: waitingFor.since, assertions: [], stageId: text }
    const created = { ...line, sequence: 1, type: "run.created", machine: "queued", data: { stages: [text] } }
    const machine = { waiting: "partner" }
    const moments = {
      waiting: { ...line, machine, type: "wait.started", data: waitingFor },
      checkpoint: {
        ...line,
        machine: { waiting: "operator" },
        type: "checkpoint.requested",
        data: { ...waitingFor, attempt: 1, answers: [text] }
      },
      interrupted: { ...line, machine: "interrupted", type: "run.interrupted", data: { reason: text } }
    }
    for (const [status, event] of Object.entries(moments)) {
      await page.route(`**/journey-runs/${ids.journey}`, async (route) => {
        const response = await route.fetch()
        const { data } = await response.json()
        const run = { ...data, status: status === "checkpoint" ? "waiting" : status, verdict: null }
        const json = { success: true, data: { ...run, recoveryVersion: 1, recoveryOptions: [option] } }
        await route.fulfill({ response, json })
      })
      await page.route(`**/journey-runs/${ids.journey}/events*`, (route) =>
        route.fulfill({ json: { success: true, data: [created, event] } })
      )
      await page.route(`**/journey-runs/${ids.journey}/stream*`, (route) =>
        route.fulfill({ contentType: "text/event-stream", body: ": open\n\n" })
      )
      for (const tab of ["ledger", "waterfall"]) {
        await show(page, `${service.url}/journeys/${ids.journey}?tab=${tab}&seq=${tab === "ledger" ? "" : 2}`)
        await page.locator("main").getByText(text.slice(0, 12)).first().waitFor()
        await isFine()
      }
      await page.unroute(`**/journey-runs/${ids.journey}`)
      await page.unroute(`**/journey-runs/${ids.journey}/events*`)
      await page.unroute(`**/journey-runs/${ids.journey}/stream*`)
    }
  }, 120_000)

  it("are texts in the report of a run that goes on", async () => {
    const { page, trouble } = console
    const text = attacks.join(" ")
    const at = new Date(Date.now() - 10_000).toISOString()
    const { body } = await service.call("GET", `/api/v1/testing/runs/${ids.report}`)
    const { body: checks } = await service.call("GET", `/api/v1/testing/runs/${ids.report}/checks`)
    const waitingFor = {
      party: "partner",
      instruction: text,
      since: at,
      deadline: new Date(Date.now() + 50_000).toISOString(),
      nearMisses: [text]
    }
    const running = { status: "running", verdict: null, finishedAt: null, connectionLabel: text, waitingFor }
    const failed = (id: string) => ({
      ...checks.data[0],
      id,
      title: text,
      message: text,
      outcome: "failed",
      findings: undefined
    })
    await page.route(`**/testing/runs/${ids.report}`, (route) =>
      route.fulfill({ json: { ...body, data: { ...body.data, ...running } } })
    )
    await page.route(`**/testing/runs/${ids.report}/checks*`, (route) =>
      route.fulfill({ json: { ...checks, data: [failed("LOC-003"), failed("VERS-001")] } })
    )
    for (const check of ["", "?check=LOC-003"]) {
      await show(page, `${service.url}/runs/${ids.report}${check}`)
      await page.getByRole("region", { name: "Waiting" }).getByText(text.slice(0, 12)).first().waitFor()
      await page
        .locator(".check-row")
        .filter({ hasText: text.slice(0, 12) })
        .first()
        .waitFor()
      for (const link of await page
        .locator("a")
        .evaluateAll((all) => all.map((one: any) => one.getAttribute("href"))))
        assert.match(link ?? "/", /^\/(?!\/)/)
      assert.deepStrictEqual(trouble.splice(0), [])
    }
    await page.unrouteAll({ behavior: "wait" })
  }, 60_000)

  it("are texts on every page: nothing runs, nothing is asked for, no link leads away", async () => {
    const { page, trouble } = console
    const connection = `/connections/${ids.connection}`
    const pagesWith = (attack: string): ReadonlyArray<Hostile> => [
      { path: "/" },
      { path: "/connections" },
      { path: connection },
      { path: `/connections/${ids.failed}` },
      { path: `${connection}?tab=exchanges&exchange=${ids.exchange}` },
      { path: `${connection}?tab=runs` },
      { path: `${connection}?tab=commands&sent=${ids.command}` },
      { path: `/runs/${ids.report}` },
      { path: `/runs/${ids.report}?check=LOC-003` },
      { path: `/runs/${ids.report}?check=LOC-003&history=1` },
      { path: `/runs/${ids.report}?tab=compare` },
      { path: `/runs/${ids.report}?tab=exchanges` },
      { path: "/runs" },
      { path: "/settings?tab=egress&url=https%3A%2F%2F8.8.8.8%2F" },
      { path: "/settings?tab=audit" },
      { path: `/suites?connection=${ids.connection}` },
      { path: `/suites?connection=${ids.connection}&suite=ocpi-2.2.1-cpo-core` },
      { path: `/suites?connection=${ids.connection}&kind=journeys` },
      { path: `/journeys/${ids.journey}` },
      { path: `/journeys/${ids.journey}?seq=10` },
      { path: `/journeys/${ids.journey}?tab=waterfall` },
      { path: `/machines/decide?runs=${ids.journey}.1` },
      { path: "/machines" },
      { path: "/machines?machine=handshake", within: "[aria-label=Connections]" },
      { path: "/machines?machine=suiteRun", within: "[aria-label='Open conformance runs']" },
      { path: "/sandbox" },
      { path: `/sandbox?requests=${ids.partner}` },
      { path: `/sandbox?faults=${ids.partner}` },
      { path: "/settings" },
      // Its own part has figures and words of the contract only.
      { path: "/settings?tab=account", within: "body" },
      {
        path: "/settings?tab=about",
        prepare: () => page.keyboard.press("Control+k"),
        within: "dialog"
      },
      {
        path: "/?validate=1",
        prepare: async () => {
          await page.getByLabel("JSON").fill(JSON.stringify({ id: attack, [attack]: attack }))
          await page.getByRole("button", { name: "Validate" }).click()
        },
        within: "[aria-label='The object to validate'] ol"
      },
      {
        path: `/connections/new?token=none&label=${uri(attack)}&url=${uri("https://8.8.8.8/ocpi/versions")}`,
        within: "[aria-label^='Step 1']"
      },
      {
        path: `/connections/new?token=none&url=${uri("https://8.8.8.8/ocpi/versions")}`,
        prepare: () => page.getByRole("button", { name: "Invite the partner" }).click(),
        within: ".card.form h2"
      }
    ]
    // Markup does its work wherever it stands in a text; a URL only where it is the whole of it.
    const forms = [attacks.join(" "), "javascript:alert(1)"]
    let shown = 0
    for (const attack of forms) {
      await page.route("**/api/v1/**", async (route) => {
        const response = await route.fetch()
        const text = await response.text()
        const isJson = (response.headers()["content-type"] ?? "").startsWith("application/json")
        await route.fulfill({ response, body: isJson ? hostile(text, attack) : text })
      })
      for (const { path, prepare, within = "main" } of pagesWith(attack).filter(oneOf(10))) {
        await show(page, `${service.url}${path}`)
        await prepare?.()
        const place = page.locator(within).filter({ hasText: attack.slice(0, 12) })
        await place
          .first()
          .waitFor({ timeout: 30_000 })
          .catch(() => assert.fail(`${path} shows it nowhere`))
        for (const details of await page.locator("main details").all())
          await details.evaluate((node: any) => node.setAttribute("open", ""))
        assert.include(await place.first().innerText(), attack.slice(0, 12), path)
        const links = await page
          .locator("a")
          .evaluateAll((all) => all.map((one: any) => one.getAttribute("href") ?? ""))
        for (const link of links) assert.match(link, /^\/(?!\/)/, path)
        assert.strictEqual(new URL(page.url()).origin, service.url, path)
        assert.deepStrictEqual(trouble.splice(0), [], path)
        shown += 1
      }
      await page.unrouteAll({ behavior: "wait" })
    }
    tried("B39", [`${attacks.length} attacks`], `${shown / forms.length} pages, all shown as text`)
  }, 360_000)
})
