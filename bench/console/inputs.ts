/** What a user does on the page of a journey run, by keyboard and mouse. */
import type { Page } from "playwright-core"

export const pause = (millis: number) => new Promise<void>((done) => setTimeout(done, millis))

/** Notes how long the page takes from an input to the next frame; the browser tells of those from 16 ms on. */
export const noteInteractions = `window.interactions = new Map()
new PerformanceObserver((list) => {
  for (const { duration, interactionId } of list.getEntries())
    if (interactionId > 0) interactions.set(interactionId, Math.max(duration, interactions.get(interactionId) ?? 0))
}).observe({ type: "event", durationThreshold: 16, buffered: true })`

/**
 * Plays the inputs on a run's page that has `noteInteractions`. Milliseconds from each to the next frame; of inputs of which the
 * browser does not tell, 16.
 */
export async function interact(page: Page, rounds: number): Promise<ReadonlyArray<number>> {
  let inputs = 0
  const key = async (name: string) => {
    await page.keyboard.press(name)
    inputs += 1
    await pause(120)
  }
  const click = async (selector: string) => {
    await page.locator(selector).first().click()
    inputs += 1
    await pause(120)
  }
  await page.evaluate("interactions.clear()")
  for (let round = 0; round < rounds; round++) {
    for (const name of ["j", "j", "k", "F", "f"]) await key(name)
    await click(".ledger-row >> nth=2")
    await page.locator("input[type=range]").focus()
    for (const name of ["ArrowLeft", "PageDown", "Home", "End"]) await key(name)
    for (const words of ["Exchange", "Exchange", "Wait", "Wait"]) await click(`.chip:text-is("${words}")`)
    await click('role=tab[name="Waterfall"]')
    await click('role=tab[name="Ledger"]')
    await click(".stage")
    await click(".stage")
  }
  const told = await page.evaluate<ReadonlyArray<number>>("[...interactions.values()]")
  return [...told, ...Array.from({ length: Math.max(0, inputs - told.length) }, () => 16)]
}
