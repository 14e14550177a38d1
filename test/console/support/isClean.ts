/** A page as it is, in each look: by the rules of axe, by its width, and as a picture. */
import type { Page } from "playwright-core"
import { assert } from "vitest"
import { overflow, violations } from "./ConsoleBrowser.ts"
import { lookAt, looks, looksInTurn, picture } from "./pictures.ts"

export interface LookOptions {
  /** Keeps a picture of each look, when pictures are made. */
  readonly isPictured?: boolean
  /** The subject, which is scrolled to the top of the window in each look. */
  readonly at?: string
  /** The same in the narrow look only: in a wide window it is in sight. */
  readonly narrowAt?: string
}

/** What is wrong with the page in the looks of this commit, a line each: a rule of axe that is broken, or what is wider than the window. */
export async function flawsOf(
  page: Page,
  name: string,
  { at, isPictured = false, narrowAt }: LookOptions = {}
): Promise<ReadonlyArray<string>> {
  const found: Array<string> = []
  for (const look of looksInTurn) {
    const [lookName] = look
    await lookAt(page, look)
    for (const line of await violations(page, lookName)) found.push(`${name} ${lookName}: ${line}`)
    const wider = await overflow(page)
    if (wider > 0) found.push(`${name} ${lookName}: ${wider} pixels too wide`)
    if (!isPictured) continue
    const subject = at ?? (lookName === "narrow" ? narrowAt : undefined)
    if (subject !== undefined)
      await page
        .locator(subject)
        .first()
        .evaluate((element) => element.scrollIntoView({ block: "start" }))
    await picture(page, name, lookName)
  }
  await lookAt(page, looks[0])
  return found
}

/** Fails where anything is wrong with the page in any look of this commit. */
export const isClean = async (page: Page, name: string, options?: LookOptions): Promise<void> =>
  assert.deepStrictEqual(await flawsOf(page, name, options), [])
