/** Processor time, allocations and statements of each hot path, beside the budget of each. */

import { createHash } from "node:crypto"
import { cpuUsage } from "node:process"
import { loadAverage, median, optionOf, say } from "../measure.ts"
import { budgets } from "./budgets.ts"
import { benchMemory } from "./memory.ts"
import { type ProbedService, startProbed } from "./ProbedService.ts"
import { type HotPath, hotPaths, processOf } from "./paths.ts"

/** What one of a path costs. */
export interface Cost {
  readonly micros: number
  readonly kilobytes?: number
  readonly statements?: number
}

/** More than this of its budget is named. */
const tolerance = 1.25

/** Measures every path, and prints one line each. Answers how many go over their budget. */
export async function benchCpu(): Promise<number> {
  const rounds = optionOf("rounds", 3)
  const speed = median(Array.from({ length: 5 }, calibration)) / budgets.calibration
  const costs = new Map<string, Cost>()
  const start = (args: ReadonlyArray<string>) => ({
    micros: median(Array.from({ length: rounds }, () => processOf(args)))
  })
  costs.set("plugfest --help", start(["--help"]))
  const probed = await startProbed()
  try {
    const rest = await probed.used()
    costs.set("start on a migrated database", { micros: rest.micros })
    const { close, paths } = await hotPaths(probed.service)
    try {
      for (const path of paths) {
        await repeat(path, Math.ceil(path.times / 5))
        costs.set(path.name, await costOf(probed, path, rounds))
      }
    } finally {
      close()
    }
  } finally {
    await probed.stop()
  }
  const over = print(costs, speed)
  await benchMemory()
  return over
}

async function costOf({ used }: ProbedService, path: HotPath, rounds: number): Promise<Cost> {
  const samples: Array<Required<Cost>> = []
  for (let round = 0; round < rounds; round++) {
    const before = await used()
    await repeat(path, path.times)
    const after = await used()
    samples.push({
      micros: (after.micros - before.micros) / path.times,
      kilobytes: (after.kilobytes - before.kilobytes) / path.times,
      statements: (after.statements - before.statements) / path.times
    })
  }
  const middle = (of: keyof Cost) => median(samples.map((sample) => sample[of]))
  return { micros: middle("micros"), kilobytes: middle("kilobytes"), statements: middle("statements") }
}

async function repeat({ abreast, once }: HotPath, times: number): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < times) await once(next++)
  }
  await Promise.all(Array.from({ length: abreast }, lane))
}

/** Microseconds of a piece of work that is always the same, by which budgets are carried over to another machine. */
function calibration(): number {
  const value = Array.from({ length: 200 }, (_, n) => ({
    id: `id-${n}`,
    at: new Date(n).toISOString(),
    list: [n, n + 1]
  }))
  const before = cpuUsage()
  let text = ""
  for (let n = 0; n < 300; n++) {
    text = JSON.stringify(JSON.parse(JSON.stringify(value)))
    createHash("sha256").update(text).digest("hex")
  }
  const { system, user } = cpuUsage(before)
  return user + system
}

function print(costs: ReadonlyMap<string, Cost>, speed: number): number {
  const cells = (name: string, ...rest: ReadonlyArray<string>) =>
    say(`${name.padEnd(42)}${rest.map((cell) => cell.padStart(14)).join("")}`)
  say("\nOne of each, processor time of the service's process")
  cells("", "µs", "kB allocated", "statements", "budget µs", "of it")
  let over = 0
  for (const [name, { kilobytes, micros, statements }] of costs) {
    const budget = budgets.paths[name]
    const share = budget === undefined ? Number.NaN : micros / (budget * speed)
    if (share > tolerance) over += 1
    cells(
      name,
      micros.toFixed(0),
      kilobytes?.toFixed(0) ?? "",
      statements?.toFixed(1) ?? "",
      budget === undefined ? "none" : (budget * speed).toFixed(0),
      `${share.toFixed(2)}${share > tolerance ? " OVER" : ""}`
    )
  }
  say(
    `This machine takes ${speed.toFixed(2)} of the time of the one that the budgets are from. ${loadAverage()}`
  )
  return over
}
