/**
 * Benchmarks: `npm run bench -- [cpu|memory|ledger|feed|conformance|journeys|console|peers] [--seconds 1] [--rounds 3]
 * [--journeys 200] [--minutes 30] [--write-budgets]`. Compare the ratios of one run only; absolute numbers depend on the machine.
 * It ends with 1 when a path goes over its budget, or the console over a bar.
 */

import { benchConformance } from "./conformance.ts"
import { benchConsole } from "./console/console.ts"
import { benchCpu } from "./cpu/cpu.ts"
import { benchMemory } from "./cpu/memory.ts"
import { playPart } from "./cpu/parts.ts"
import { benchFeed } from "./feed.ts"
import { benchJourneys } from "./journeys.ts"
import { benchLedger } from "./ledger.ts"
import { optionOf, textOption } from "./measure.ts"
import { benchPeers } from "./peers/peers.ts"
import { view } from "./viewers.ts"

const [only] = process.argv.slice(2)
const wanted = (name: string) => only === undefined || only.startsWith("--") || only === name

// The feed's viewers, and the paths below HTTP, are this program in a second process.
const part = textOption("part")
if (process.argv.includes("--viewers")) view(optionOf("port", 0), optionOf("viewers", 0))
else if (part !== undefined) await playPart(part, textOption("database") ?? "")
else {
  if (only === "memory") await benchMemory()
  if (wanted("cpu") && (await benchCpu()).length > 0) process.exitCode = 1
  if (wanted("ledger")) await benchLedger()
  if (wanted("feed")) await benchFeed()
  if (wanted("conformance")) await benchConformance()
  if (wanted("journeys")) await benchJourneys()
  // Only when it is asked for: it needs a browser, and its heap takes half an hour.
  if (only === "console" && !(await benchConsole())) process.exitCode = 1
  // Only when it is asked for: it installs what it compares with.
  if (only === "peers" && !(await benchPeers())) process.exitCode = 2
}
