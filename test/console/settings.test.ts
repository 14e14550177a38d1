/** Settings and the sandbox in the console, and what a page of somebody else can do with its session. */
import { createServer, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { chromium } from "../support/chromium.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { key, type Service, startService, until } from "../support/service/Service.ts"
import { storedRows } from "../support/service/storedRows.ts"
import { tried } from "../support/tried.ts"
import { type ConsoleBrowser, openConsole, show, signIn } from "./support/ConsoleBrowser.ts"
import { isClean } from "./support/isClean.ts"

describe.runIf(chromium !== undefined)("the settings in the console", () => {
  let database: string
  let service: Service
  let console: ConsoleBrowser
  const call = async (method: string, path: string, body?: unknown) =>
    (await service.call(method, `/api/v1${path}`, body)).body.data
  const opens = async (apiKey: string) =>
    (await service.call("GET", "/api/v1/machines", undefined, { authorization: `Bearer ${apiKey}` })).status

  beforeAll(async () => {
    database = await migratedDatabase(inject("pgUrl"))
    service = await startService({ DATABASE_URL: database })
    console = await openConsole(service)
  }, 120_000)
  afterAll(async () => {
    await console?.close()
    await service?.kill()
  })

  /** What a forged request could make; a sandbox partner of an earlier test goes on with its own objects meanwhile. */
  const owned = async () => {
    const { api_key, connection, session, sign_in_code } = await storedRows(database)
    const partners = (await call("GET", "/sandbox/partners")).map(({ _id }: any) => _id)
    return { api_key, connection, session, sign_in_code, partners }
  }
  const isFine = async (what: string) => {
    await isClean(console.page, what)
    assert.deepStrictEqual(console.trouble, [], what)
  }

  it("make a key that is shown once, roll it with both alive, and revoke it", async () => {
    const { page } = console
    await show(page, `${service.url}/settings`)
    // The form is below the place of the new key, which comes into sight.
    await page.setViewportSize({ width: 1280, height: 320 })
    await page.getByLabel("Name").fill("pipeline")
    await page.getByRole("button", { name: "Make the key" }).click()
    const made = page.getByText("Copy the key now")
    await made.waitFor()
    await until("the new key in sight", async () =>
      ((await made.boundingBox())?.y ?? -1) >= 0 ? true : undefined
    )
    await page.setViewportSize({ width: 1280, height: 900 })
    const first = await page.locator(".copyable .code").innerText()
    assert.strictEqual(await opens(first), 200)
    await isFine("made")
    await page.getByRole("button", { name: "I have it" }).click()
    await page.getByText("Copy the key now").waitFor({ state: "detached" })
    assert.notInclude(await page.content(), first)

    const row = page.locator(".key-list li", { hasText: "pipeline" })
    await row.getByRole("button", { name: "Roll" }).click()
    await page.getByLabel("Days for which the old key goes on").fill("2")
    await page.getByRole("dialog").getByRole("button", { name: "Make the new key" }).click()
    await page.getByText("Copy the key now").waitFor()
    const second = await page.locator(".copyable .code").innerText()
    assert.notStrictEqual(second, first)
    assert.deepStrictEqual([await opens(first), await opens(second)], [200, 200])
    await page.getByRole("button", { name: "I have it" }).click()

    const newest = page.locator(".key-list li", { hasText: second.slice(-4) })
    await newest.getByRole("button", { name: "Revoke" }).click()
    await isFine("revoke?")
    assert.strictEqual(await page.getByText("You are signed in with it").count(), 0)
    await page.getByRole("dialog").getByRole("button", { name: "Revoke" }).click()
    await newest.getByText("revoked").waitFor()
    assert.deepStrictEqual([await opens(first), await opens(second)], [200, 401])
    await page
      .locator(".key-list li", { hasText: "bootstrap" })
      .getByRole("button", { name: "Revoke" })
      .click()
    await page.getByText("You are signed in with it, and will be signed out.").waitFor()
    await page.keyboard.press("Escape")
  }, 90_000)

  it("copy a text where the browser has no clipboard for pages, as on http hosts", async () => {
    const context = await console.browser.newContext()
    await context.addInitScript("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    const page = await context.newPage()
    await signIn(page, `${service.url}/settings`, key)
    await page.getByLabel("Name").fill("copied")
    await page.getByLabel("Expires after days").fill("7")
    await page.getByRole("button", { name: "Make the key" }).click()
    await page.getByRole("button", { name: "Copy" }).click()
    await page.getByRole("button", { name: "Copied" }).waitFor()
    const day = new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)
    await page.getByText(`expires ${day}`).waitFor()
    await context.close()
  }, 60_000)

  it("offer a key nothing that its scopes do not allow, and say so", async () => {
    const { key: secret } = await call("POST", "/settings/api-keys", { name: "looker", scopes: ["read"] })
    const partner = await call("POST", "/sandbox/partners", { theirRole: "CPO", ocpiVersion: "2.2.1" })
    const { _id } = await call("POST", "/connections", {
      partnerBaseUrl: partner.partnerBaseUrl,
      tokenA: partner.tokenA,
      ourRole: "EMSP",
      theirRole: "CPO",
      ocpiVersion: "2.2.1"
    })
    const context = await console.browser.newContext()
    const page = await context.newPage()
    await signIn(page, `${service.url}/settings`, secret)
    for (const [path, scope] of [
      ["/settings", "keys:write"],
      ["/connections/new", "connections:write"],
      [`/connections/${_id}`, "connections:write"],
      [`/suites?connection=${_id}&suite=ocpi-2.2.1-cpo-core`, "run"],
      ["/sandbox", "connections:write"],
      ["/", "connections:write"]
    ] as const) {
      await page.goto(`${service.url}${path}`)
      await page.getByText(`it lacks the scope ${scope}`).first().waitFor()
      for (const name of [
        /^Make/,
        /^Roll/,
        /^Revoke/,
        /^Register/,
        /^Invite/,
        /^Forget/,
        /^Start/,
        /^Remove/,
        /^Try/,
        /^Override/
      ])
        assert.strictEqual(await page.getByRole("button", { name }).count(), 0, `${path} ${name}`)
    }
    await context.close()
  }, 60_000)

  it("end the session of a browser whose key is revoked", async () => {
    const { key: secret, _id } = await call("POST", "/settings/api-keys", {
      name: "short",
      scopes: ["read"]
    })
    const context = await console.browser.newContext()
    const page = await context.newPage()
    await signIn(page, `${service.url}/settings?tab=account`, secret)
    await page.getByText("Capabilities").waitFor()
    await call("DELETE", `/settings/api-keys/${_id}`)
    await page.getByRole("tab", { name: "Audit" }).click()
    await page.getByLabel("API key").waitFor()
    assert.notInclude(await page.locator("body").innerText(), "Capabilities")
    await context.close()
  }, 60_000)

  it("say which rule decides about a URL, and what the service is", async () => {
    const { page } = console
    await show(page, `${service.url}/settings?tab=egress`)
    for (const [url, says] of [
      ["http://192.168.1.20/ocpi/versions", /^Refused by the address\..*EGRESS_ALLOW_CIDRS/],
      ["https://8.8.8.8/ocpi/versions", /^Allowed by public addresses\./],
      ["https://8.8.8.8:22/", /^Refused by the port\./]
    ] as const) {
      await page.getByLabel("URL").fill(url)
      await page.getByRole("button", { name: "Ask" }).click()
      await page.locator(".note", { hasText: says }).waitFor()
      await isFine(url)
    }
    await page.reload()
    await page.locator(".note", { hasText: "Refused by the port." }).waitFor()
    await show(page, `${service.url}/settings?tab=about`)
    await page.getByText(/plugfest \d+\.\d+\.\d+/).waitFor()
    await isFine("about")
    for (const [name, text] of [
      ["Licences and notices of all packages", /MIT License/i],
      ["Apache-2.0", /Apache License/]
    ] as const) {
      const href = await page.getByRole("link", { name }).getAttribute("href")
      const answer = await page.request.get(`${service.url}${href}`)
      assert.strictEqual(answer.status(), 200, name)
      assert.match(answer.headers()["content-type"] ?? "", /^text\/plain/)
      assert.match(await answer.text(), text)
    }
  }, 60_000)

  it("show the requests of a sandbox partner as they come", async () => {
    const { page } = console
    await show(page, `${service.url}/sandbox`)
    await page.getByRole("button", { name: "Make a partner" }).click()
    await page.getByRole("button", { name: "Requests" }).click()
    await page.getByText("Nothing was exchanged yet").waitFor()
    // The Token A that it was made with stood in an answer that this page has no more.
    await page.reload()
    const [partner] = await call("GET", "/sandbox/partners")
    await page.getByRole("button", { name: "Connect and register" }).click()
    await page.waitForURL(/\/connections\/conn_/)
    await page.getByRole("button", { name: "Rotate tokens" }).waitFor()
    // It has ended the registration: it can be registered with again, in the same connection.
    const connection = new URL(page.url()).pathname
    await call("DELETE", `/sandbox/partners/${partner._id}/registration`)
    await show(page, `${service.url}/sandbox`)
    await page
      .getByRole("article")
      .filter({ hasText: partner.partnerBaseUrl })
      .getByRole("button", { name: "Register", exact: true })
      .click()
    await page.waitForURL(`${service.url}${connection}`)
    await page.getByRole("button", { name: "Rotate tokens" }).waitFor()
    await show(page, `${service.url}/sandbox?requests=${partner._id}`)
    await page.locator(".exchange-button", { hasText: "POST" }).first().waitFor()
    const rows = await page.locator(".exchange-button").allInnerTexts()
    // The partner's own calls back are told apart from what it was asked.
    assert.isTrue(
      rows.some((row) => /plugfest →\s+POST\s+\/sandbox\//.test(row)),
      rows.join("\n")
    )
    assert.isTrue(
      rows.some((row) => /partner →\s+GET\s+\/ocpi\/versions/.test(row)),
      rows.join("\n")
    )
    await page.locator(".exchange-button").first().click()
    await page.waitForURL(/exchange=/)
    await isFine("requests")
  }, 60_000)

  it("switch a fault of a sandbox partner on and off", async () => {
    const { page } = console
    const made = await call("POST", "/sandbox/partners", { theirRole: "CPO", ocpiVersion: "2.2.1" })
    const faultsNow = async () => (await call("GET", `/sandbox/partners/${made._id}`)).faults
    const [fault, other] = ["locations.numeric-coordinates", "locations.unknown-status"]
    await show(page, `${service.url}/sandbox`)
    const card = page.getByRole("article").filter({ hasText: made.partnerBaseUrl })
    await card.getByText("conformant", { exact: true }).waitFor()
    await card.getByRole("button", { name: "Faults" }).click()
    await card.getByLabel("Search faults").fill(fault)
    await card.getByRole("checkbox", { name: fault }).click()
    await card.getByText("1 fault", { exact: true }).waitFor()
    assert.deepStrictEqual(await faultsNow(), [fault])
    await isFine("a fault that is on")
    await card.getByLabel("Search faults").fill(other)
    await card.getByRole("checkbox", { name: other }).click()
    await card.getByText("2 faults", { exact: true }).waitFor()
    assert.sameMembers(await faultsNow(), [fault, other])
    // After a reload the list is open as before. What is on stands on the card without the list, too.
    await page.reload()
    await card.getByRole("checkbox", { name: other, checked: true }).waitFor()
    await card.getByRole("button", { name: "Faults" }).click()
    await card.getByRole("listitem").filter({ hasText: fault }).waitFor()

    await card.getByRole("button", { name: "Faults" }).click()
    await card.getByRole("checkbox", { name: fault }).click()
    await card.getByText("1 fault", { exact: true }).waitFor()
    assert.deepStrictEqual(await faultsNow(), [other])

    // By keyboard: a fault that is switched keeps its place in the list, and the focus.
    await card.getByLabel("Search faults").fill("")
    const fifth = card.getByRole("checkbox").nth(4)
    const fifthName = await card.getByRole("listitem").nth(4).innerText()
    await fifth.focus()
    await page.keyboard.press("Space")
    await card.getByText("2 faults", { exact: true }).waitFor()
    assert.strictEqual(await card.getByRole("listitem").nth(4).innerText(), fifthName)
    assert.isTrue(await fifth.evaluate((box) => box === (globalThis as any).document.activeElement))
    await page.keyboard.press("Tab")
    await page.keyboard.press("Space")
    await page.keyboard.press("Tab")
    await page.keyboard.press("Space")
    await card.getByText("4 faults", { exact: true }).waitFor()
    assert.lengthOf(await faultsNow(), 4)
    await card.getByRole("button", { name: "Switch all off" }).click()
    await card.getByText("conformant", { exact: true }).waitFor()
    assert.deepStrictEqual(await faultsNow(), [])

    // Many of them are behind a summary.
    const library: ReadonlyArray<any> = await call("GET", "/sandbox/faults")
    const fitting = library.filter(
      ({ roles, versions }) => roles.includes("CPO") && versions.includes("2.2.1")
    )
    const many = fitting.slice(0, 20).map(({ id }) => id)
    await call("PUT", `/sandbox/partners/${made._id}/faults`, { faults: many })
    await show(page, `${service.url}/sandbox`)
    await card.getByText("The 20 faults that are switched on").click()
    await card.getByRole("listitem").filter({ hasText: many[19] }).waitFor()
    await call("DELETE", `/sandbox/partners/${made._id}`)
  }, 60_000)

  it("cannot be used by a page of another origin in the same browser, on another host or another port of this one", async () => {
    const { browser } = console
    let page: string | undefined
    const evil: Server = createServer((_, response) => {
      response.setHeader("content-type", "text/html")
      response.end(page)
    })
    await new Promise<void>((resolve) => evil.listen(0, () => resolve()))
    const { port } = evil.address() as AddressInfo
    const context = await browser.newContext()
    const victim = await context.newPage()
    await signIn(victim, `${service.url}/`, key)
    await victim.getByRole("heading", { name: "Home" }).waitFor()
    await victim.goto("about:blank")
    const before = await owned()

    const targets: ReadonlyArray<readonly [string, unknown]> = [
      ["/settings/api-keys", { name: "stolen", scopes: ["read"] }],
      ["/sandbox/partners", { theirRole: "CPO", ocpiVersion: "2.2.1" }],
      ["/session/links", {}]
    ]
    let tries = 0
    // The host 127.0.0.1 is the same site as the service's: there SameSite keeps nothing back.
    for (const origin of [`http://127.0.0.1:${port}`, `http://localhost:${port}`])
      for (const [path, body] of targets) {
        const to = `${service.url}/api/v1${path}`
        const json = JSON.stringify(body)
        for (const enctype of ["text/plain", "application/x-www-form-urlencoded"]) {
          const [start, end] = [json.slice(0, -1), json.slice(-1)]
          page = `<form method="post" enctype="${enctype}" action="${to}"><input name='${start},"x":"' value='"${end}'></form>`
          await victim.goto(origin)
          const [response] = await Promise.all([
            victim.waitForResponse((one) => one.url() === to),
            victim.evaluate("document.forms[0].submit()")
          ])
          assert.isAtLeast(response.status(), 400, `${enctype} ${origin} ${path}`)
          await victim.waitForURL(to)
          tries += 1
        }
        page = "<p>evil</p>"
        await victim.goto(origin)
        for (const init of [
          { mode: "no-cors", headers: {} },
          { mode: "cors", headers: { "content-type": "application/json" } },
          { mode: "cors", headers: { "content-type": "application/json", "x-plugfest-console": "1" } }
        ]) {
          const order = { ...init, method: "POST", credentials: "include", body: json }
          const seen = await victim.evaluate(
            ([url, given]) =>
              fetch(url as string, given as object).then(
                (answer) => [answer.type, answer.status],
                () => ["refused", 0]
              ),
            [to, order] as const
          )
          assert.include([0], seen[1], `${JSON.stringify(init)} ${origin} ${path}`)
          tries += 1
        }
      }
    assert.deepStrictEqual(await owned(), before)
    tried("B30", [`${tries} by forms and scripts of two other origins in a browser`], "no row changed")
    await context.close()
    await new Promise((resolve) => evil.close(resolve))
  }, 120_000)
})
