/** The report of a hostile partner, opened in a browser with scripts allowed: it does nothing. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { htmlOf } from "../../src/reports/html/page.ts"
import type { RunDocument } from "../../src/reports/RunDocument.ts"
import { chromium, launchChromium } from "../support/chromium.ts"
import { document, exchange, failed } from "../support/documents.ts"
import { attacks } from "../support/markupAttacks.ts"
import { tried } from "../support/tried.ts"

describe("a hostile partner's report in Chromium", () => {
  it.runIf(chromium !== undefined)(
    "runs no script, opens no dialog, asks for nothing, and shows the attack as text",
    async () => {
      const directory = await mkdtemp(join(tmpdir(), "plugfest-inert-"))
      const browser = await launchChromium()
      try {
        const page = await browser.newPage()
        const trouble: Array<string> = []
        page.on("dialog", async (dialog) => {
          trouble.push(`dialog ${dialog.message()}`)
          await dialog.dismiss()
        })
        page.on("console", (message) => trouble.push(message.text()))
        page.on("pageerror", (error) => trouble.push(error.message))
        page.on("request", (request) => {
          if (!request.url().startsWith("file:")) trouble.push(request.url())
        })
        for (const [index, attack] of attacks.entries()) {
          const file = join(directory, `${index}.html`)
          const said = exchange("exc_1")
          const hostile: RunDocument = {
            ...document,
            name: attack,
            reason: attack,
            leftBehind: [attack],
            report: { ...document.report, connectionLabel: attack },
            groups: [
              {
                ...document.groups[0]!,
                checks: [
                  {
                    ...failed,
                    title: attack,
                    actual: attack,
                    expected: attack,
                    message: attack,
                    hint: attack,
                    curl: attack
                  }
                ]
              }
            ],
            exchanges: [
              {
                stageId: attack,
                exchange: { ...said, request: { ...said.request, url: attack, body: attack } }
              }
            ]
          }
          await writeFile(file, htmlOf(hostile))
          await page.goto(`file://${file}`)
          for (const details of await page.locator("details").all()) {
            await details.evaluate((node) => node.setAttribute("open", ""))
          }
          assert.include(await page.locator("body").innerText(), attack.slice(0, 12))
          const links = await page
            .locator("a")
            .evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""))
          for (const link of links) assert.match(link, /^(#|https?:\/\/(?!evil))/, attack)
          assert.strictEqual(page.url(), `file://${file}`)
        }
        assert.deepStrictEqual(trouble, [])
        tried("B28", [`${attacks.length} attacks`], "0 dialogs, 0 requests, 0 errors")
      } finally {
        await browser.close()
        await rm(directory, { recursive: true, force: true })
      }
    },
    180_000
  )
})
