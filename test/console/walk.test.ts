/**
 * A new user's walk: from the link that `npm start` prints to a failing check that is understood, on a partner with a fault.
 * Prints the number of clicks and the seconds.
 */
import { spawn } from "node:child_process"
import { performance } from "node:perf_hooks"
import { assert, describe, inject, it } from "vitest"
import { chromium, launchChromium } from "../support/chromium.ts"
import { migratedDatabase } from "../support/service/database.ts"
import { bundle, environmentOf, freePort, key } from "../support/service/Service.ts"

/** What the user's own partner says of itself: a sandbox partner of another account would do as well. */
const partnerOf = async (url: string) => {
  const response = await fetch(`${url}/api/v1/sandbox/partners`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({
      theirRole: "CPO",
      ocpiVersion: "2.2.1",
      faults: ["locations.numeric-coordinates"]
    })
  })
  return ((await response.json()) as any).data as { partnerBaseUrl: string; tokenA: string }
}

describe.runIf(chromium !== undefined)("a new user", () => {
  it("goes from the printed link to a failing check, and finds what to change", async () => {
    const port = String(await freePort())
    const child = spawn(process.execPath, [bundle, "serve"], {
      env: environmentOf({
        DATABASE_URL: await migratedDatabase(inject("pgUrl")),
        PORT: port,
        BOOTSTRAP_API_KEY: key,
        LOG_FORMAT: "json"
      }),
      stdio: ["ignore", "pipe", "inherit"]
    })
    const browser = await launchChromium()
    try {
      await new Promise<void>((resolve) => {
        let said = ""
        child.stdout.on("data", (text) => {
          said += text
          if (said.includes("listening")) resolve()
        })
      })
      const url = `http://127.0.0.1:${port}`
      const { partnerBaseUrl, tokenA } = await partnerOf(url)
      // On a terminal it prints this link itself; `plugfest open` asks for it in the same way.
      const link = await fetch(`${url}/api/v1/session/links`, {
        method: "POST",
        headers: { authorization: `Bearer ${key}` }
      })
      const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
      const begun = performance.now()
      let clicks = 0
      const click = async (role: "button" | "link", name: string | RegExp) => {
        await page.getByRole(role, { name }).first().click()
        clicks += 1
      }
      const fill = async (label: string, text: string) => {
        await page.getByLabel(label).fill(text)
        clicks += 1
      }

      await page.goto(((await link.json()) as any).data.url)
      clicks += 1
      await click("link", "New connection")
      await fill("Versions URL of the partner", partnerBaseUrl)
      await page.getByLabel("OCPI version").selectOption("2.2.1")
      clicks += 1
      await fill("Token A", tokenA)
      await click("button", "Enter the partner")
      await page.getByText("Nothing stands in the way").waitFor()
      await click("button", "Register")
      await page.locator(".page-head .badge", { hasText: "Registered" }).waitFor()
      await click("link", "Test")
      await page
        .locator("li.card", { hasText: "only reads" })
        .first()
        .getByRole("button", { name: "Choose" })
        .click()
      clicks += 1
      await click("button", /^Start the run/)
      await page.waitForURL(/\/runs\/rep_/)
      await page.locator(".verdict-word", { hasText: "Failed" }).waitFor({ timeout: 120_000 })
      const graded = performance.now()
      await page.keyboard.press("f")
      clicks += 1
      const detail = page.locator(".check-detail")
      await detail.locator(".exchange mark").first().waitFor()
      // The rule, what was expected and seen, and the place in the partner's answer.
      const text = await detail.innerText()
      assert.match(text, /LOC-\d+/)
      assert.match(text, /Expected/i)
      assert.match(
        await detail.locator(".exchange mark").first().innerText(),
        /^\d|latitude|longitude|coordinates/
      )
      const seconds = (until: number) => ((until - begun) / 1000).toFixed(1)
      process.stdout.write(
        `walk: ${clicks} clicks and entries, ${seconds(performance.now())} s from the link to a failing check, ${seconds(graded)} s of it to the verdict\n`
      )
      assert.isAtMost(clicks, 12)
    } finally {
      await browser.close()
      child.kill("SIGTERM")
    }
  }, 240_000)
})
