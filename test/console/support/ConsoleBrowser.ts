/** A browser at the console of a built service: signed in, with everything noted that a page must not do. */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Browser, Page } from "playwright-core"
import { launchChromium } from "../../support/chromium.ts"
import { key, type Service } from "../../support/service/Service.ts"

/** The script that `violations` needs. */
export const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

export interface ConsoleBrowser {
  readonly browser: Browser
  readonly page: Page
  /** Errors, refused styles and scripts, dialogs, and requests to others. */
  readonly trouble: Array<string>
  readonly close: () => Promise<void>
}

/** Opens the console and signs in with the bootstrap key. */
export async function openConsole(service: Service): Promise<ConsoleBrowser> {
  const browser = await launchChromium()
  // The policy of the page refuses scripts of others, and axe is one.
  const context = await browser.newContext({
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce"
  })
  await context.addInitScript(axe)
  const page = await context.newPage()
  const trouble: Array<string> = []
  page.on("console", (message) => {
    // That nobody is signed in yet is an answer of status 401.
    if (message.type() === "error" && !/status of 401/.test(message.text())) trouble.push(message.text())
  })
  page.on("pageerror", (error) => trouble.push(error.message))
  page.on("dialog", (dialog) => {
    trouble.push(`dialog ${dialog.message()}`)
    void dialog.dismiss()
  })
  page.on("request", (request) => {
    if (!request.url().startsWith(service.url) && !/^(data|blob):/.test(request.url()))
      trouble.push(request.url())
  })
  await signIn(page, `${service.url}/connections?q=x`, key)
  await page.getByRole("heading", { name: "Connections" }).waitFor()
  return { browser, page, trouble, close: () => browser.close() }
}

/** Signs in with a key at a page that asks for one, and waits until it does not ask: leaving it sooner ends the request. */
export async function signIn(page: Page, url: string, secret: string): Promise<void> {
  await page.goto(url)
  await page.getByLabel("API key").fill(secret)
  const button = page.getByRole("button", { name: "Sign in" })
  await button.click()
  await button.waitFor({ state: "detached" })
}

/** The rules of axe that depend on colours. */
const colourRules = JSON.stringify(["color-contrast", "link-in-text-block"])

/**
 * What axe finds on the page, a line for each rule that is broken. In the dark look, of a page that was looked at in the
 * light, only the rules about colours: nothing else changes with them.
 */
export const violations = (page: Page, look = "light"): Promise<ReadonlyArray<string>> =>
  page.evaluate(`axe.run(document, { resultTypes: ["violations"]${look === "dark" ? `, runOnly: ${colourRules}` : ""} }).then(({ violations }) =>
    violations.map(({ id, nodes }) => id + ": " + nodes.slice(0, 4).map(({ html, failureSummary }) => html.slice(0, 160) + " " + failureSummary.slice(0, 200)).join(" | ")))`)

/** By how many pixels the page is wider than its window. */
export const overflow = (page: Page): Promise<number> =>
  page.evaluate("document.documentElement.scrollWidth - window.innerWidth")

/** Shows a page of the console, and waits until nothing is being read. */
export async function show(page: Page, url: string): Promise<void> {
  await page.goto(url)
  await page.locator("h1").first().waitFor()
  // One part of a page may begin to read when another has ended.
  for (let calm = 0; calm < 3; ) {
    calm = (await page.locator(".waiting-bars").count()) === 0 ? calm + 1 : 0
    await page.waitForTimeout(50)
  }
}
