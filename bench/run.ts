/**
 * Benchmarks: `npm run bench -- [cpu|memory|ledger|feed|conformance|journeys] [--seconds 1] [--rounds 3] [--journeys 200]`. Compare
 * the ratios of one run only; absolute numbers depend on the machine.
 */

import { benchConformance } from "./conformance.ts"
import { benchCpu } from "./cpu/cpu.ts"
import { benchMemory } from "./cpu/memory.ts"
import { benchFeed, view } from "./feed.ts"
import { benchJourneys } from "./journeys.ts"
import { benchLedger } from "./ledger.ts"
import { optionOf } from "./measure.ts"

const [only] = process.argv.slice(2)
const wanted = (name: string) => only === undefined || only.startsWith("--") || only === name

// The feed's viewers are this program in a second process.
if (process.argv.includes("--viewers")) view(optionOf("port", 0), optionOf("viewers", 0))
else {
  if (only === "memory") await benchMemory()
  if (wanted("cpu")) await benchCpu()
  if (wanted("ledger")) await benchLedger()
  if (wanted("feed")) await benchFeed()
  if (wanted("conformance")) await benchConformance()
  if (wanted("journeys")) await benchJourneys()
}
