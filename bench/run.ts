/**
 * Benchmarks: `npm run bench -- [cpu|memory|profile|statements|ledger|aging|feed|conformance|journeys|parked|console|peers] [--seconds 1]
 * [--rounds 3] [--journeys 200] [--minutes 30] [--write-budgets] [--lines 1000000] [--months 60] [--migrate-lines 1000000]
 * [--runs 200] [--processes 2] [--short 500]`. Compare the ratios of one run only; absolute numbers depend on the machine. It ends
 * with 1 when a path goes over its budget, the console over a bar, or a database with the lines of years takes too long.
 */
import { optionOf, textOption } from "./measure.ts"

const [only] = process.argv.slice(2)
const wanted = (name: string) => only === undefined || only.startsWith("--") || only === name

// Each is loaded when it is its turn: the collector of garbage looks after all code that there is, and would be measured with it.
const viewers = () => import("./viewers.ts")
const parts = () => import("./cpu/parts.ts")
const cpu = () => import("./cpu/cpu.ts")
const memory = () => import("./cpu/memory.ts")
const profile = () => import("./cpu/profile.ts")
const statements = () => import("./cpu/statements.ts")
const ledger = () => import("./ledger.ts")
const aging = () => import("./aging/aging.ts")
const feed = () => import("./feed.ts")
const conformance = () => import("./conformance.ts")
const journeys = () => import("./journeys.ts")
const parked = () => import("./parked.ts")
const console = () => import("./console/console.ts")
const peers = () => import("./peers/peers.ts")

// The feed's viewers, and the paths below HTTP, are this program in a second process.
const part = textOption("part")
if (process.argv.includes("--viewers")) (await viewers()).view(optionOf("port", 0), optionOf("viewers", 0))
else if (part !== undefined) await (await parts()).playPart(part, textOption("database") ?? "")
else {
  if (only === "profile") await (await profile()).benchProfile()
  if (only === "statements") await (await statements()).benchStatements()
  if (only === "memory") await (await memory()).benchMemory()
  if (wanted("cpu") && (await (await cpu()).benchCpu()).length > 0) process.exitCode = 1
  if (wanted("ledger")) await (await ledger()).benchLedger()
  if (wanted("feed")) await (await feed()).benchFeed()
  if (wanted("conformance")) await (await conformance()).benchConformance()
  if (wanted("journeys")) await (await journeys()).benchJourneys()
  // Only when it is asked for: it fills a database.
  if (only === "aging" && !(await (await aging()).benchAging())) process.exitCode = 1
  // Only when it is asked for: many runs take minutes to begin.
  if (only === "parked")
    await (await parked()).benchParked({
      parked: optionOf("runs", 100),
      processes: optionOf("processes", 2),
      short: optionOf("short", 500)
    })
  // Only when it is asked for: it needs a browser, and its heap takes half an hour.
  if (only === "console" && !(await (await console()).benchConsole())) process.exitCode = 1
  // Only when it is asked for: it installs what it compares with.
  if (only === "peers" && !(await (await peers()).benchPeers())) process.exitCode = 2
}
