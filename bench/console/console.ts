/**
 * The console in a real browser, on the built service: `npm run bench -- console [--minutes 30] [--rate 50] [--events 5000]
 * [--rounds 3]`. First load, first paint of Home, interactions on a run of many events while more arrive, and the page's heap
 * over minutes of following.
 */
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core"
import { launchChromium } from "../../test/support/chromium.ts"
import { connectSandbox, key, type Service } from "../../test/support/service/Service.ts"
import { startProbed } from "../cpu/ProbedService.ts"
import { loadAverage, median, optionOf, percentile, say } from "../measure.ts"
import { followedRun } from "./followedRun.ts"
import { interact, interactWithReport, noteInteractions, pause } from "./inputs.ts"

/** The most that each may be; docs/performance.md has the same. */
const bars = {
  firstLoadKilobytes: 150,
  firstPaintMillis: 1000,
  interactionMillis: 100,
  /** At the end of the following, in per cent of half way. */
  heapPercent: 110
} as const

/** Measures, prints a table, and answers whether every bar is met. */
export async function benchConsole(): Promise<boolean> {
  const probed = await startProbed()
  const browser = await launchChromium()
  try {
    const { service } = probed
    const state = await signIn(browser, service)
    const home = await firstLoads(browser, service, state)
    const { connectionId } = await connectSandbox(service)
    const run = await followedRun(probed.database, connectionId)
    const followed = await follow(browser, service, state, run)
    await run.close()
    const report = await readReport(browser, service, state, connectionId)
    const rows = [
      [
        "First load of Home, page, styles and scripts, kB compressed",
        home.kilobytes,
        bars.firstLoadKilobytes
      ],
      ["First paint of Home, ms", home.paint, bars.firstPaintMillis],
      ["Home with its content, ms", home.content, undefined],
      [
        `Interactions on ${followed.eventsAtInteractions} events, p95 ms`,
        followed.interaction,
        bars.interactionMillis
      ],
      ["the same, processor time of the page for one, ms", followed.ofInput, undefined],
      [
        `Interactions on a report of ${manyChecks} checks and ${manyExchanges} exchanges, p95 ms`,
        report.interaction,
        bars.interactionMillis
      ],
      ["That report with what is to mend, ms after its address was entered", report.content, undefined],
      ["Following alone, share of one processor, %", followed.share, undefined],
      ["Heap at the end, % of half way", (100 * followed.heap.at(-1)!) / followed.heap[3]!, bars.heapPercent]
    ] as const
    say("\n| the console, in Chromium | measured | bar |\n| --- | ---: | ---: |")
    for (const [name, value, bar] of rows) say(`| ${name} | ${value.toFixed(0)} | ${bar ?? "–"} |`)
    const { events, heap, minutes } = followed
    say(
      `| Heap after collection while ${optionOf("rate", 50)} events a second arrive for ${minutes.toFixed(1)} min, MB | ${heap.map((bytes) => (bytes / 1e6).toFixed(0)).join(", ")} | – |`
    )
    say(
      `| the same for each of ${events} events that came meanwhile, bytes | ${((heap.at(-1)! - heap[0]!) / Math.max(1, events)).toFixed(0)} | – |`
    )
    say(`\n${browser.version()}. ${loadAverage()}`)
    return rows.every(([, value, bar]) => bar === undefined || value <= bar)
  } finally {
    await browser.close()
    await probed.stop()
  }
}

type SignedIn = Awaited<ReturnType<BrowserContext["storageState"]>>

async function signIn(browser: Browser, { url }: Service): Promise<SignedIn> {
  const context = await browser.newContext()
  const page = await context.newPage()
  await page.goto(url)
  await page.getByLabel("API key").fill(key)
  await page.getByRole("button", { name: "Sign in" }).click()
  await page.getByRole("heading", { name: "Home" }).waitFor()
  const state = await context.storageState()
  await context.close()
  return state
}

/** Home with an empty cache, as often as `--rounds` says; medians. */
async function firstLoads(browser: Browser, { url }: Service, state: SignedIn) {
  const samples: Array<{ readonly kilobytes: number; readonly paint: number; readonly content: number }> = []
  for (let round = 0; round < optionOf("rounds", 3); round++) {
    const context = await browser.newContext({ storageState: state })
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    let bytes = 0
    const own = new Set<string>()
    session.on("Network.requestWillBeSent", ({ request, requestId }) => {
      if (!request.url.includes("/api/") && !request.url.includes("/health/")) own.add(requestId)
    })
    session.on("Network.loadingFinished", ({ encodedDataLength, requestId }) => {
      if (own.has(requestId)) bytes += encodedDataLength
    })
    await session.send("Network.enable")
    await page.goto(url)
    await page.getByRole("heading", { name: "Home" }).waitFor()
    await page.locator(".waiting-bars").first().waitFor({ state: "detached" })
    const content = await page.evaluate<number>("performance.now()")
    // What the page asks for again and again is not of its first load.
    await pause(500)
    const paint = await page.evaluate<number>(
      "performance.getEntriesByName('first-contentful-paint')[0].startTime"
    )
    samples.push({ kilobytes: bytes / 1000, paint, content })
    await context.close()
  }
  return {
    kilobytes: median(samples.map(({ kilobytes }) => kilobytes)),
    paint: median(samples.map(({ paint }) => paint)),
    content: median(samples.map(({ content }) => content))
  }
}

/** Checks of the whole catalogue, and exchanges of a run that would ask all of them. */
const [manyChecks, manyExchanges] = [490, 600]

/** As many of the items, each again with an id of its own where there are fewer. */
const padded = (items: ReadonlyArray<any>, many: number): ReadonlyArray<any> =>
  Array.from({ length: many }, (_, index) => {
    const item = items[index % items.length]
    return index < items.length ? item : { ...item, id: `${item.id}-${index}` }
  })

/**
 * The report of the largest suite, with two faults of the partner, as large as one of all checks: how soon it is there, and inputs
 * on it.
 */
async function readReport(browser: Browser, service: Service, state: SignedIn, connectionId: string) {
  const { partnerBaseUrl } = (await service.call("GET", `/api/v1/connections/${connectionId}`)).body.data
  const partners = (await service.call("GET", "/api/v1/sandbox/partners")).body.data
  const { _id } = partners.find((partner: any) => partner.partnerBaseUrl === partnerBaseUrl)
  const faults = ["locations.numeric-coordinates", "locations.unknown-status"]
  await service.call("PUT", `/api/v1/sandbox/partners/${_id}/faults`, { faults })
  const order = { connectionId, suiteId: "ocpi-2.2.1-cpo-full", listenSeconds: 0 }
  let run = (await service.call("POST", "/api/v1/testing/runs", order)).body.data
  while (run.verdict === null)
    run = (await service.call("GET", `/api/v1/testing/runs/${run._id}?wait=30&until=end`)).body.data
  const { body: checked } = await service.call("GET", `/api/v1/testing/runs/${run._id}/checks`)
  const exported = await service.call("GET", `/api/v1/testing/runs/${run._id}/export?format=json`)
  const context = await browser.newContext({ storageState: state, viewport: { width: 1280, height: 900 } })
  await context.addInitScript(noteInteractions)
  const page = await context.newPage()
  page.on("pageerror", (error) => say(`error on the page: ${error.message}`))
  const { exchanges, ...document } = JSON.parse(exported.text)
  const rows = padded(
    exchanges.map(({ exchange, ...row }: any) => ({ ...row, ...exchange })),
    manyExchanges
  )
  const allExchanges = rows.map(({ stageId, ...exchange }) => ({ stageId, exchange }))
  await page.route("**/checks", (route) =>
    route.fulfill({ json: { ...checked, data: padded(checked.data, manyChecks) } })
  )
  await page.route("**/export?format=json", (route) =>
    route.fulfill({ json: { ...document, exchanges: allExchanges } })
  )
  const began = performance.now()
  await page.goto(`${service.url}/runs/${run._id}`)
  await page.getByRole("heading", { name: /^What to mend/ }).waitFor()
  const content = performance.now() - began
  await page.getByLabel(`${manyChecks} checks`).waitFor()
  const answers = await interactWithReport(page, 4)
  await page.getByLabel(`${manyExchanges} exchanges`).waitFor()
  await context.close()
  return { content, interaction: percentile(answers, 95) }
}

async function follow(
  browser: Browser,
  { url }: Service,
  state: SignedIn,
  run: Awaited<ReturnType<typeof followedRun>>
) {
  const atFirst = optionOf("events", 5000)
  for (let left = atFirst - 1; left > 0; left -= 250) await run.append(Math.min(250, left))
  const context = await browser.newContext({ storageState: state, viewport: { width: 1280, height: 900 } })
  await context.addInitScript(noteInteractions)
  const page = await context.newPage()
  page.on("pageerror", (error) => say(`error on the page: ${error.message}`))
  const session = await context.newCDPSession(page)
  await page.goto(`${url}/journeys/${run.runId}`)
  await page.getByText(`${atFirst} events`).waitFor({ timeout: 60_000 })
  await session.send("Performance.enable", { timeDomain: "threadTicks" })
  const feed = startFeed(run)
  try {
    return await measureWhileFed(page, session, feed, atFirst)
  } finally {
    await feed.stop()
    await context.close()
  }
}

/** Inputs and the heap on a run of `atFirst` events, while the feed adds more. */
async function measureWhileFed(
  page: Page,
  session: CDPSession,
  feed: ReturnType<typeof startFeed>,
  atFirst: number
) {
  const idle = await processorTime(session, () => pause(5_000))
  const inputs = await processorTime(session, () => interact(page, 4))
  const interaction = percentile(inputs.answer, 95)
  // Without what following alone takes meanwhile.
  const ofInput = (inputs.millis - (idle.millis * inputs.wall) / idle.wall) / inputs.answer.length
  const eventsAtInteractions = atFirst + feed.sent()
  const before = feed.sent()
  const began = performance.now()
  const minutes = optionOf("minutes", 30)
  const heap = [await heapOf(session)]
  for (let sample = 0; sample < 6; sample++) {
    await pause((minutes * 60_000) / 6)
    heap.push(await heapOf(session))
  }
  await feed.stop()
  await page.getByText(`${atFirst + feed.sent()} events`).waitFor({ timeout: 30_000 })
  return {
    interaction,
    ofInput,
    share: (100 * idle.millis) / idle.wall,
    eventsAtInteractions,
    heap,
    events: feed.sent() - before,
    minutes: (performance.now() - began) / 60_000
  }
}

/** Appends as many events a second as `--rate` says. */
function startFeed(run: { readonly append: (events: number) => Promise<void> }) {
  const rate = optionOf("rate", 50)
  let [sent, isOver] = [0, false]
  const feeding = (async () => {
    for (const began = performance.now(); !isOver; ) {
      const due = Math.floor(((performance.now() - began) / 1000) * rate) - sent
      if (due > 0) {
        await run.append(due)
        sent += due
      }
      await pause(1000 / rate)
    }
  })()
  return {
    sent: () => sent,
    stop: async () => {
      isOver = true
      await feeding
    }
  }
}

/** What the main thread of the page needed of a processor meanwhile: other programs change it little. */
async function processorTime<A>(session: CDPSession, act: () => Promise<A>) {
  const read = async () => {
    const { metrics } = await session.send("Performance.getMetrics")
    return 1000 * metrics.find(({ name }) => name === "TaskDuration")!.value
  }
  const [before, began] = [await read(), performance.now()]
  const answer = await act()
  return { answer, millis: (await read()) - before, wall: performance.now() - began }
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send("HeapProfiler.collectGarbage")
  return (await session.send("Runtime.getHeapUsage")).usedSize
}
