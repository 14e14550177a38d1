/** The looks in which pages are looked at, and the pictures of the documentation. */
import { mkdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import type { Page } from "playwright-core"

/** Name, width in pixels, colours. */
export const looks = [
  ["light", 1280, "light"],
  ["dark", 1280, "dark"],
  ["narrow", 375, "light"]
] as const

/** Gives the page a look. */
export async function dress(page: Page, [, width, colorScheme]: (typeof looks)[number]): Promise<void> {
  await page.setViewportSize({ width, height: 900 })
  await page.emulateMedia({ colorScheme, reducedMotion: "reduce" })
}

/** Where the documentation's pictures go, when tests are played to make them. */
const pictures =
  process.env["CONSOLE_PICTURES"] === undefined
    ? undefined
    : join(dirname(fileURLToPath(import.meta.url)), "../../../docs/images")

/** Takes a picture of what is in sight, when pictures are made. */
export async function picture(page: Page, name: string, look: string): Promise<void> {
  if (pictures === undefined) return
  mkdirSync(pictures, { recursive: true })
  await page.screenshot({ path: join(pictures, `${name}-${look}.jpeg`), type: "jpeg", quality: 45 })
}
