/** Pages of a partner, its reports, the sandbox and the settings in every state and look: clean, and in the words of people. */
import type { Page } from "playwright-core"
import { afterAll, assert, beforeAll, describe, inject, it } from "vitest"
import { chromium } from "../support/chromium.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { type Service, startService, until } from "../support/service/Service.ts"
import { type ConsoleBrowser, openConsole, show } from "./support/ConsoleBrowser.ts"
import { flawsOf } from "./support/isClean.ts"

const suiteId = "ocpi-2.2.1-cpo-core"

/** A page with its address and what is done on it before it is looked at. */
interface Shown {
  readonly path: string
  readonly prepare?: (page: Page) => Promise<unknown>
  /** What is scrolled to the top for the picture. */
  readonly at?: string
}

describe.runIf(chromium !== undefined)("the pages of a partner", () => {
  let service: Service
  let console: ConsoleBrowser
  const ids = { connection: "", failed: "", report: "", partner: "" }
  const call = async (method: string, path: string, body: unknown = {}) =>
    (await service.call(method, `/api/v1${path}`, method === "GET" ? undefined : body)).body.data

  beforeAll(async () => {
    service = await startService({ DATABASE_URL: await migratedDatabase(inject("pgUrl")) })
    const order = { ourRole: "EMSP", theirRole: "CPO", ocpiVersion: "2.2.1" }
    const connected = async (label: string, given?: string) => {
      const faults = ["locations.numeric-coordinates", "locations.unknown-status"]
      const partner = await call("POST", "/sandbox/partners", {
        theirRole: "CPO",
        ocpiVersion: "2.2.1",
        faults
      })
      const { partnerBaseUrl, tokenA } = partner
      const { _id } = await call("POST", "/connections", {
        ...order,
        partnerBaseUrl,
        tokenA: given ?? tokenA,
        label
      })
      await call("POST", `/connections/${_id}/handshake`)
      return { id: _id as string, partner: partner._id as string }
    }
    const { id, partner } = await connected("Faulty CPO")
    Object.assign(ids, {
      connection: id,
      partner,
      failed: (await connected("Locked out", "unknown-token-0001")).id
    })
    const accept = [
      { checkId: "LOC-003", reason: "Mended in release 4", owner: "Ada", expires: "2099-01-01" }
    ]
    const run = { connectionId: id, suiteId, accept }
    ids.report = (await call("POST", "/testing/runs", run))._id
    await until(
      "the end of the run",
      async () =>
        (await call("GET", `/testing/runs/${ids.report}`)).status === "completed" ? true : undefined,
      90_000
    )
    console = await openConsole(service)
  }, 180_000)
  afterAll(async () => {
    await console?.close()
    await service?.kill()
  })

  /** Each page in each look: no violation, nothing wider than the window, no word of the API, nothing that its policy refuses. */
  const look = async (pages: Readonly<Record<string, Shown>>, isPictured: boolean) => {
    const { page, trouble } = console
    const found: Array<string> = []
    for (const [name, { at, path, prepare }] of Object.entries(pages)) {
      await show(page, `${service.url}${path}`)
      await prepare?.(page)
      found.push(...(await flawsOf(page, name, { isPictured, at: at ?? "body" })))
      const text = await page.locator("body").innerText()
      for (const [odd] of text.matchAll(
        /.{0,40}(listenSeconds|\b(POST|PUT|DELETE) \/api|GET \/testing|`).{0,40}/g
      ))
        found.push(`${name}: ${odd}`)
    }
    assert.deepStrictEqual(found, [])
    assert.deepStrictEqual(trouble, [])
  }
  const button = (name: string | RegExp) => (page: Page) => page.getByRole("button", { name }).first().click()

  it("are clean in each look, and speak of pages instead of requests", async () => {
    const connection = `/connections/${ids.connection}`
    await look(
      {
        connection: {
          path: connection,
          prepare: button(/^plugfest to partner: POST credentials/)
        },
        "connection-failed": { path: `/connections/${ids.failed}` },
        "connection-invite": { path: "/connections/new?token=none" },
        "connection-exchanges": {
          path: `${connection}?tab=exchanges`,
          prepare: (page) => page.locator(".exchange-button").first().click()
        },
        "connection-commands": { path: `${connection}?tab=commands` }
      },
      true
    )
  }, 300_000)

  it("are clean where its reports, the sandbox and the settings are, too", async () => {
    await look(
      {
        "suite-order": {
          path: `/suites?connection=${ids.connection}&suite=${suiteId}&from=${ids.report}&accept=LOC-007`,
          prepare: (page) => page.getByText(/^About .+ checks\.$/).waitFor(),
          at: ".start"
        },
        "report-check": {
          path: `/runs/${ids.report}?outcome=failed.warned&check=LOC-007`,
          prepare: (page) => page.locator(".check-detail .exchange mark").waitFor(),
          at: ".check-detail"
        },
        "report-exchanges": {
          path: `/runs/${ids.report}?tab=exchanges`,
          prepare: (page) => page.locator(".check-row").nth(3).click()
        },
        "sandbox-requests": {
          path: `/sandbox?requests=${ids.partner}`,
          prepare: (page) => page.locator(".exchange-button").first().waitFor()
        },
        "sandbox-faults": { path: "/sandbox", prepare: button("Faults") },
        "settings-account": { path: "/settings?tab=account" },
        "settings-egress": {
          path: "/settings?tab=egress&url=http%3A%2F%2F192.168.1.20%2Focpi%2Fversions",
          prepare: (page) => page.getByText("EGRESS_ALLOW_CIDRS=192.168.0.0/16 npx plugfest serve").waitFor()
        },
        "settings-audit": { path: "/settings?tab=audit" },
        "settings-about": { path: "/settings?tab=about" }
      },
      true
    )
  }, 300_000)

  it("are clean with a dialog, the palette or the shortcuts open", async () => {
    const connection = `/connections/${ids.connection}`
    const keys = (combination: string) => (page: Page) => page.keyboard.press(combination)
    await look(
      {
        rotate: { path: connection, prepare: button("Rotate tokens") },
        unregister: { path: connection, prepare: button("Unregister") },
        dialect: { path: connection, prepare: button("Override") },
        again: { path: `/connections/${ids.failed}`, prepare: button("Register again") },
        invite: { path: `/connections/${ids.failed}`, prepare: button("Invite the partner") },
        remove: { path: "/sandbox", prepare: button("Remove") },
        roll: { path: "/settings", prepare: button("Roll") },
        revoke: { path: "/settings", prepare: button("Revoke") },
        palette: { path: "/connections", prepare: keys("Control+k") },
        shortcuts: { path: "/connections", prepare: keys("?") }
      },
      false
    )
  }, 300_000)
})
