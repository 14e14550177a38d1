/** The documentation's pictures, made while the console is tested with `CONSOLE_PICTURES` set. */
import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"
import { oneOf } from "../../support/sampled.ts"

/** Each page is looked at in these: name, width in pixels, colours. */
export const looks = [
  ["light", 1280, "light"],
  ["dark", 1280, "dark"],
  ["narrow", 375, "light"]
] as const

/** Those of this commit: all, or one with `npm test`. */
export const looksInTurn = looks.filter(oneOf(looks.length))

const folder =
  process.env["CONSOLE_PICTURES"] === undefined
    ? undefined
    : join(dirname(fileURLToPath(import.meta.url)), "../../../docs/images")

/** Sets width and colours of a look. */
export async function lookAt(page: Page, [, width, colorScheme]: (typeof looks)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
}

/** Keeps a picture of what is in sight, when pictures are made. */
export async function picture(page: Page, name: string, look: string): Promise<void> {
  if (folder === undefined) return
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}-${look}.jpeg`), type: "jpeg", quality: 45 })
}
