/** A partner in the console: registered live, understood when it fails, rotated, invited, commanded, and forgotten. */
import { readFileSync } from "node:fs"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { chromium } from "../support/chromium.ts"
import { migratedDatabase, rows as rowsOf } from "../support/service/database.ts"
import { quietPartner } from "../support/service/QuietPartner.ts"
import { type Service, startService, until } from "../support/service/Service.ts"
import { type ConsoleBrowser, openConsole, overflow, show, violations } from "./support/ConsoleBrowser.ts"

describe.runIf(chromium !== undefined)("a connection in the console", () => {
  let service: Service
  let database: string
  let console: ConsoleBrowser
  const call = async (method: string, path: string, body?: unknown) =>
    (await service.call(method, `/api/v1${path}`, body)).body.data
  const makePartner = (faults: ReadonlyArray<string> = []) =>
    call("POST", "/sandbox/partners", { theirRole: "CPO", ocpiVersion: "2.2.1", faults })
  const connected = async (label: string, more: object = {}) => {
    const { partnerBaseUrl, tokenA } = await makePartner()
    const order = { partnerBaseUrl, tokenA, ourRole: "EMSP", theirRole: "CPO", ocpiVersion: "2.2.1", label }
    return (await call("POST", "/connections", { ...order, ...more }))._id as string
  }
  const registered = async (label: string) => {
    const id = await connected(label)
    await call("POST", `/connections/${id}/handshake`, {})
    return id
  }

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    service = await startService({
      DATABASE_URL: database,
      SIMULATION_SPEED: "60",
      EGRESS_ALLOW_CIDRS: "127.0.0.0/8"
    })
    console = await openConsole(service)
  }, 120_000)
  afterAll(async () => {
    await console?.close()
    await service?.kill()
  })

  const isClean = async (what: string) => {
    const { page, trouble } = console
    assert.deepStrictEqual(await violations(page), [], what)
    assert.isAtMost(await overflow(page), 0, what)
    assert.deepStrictEqual(trouble, [], what)
  }

  it("is entered by its form, registered, and shown as a sequence of which each arrow opens", async () => {
    const { page } = console
    const { partnerBaseUrl, tokenA } = await makePartner()
    await show(page, `${service.url}/connections/new?version=2.2.1&label=entered`)
    await page.getByLabel("Versions URL of the partner").fill(partnerBaseUrl)
    await page.getByLabel("Token A").fill(tokenA)
    await page.getByRole("button", { name: "Enter the partner" }).click()
    await page.waitForURL(/\/connections\/conn_/)
    await page.getByText("Nothing stands in the way").waitFor()
    await page.getByRole("button", { name: "Register", exact: true }).click()
    await page.locator(".page-head .badge", { hasText: "Registered" }).waitFor()

    const arrows = page.locator(".sequence .message")
    await page.getByRole("button", { name: /^plugfest to partner: POST credentials/ }).waitFor()
    const said = await arrows.evaluateAll((all) => all.map((one) => one.getAttribute("aria-label") ?? ""))
    const place = (of: RegExp) => said.findIndex((one) => of.test(one))
    assert.isAtLeast(said.length, 8)
    // The partner calls back while our POST is open.
    const order = [
      place(/^plugfest to partner: GET versions$/),
      place(/^plugfest to partner: GET version details$/),
      place(/^plugfest to partner: POST credentials$/),
      place(/^partner to plugfest: GET versions$/),
      said.findLastIndex((one) => one.startsWith("partner to plugfest: HTTP 200"))
    ]
    assert.deepStrictEqual(
      order.toSorted((a, b) => a - b),
      order,
      said.join("\n")
    )
    await page.getByRole("button", { name: /^plugfest to partner: POST credentials/ }).press("Enter")
    await page.waitForURL(/exchange=/)
    await page.getByText("plugfest sent").waitFor()
    await page.reload()
    await page.getByText("plugfest sent").waitFor()
    await isClean("registered")
    await page.setViewportSize({ width: 375, height: 900 })
    await isClean("registered, narrow")
    await page.setViewportSize({ width: 1280, height: 900 })
  }, 90_000)

  it("that cannot register says why, and what to tell the partner", async () => {
    const { page } = console
    const id = await connected("locked out", { tokenA: "nobody-knows-this-token-0001" })
    await show(page, `${service.url}/connections/${id}`)
    await page.getByRole("button", { name: "Register", exact: true }).click()
    await page.getByRole("heading", { name: "The last handshake failed" }).waitFor()
    await page.locator(".note.bad", { hasText: "answered 401" }).waitFor()
    await page.getByText("Token A was mistyped").waitFor()
    await page.locator(".sequence .message.bad").first().waitFor()
    await page.getByText("What to tell the partner").click()
    const letter = await page.locator(".copyable .code").innerText()
    assert.match(letter, /Our request: GET http:\/\/.+\/ocpi\/versions/)
    assert.match(letter, /X-Request-ID: \S+/)
    assert.match(letter, /HTTP 401/)
    assert.notInclude(letter, "nobody-knows")
    await isClean("failed")
  }, 60_000)

  it("whose Token A was mistyped is registered again with the right one", async () => {
    const { page } = console
    const { partnerBaseUrl, tokenA } = await makePartner()
    const { _id } = await call("POST", "/connections", {
      partnerBaseUrl,
      tokenA: "mistyped-token-0001",
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      label: "mistyped"
    })
    await call("POST", `/connections/${_id}/handshake`, {})
    await show(page, `${service.url}/connections/${_id}`)
    await page.getByRole("button", { name: "Register again" }).click()
    const dialog = page.getByRole("dialog", { name: "Register again" })
    await dialog.getByLabel("Token A").fill(tokenA)
    await isClean("register again")
    await dialog.getByRole("button", { name: "Register again" }).click()
    await dialog.waitFor({ state: "detached" })
    await page.locator(".page-head .badge", { hasText: "Registered" }).waitFor()
    assert.notInclude(await page.content(), tokenA)
  }, 60_000)

  it("is invited where nobody has a token yet, and its URL is judged while it is typed", async () => {
    const { page } = console
    await show(page, `${service.url}/connections/new?version=2.2.1&label=asked`)
    await page.getByLabel("Versions URL of the partner").fill("http://192.168.1.20/ocpi/versions")
    await page.getByText(/^plugfest may not call this address\./).waitFor()
    await page.getByText("EGRESS_ALLOW_CIDRS=192.168.0.0/16 npx plugfest serve").waitFor()
    await isClean("refused")
    await page.getByLabel("Versions URL of the partner").fill("https://8.8.8.8/ocpi/versions")
    await page.getByText(/^plugfest may call this address\./).waitFor()
    assert.strictEqual(await page.getByText("EGRESS_ALLOW_CIDRS=").count(), 0)
    await page.getByLabel("I have none yet").check()
    await page.getByLabel("Token A").waitFor({ state: "detached" })
    await isClean("no token")
    await page.getByRole("button", { name: "Invite the partner" }).click()
    await page.getByRole("heading", { name: "asked is entered, and invited" }).waitFor()
    const [url, token] = await page.locator(".copyable .code").allInnerTexts()
    assert.match(url!, /\/ocpi\/versions$/)
    assert.isAbove(token!.length, 20)
    await isClean("invited")
    await page.getByRole("link", { name: "I have both: wait for the partner" }).click()
    await page.getByText(/open, until/).waitFor()
    const toSend = page.getByRole("region", { name: "What to send to the partner" })
    await toSend.getByText(url!, { exact: true }).waitFor()
    await toSend.getByText("A message with what the partner has to do").click()
    await toSend.getByText("POST your credentials to the credentials endpoint").waitFor()
    await isClean("what to send")
    const address = page.url()
    await show(page, `${service.url}/`)
    const waiting = page.getByRole("region", { name: "Waiting for the partner or the clock" })
    const row = waiting.getByRole("listitem").filter({ hasText: "asked" })
    await row.getByText("The partner has to act: register with the Token A that you sent to it").waitFor()
    await row.getByText(/^invited /).waitFor()
    await row.getByRole("link", { name: "asked" }).click()
    await page.waitForURL(address)
    // The partner gave no Token A: nothing that would need one is offered.
    await page.getByRole("button", { name: "Register with a Token A" }).waitFor()
    assert.strictEqual(await page.getByRole("button", { name: "Register", exact: true }).count(), 0)
    assert.strictEqual(await page.getByRole("button", { name: "Diagnose" }).count(), 0)
  }, 60_000)

  it("rotates its tokens", async () => {
    const { page } = console
    const id = await registered("rotated")
    await show(page, `${service.url}/connections/${id}`)
    await page.getByRole("button", { name: "Rotate tokens" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Rotate the tokens" }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByRole("button", { name: /^plugfest to partner: PUT credentials/ }).waitFor()
    const exchanges = await call("GET", `/connections/${id}/exchanges?limit=1000`)
    assert.isTrue(exchanges.some(({ operation }: any) => operation === "PUT credentials"))
    await isClean("rotated")
  }, 60_000)

  it("invites the partner, whose registration then shows by itself", async () => {
    const { page } = console
    const id = await connected("invited", { tokenA: "never-used-token-0001" })
    await show(page, `${service.url}/connections/${id}`)
    await page.getByRole("button", { name: "Invite the partner" }).click()
    await page.getByRole("button", { name: "Issue a Token A" }).click()
    await page.getByText("The token is shown this once").waitFor()
    const [url, token] = await page.getByRole("dialog").locator(".code").allInnerTexts()
    assert.match(url!, /\/ocpi\/versions$/)
    assert.isAbove(token!.length, 20)
    await isClean("invited")
    await page.keyboard.press("Escape")
    await page.getByText(/open, until/).waitFor()
    await page.getByRole("heading", { name: "Waiting for the partner" }).waitFor()
    await isClean("waiting for the partner")
    // The partner comes by an invitation of its own making: the same, begun by the sandbox. The page is left alone.
    await call("POST", "/sandbox/partners", { theirRole: "CPO", ocpiVersion: "2.2.1", initiate: id })
    await page.getByRole("button", { name: /^partner to plugfest: POST credentials/ }).waitFor()
    await page.locator(".page-head .badge", { hasText: "Registered" }).waitFor()
    await page.getByRole("heading", { name: "Handshake", exact: true }).waitFor()
    await isClean("registered by the partner")
    // What nobody waits for is not asked for.
    await page.waitForTimeout(6_000)
    let asked = 0
    page.on("request", (request) => {
      if (request.url().includes(`/connections/${id}`)) asked += 1
    })
    await page.waitForTimeout(5_000)
    assert.strictEqual(asked, 0)
  }, 120_000)

  it("sends a command with the partner's own objects, and shows the result that comes later", async () => {
    const { page } = console
    const id = await registered("commanded")
    await show(page, `${service.url}/connections/${id}?tab=commands`)
    const location = page.getByLabel("location_id")
    await location.waitFor()
    const listed = await call("GET", `/connections/${id}/exchanges?order=newest&limit=20`)
    const bodies = listed.map(({ response }: any) => response?.body ?? "").join("")
    assert.include(bodies, `"${await location.inputValue()}"`)
    await isClean("command")
    await page.getByLabel("token.uid").fill("CHANGED-UID-1")
    await page.getByRole("button", { name: "Send START_SESSION" }).click()
    await page.waitForURL(/sent=cmd_/)
    const outcome = page.getByRole("region", { name: "What came of it" })
    await outcome.locator(".badge", { hasText: "Confirmed" }).waitFor({ timeout: 60_000 })
    await outcome.getByText("in time").waitFor()
    const commandId = new URL(page.url()).searchParams.get("sent")
    const { exchange } = await call("GET", `/testing/commands/${commandId}`)
    assert.strictEqual(JSON.parse(exchange.request.body).token.uid, "CHANGED-UID-1")
    await isClean("command, sent")

    await page.getByRole("combobox", { name: /^Command/ }).selectOption("STOP_SESSION")
    await page.getByLabel("session_id").waitFor()
    await page.getByRole("button", { name: "As JSON" }).click()
    await page.getByLabel("Fields, as a JSON object").fill('{"session_id": 7}')
    await page.getByRole("button", { name: "Send STOP_SESSION" }).click()
    await page.getByRole("alert").filter({ hasText: "payload.session_id" }).waitFor()
    // The browser notes the refusal itself.
    assert.match(console.trouble.splice(0).join("\n"), /^Failed to load.* 400 \(Bad Request\)$/)
  }, 120_000)

  it("shows the newest exchanges first, those of one direction, and the older ones", async () => {
    const { page } = console
    const id = await registered("busy")
    for (let at = 0; at < 20; at++) await call("POST", `/connections/${id}/preflight`, {})
    await show(page, `${service.url}/connections/${id}?tab=exchanges`)
    const rows = page.locator(".exchange-button")
    assert.strictEqual(await rows.count(), 50)
    await page.getByRole("button", { name: "Show older exchanges" }).click()
    await until("the older ones", async () => ((await rows.count()) > 50 ? true : undefined))
    await page.getByLabel("Module").selectOption("credentials")
    await until("those of a module", async () => ((await rows.count()) < 10 ? true : undefined))
    const saved = page.waitForEvent("download")
    await page.getByRole("button", { name: "Save as HAR" }).click()
    const { log } = JSON.parse(readFileSync(await (await saved).path(), "utf8"))
    assert.strictEqual(log.entries.length, await rows.count())
    await page.getByLabel("Module").selectOption("")
    await page.getByRole("button", { name: "From the partner" }).click()
    await page.waitForURL(/direction=inbound/)
    await until("those of one direction", async () => ((await rows.count()) < 50 ? true : undefined))
    assert.notInclude((await rows.allInnerTexts()).join(), "plugfest →")
    await isClean("exchanges")
  }, 90_000)

  it("shows its runs a page at a time, and so does the page of all runs", async () => {
    const { page } = console
    const id = await registered("tested often")
    const order = { connectionId: id, suiteId: "ocpi-2.2.1-cpo-core", checks: ["LOC-001"] }
    const { _id } = await call("POST", "/testing/runs?wait=30&until=end", order)
    // 99 runs before it: two whole pages.
    await rowsOf(
      database,
      `insert into run select (jsonb_populate_record(r, jsonb_build_object(
         'run_id', 'run_' || lpad(to_hex(n), 32, '0'), 'report_id', 'rep_' || lpad(to_hex(n), 32, '0'),
         'head_hash', sha256(n::text::bytea)::text))).*
       from run r, generate_series(1, 99) n where r.report_id = $1`,
      [_id]
    )
    const asked: Array<URLSearchParams> = []
    page.on("request", (request) => {
      const { pathname, searchParams } = new URL(request.url())
      if (pathname === "/api/v1/testing/runs") asked.push(searchParams)
    })
    for (const [path, filter] of [
      [`/connections/${id}?tab=runs`, id],
      ["/runs", null]
    ] as const) {
      asked.length = 0
      await show(page, `${service.url}${path}`)
      const list = page.getByRole("region", { name: "Runs" })
      const links = () =>
        list
          .getByRole("listitem")
          .getByRole("link")
          .evaluateAll((all) => all.map((one: any) => one.href))
      await list.getByRole("listitem").first().waitFor()
      assert.lengthOf(await links(), 50)
      const older = list.getByRole("button", { name: "Show older runs" })
      await older.click()
      await until("100 runs", async () => ((await links()).length === 100 ? true : undefined))
      assert.strictEqual(new Set(await links()).size, 100)
      assert.strictEqual(await older.count(), 0)
      const pages = asked.filter((query) => query.get("limit") === "51")
      assert.lengthOf(new Set(pages.map((query) => query.get("cursor"))), 2)
      assert.isTrue(pages.every((query) => query.get("connectionId") === filter))
      await isClean(path)
    }
  }, 120_000)

  it("that the partner has lost is unregistered and entered again from the report that says so", async () => {
    const { page } = console
    const partner = await quietPartner()
    try {
      const order = {
        partnerBaseUrl: partner.versionsUrl,
        tokenA: "quiet-partner-token_A.0123456789",
        ourRole: "EMSP",
        theirRole: "CPO",
        ocpiVersion: "2.2.1",
        label: "forgetful"
      }
      const { _id: id } = await call("POST", "/connections", order)
      await call("POST", `/connections/${id}/handshake`, {})
      const suite = { connectionId: id, suiteId: "ocpi-2.2.1-cpo-smoke" }
      await call("POST", "/testing/runs?wait=30&until=end", suite)
      partner.instead = (_, response) => {
        response.writeHead(401, { "content-type": "text/plain" })
        response.end("who are you?")
        return true
      }
      const { _id: report } = await call("POST", "/testing/runs?wait=30&until=end", suite)
      await show(page, `${service.url}/runs/${report}`)
      const advice = page.getByRole("region", { name: "Register anew" })
      await advice.getByText("the partner has lost the registration").waitFor()
      assert.strictEqual(
        new URL(
          (await advice.getByRole("link", { name: "enter the partner again" }).getAttribute("href"))!,
          service.url
        ).searchParams.get("url"),
        partner.versionsUrl
      )
      await isClean("lost")
      await advice.getByRole("link", { name: "Unregister the connection forgetful" }).click()
      await page.getByRole("button", { name: "Unregister" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Unregister" }).click()
      await page.waitForURL(/\/connections\/new\?/)
      partner.instead = undefined
      assert.strictEqual(
        await page.getByLabel("Versions URL of the partner").inputValue(),
        partner.versionsUrl
      )
      assert.strictEqual(await page.getByLabel("Label").inputValue(), "forgetful")
      await page.getByLabel("Token A").fill("quiet-partner-token_A.new.0123456789")
      await page.getByRole("button", { name: "Enter the partner" }).click()
      await page.waitForURL(/\/connections\/conn_/)
      await page.getByRole("button", { name: "Register", exact: true }).click()
      await page.locator(".page-head .badge", { hasText: "Registered" }).waitFor()
      await show(page, `${service.url}/runs/${report}`)
      await advice.getByText("is unregistered already").waitFor()
      // The browser notes that the connection is not there.
      assert.match(console.trouble.splice(0).join("\n"), /^(Failed to load.* 404 \(Not Found\)\n?)+$/)
    } finally {
      partner.close()
    }
  }, 120_000)

  it("is set by hand where detection is not wanted", async () => {
    const { page } = console
    const id = await registered("dialect")
    await show(page, `${service.url}/connections/${id}`)
    await page.getByRole("button", { name: "Override" }).click()
    await page.getByLabel("Largest page").fill("17")
    await page.getByLabel("Token to the partner").selectOption("base64")
    await isClean("dialect")
    await page.getByRole("button", { name: "Set", exact: true }).click()
    await page.getByRole("dialog").waitFor({ state: "detached" })
    await page.getByText("set by hand").first().waitFor()
    const { dialect } = await call("GET", `/connections/${id}`)
    assert.strictEqual(dialect.pageLimit, 17)
    assert.deepStrictEqual([...dialect.overridden].sort(), ["pageLimit", "tokenEncoding.outbound"])
  }, 60_000)

  it("is listed with its dialect and the verdicts of its last suite and its last journey", async () => {
    const { page } = console
    const label = "a partner that is listed with a label that is as long as labels of people become"
    const id = await registered(label)
    await call("PUT", `/connections/${id}/dialect`, { pageLimit: 20 })
    await call("POST", "/testing/runs?wait=30&until=end", {
      connectionId: id,
      suiteId: "ocpi-2.2.1-cpo-core",
      checks: ["LOC-001"]
    })
    const { reportId } = await call("POST", "/testing/journey-runs", {
      connectionId: id,
      templateId: "first-reads"
    })
    await call("GET", `/testing/runs/${reportId}?wait=30&until=end`)
    const row = page.getByRole("listitem").filter({ hasText: label })
    for (const width of [1280, 700, 375]) {
      await page.setViewportSize({ width, height: 900 })
      await show(page, `${service.url}/connections?q=listed`)
      await row.getByText("dialect overridden").waitFor()
      for (const kind of ["Suite", "Journey"])
        await row.locator(".last-runs > span", { hasText: kind }).locator(".badge").waitFor()
      await isClean(`list, ${width}`)
    }
    await page.setViewportSize({ width: 1280, height: 900 })
    await row.locator(".last-runs > span", { hasText: "Journey" }).getByRole("link").click()
    await page.waitForURL(/\/journeys\/run_/)
  }, 90_000)

  it("is unregistered and forgotten", async () => {
    const { page } = console
    const id = await registered("gone soon")
    await show(page, `${service.url}/connections/${id}`)
    await page.getByRole("button", { name: "Unregister" }).click()
    await page.getByRole("dialog").getByRole("button", { name: "Unregister" }).click()
    await page.waitForURL(/\/connections$/)
    await page.getByText("gone soon").waitFor({ state: "detached" })
    assert.strictEqual((await service.call("GET", `/api/v1/connections/${id}`)).status, 404)
  }, 60_000)
})
