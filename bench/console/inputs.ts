/** What a user does on the pages of a run, by keyboard and mouse. */
import type { Page } from "playwright-core"

export const pause = (millis: number) => new Promise<void>((done) => setTimeout(done, millis))

/** Notes how long the page takes from an input to the next frame; the browser tells of those from 16 ms on. */
export const noteInteractions = `window.interactions = new Map()
new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries())
    if (interactionId > 0) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0))
}).observe({ type: "event", durationThreshold: 16, buffered: true })`

/** Plays inputs on the page of a journey run. */
export const interact = (page: Page, rounds: number) =>
  answersTo(page, rounds, async ({ click, press }) => {
    for (const name of ["j", "j", "k", "F", "f"]) await press(name)
    await click(".ledger-row >> nth=2")
    await page.locator("input[type=range]").focus()
    for (const name of ["ArrowLeft", "PageDown", "Home", "End"]) await press(name)
    for (const words of ["Exchange", "Exchange", "Wait", "Wait"]) await click(`.chip:text-is("${words}")`)
    await click('role=tab[name="Waterfall"]')
    await click('role=tab[name="Ledger"]')
    await click(".stage")
    await click(".stage")
  })

/** Plays inputs on the page of a report in which a check has failed. */
export const interactWithReport = (page: Page, rounds: number) =>
  answersTo(page, rounds, async ({ click, press }) => {
    await click('role=tab[name="Checks"]')
    for (const name of ["f", "f", "F", "j", "j", "k"]) await press(name)
    for (const outcome of ["Passed", "Passed", "Failed", "Failed"])
      await click(`.chip:has-text("${outcome}")`)
    await click(".check-row >> nth=3")
    await click('[aria-label="Search checks"]')
    for (const name of [..."location", ...Array.from("location", () => "Backspace")]) await press(name)
    await click('role=tab[name="Exchanges"]')
    await click(".check-row >> nth=2")
    for (const name of ["j", "j", "k"]) await press(name)
    await click('[aria-label="Search exchanges"]')
    for (const name of [..."cdrs", ...Array.from("cdrs", () => "Backspace")]) await press(name)
  })

interface Inputs {
  readonly press: (key: string) => Promise<void>
  readonly click: (selector: string) => Promise<void>
}

/**
 * Plays the inputs on a page that has `noteInteractions`. Milliseconds from each to the next frame; of inputs of which the browser
 * does not tell, 16.
 */
async function answersTo(
  page: Page,
  rounds: number,
  play: (inputs: Inputs) => Promise<void>
): Promise<ReadonlyArray<number>> {
  let inputs = 0
  const noted = async (input: Promise<void>) => {
    await input
    inputs += 1
    await pause(120)
  }
  await page.evaluate("interactions.clear()")
  for (let round = 0; round < rounds; round++)
    await play({
      press: (key) => noted(page.keyboard.press(key)),
      click: (selector) => noted(page.locator(selector).first().click())
    })
  const told = await page.evaluate<ReadonlyArray<number>>("[...interactions.values()]")
  return [...told, ...Array.from({ length: Math.max(0, inputs - told.length) }, () => 16)]
}
