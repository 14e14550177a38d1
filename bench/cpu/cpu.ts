/** Processor time, allocations and statements of each hot path, beside the budget of each. */

import { fork } from "node:child_process"
import { createHash } from "node:crypto"
import { once } from "node:events"
import { cpuUsage } from "node:process"
import { loadAverage, median, optionOf, say, textOption } from "../measure.ts"
import { budgets } from "./budgets.ts"
import { benchMemory } from "./memory.ts"
import { allocated, type ProbedService, startProbed } from "./ProbedService.ts"
import { type Part, type PartDone, parts } from "./parts.ts"
import { type HotPath, hotPaths, processOf } from "./paths.ts"
import { writeBudgets } from "./writeBudgets.ts"

/** What one of a path costs. */
export interface Cost {
  readonly micros: number
  readonly kilobytes?: number
  readonly statements?: number
}

const help = "plugfest --help"

/** More than this of its budget is named. */
const tolerance = 1.25

/**
 * Measures every path, or with `--only` those whose name has that text, and prints one line each. Answers those that go over
 * their budget. With `--write-budgets` what was measured becomes the budgets.
 */
export async function benchCpu(): Promise<ReadonlyArray<string>> {
  const rounds = optionOf("rounds", 3)
  const only = textOption("only")
  const wanted = ({ name }: { readonly name: string }) => only === undefined || name.includes(only)
  const calibrated = median(Array.from({ length: 9 }, calibration))
  const costs = new Map<string, Cost>()
  const start = (args: ReadonlyArray<string>) => ({
    micros: median(Array.from({ length: rounds }, () => processOf(args)))
  })
  if (wanted({ name: help })) costs.set(help, start(["--help"]))
  const probed = await startProbed()
  try {
    const rest = await probed.used()
    costs.set("start on a migrated database", { micros: rest.micros })
    const { close, paths } = await hotPaths(probed.service)
    try {
      for (const path of paths.filter(wanted)) {
        await repeat(path, Math.ceil(path.times / 5))
        costs.set(path.name, await costOf(probed, path, rounds))
      }
    } finally {
      close()
    }
    for (const part of parts.filter(wanted)) costs.set(part.name, await costOfPart(probed, part, rounds))
  } finally {
    await probed.stop()
  }
  if (process.argv.includes("--write-budgets") && only === undefined) {
    writeBudgets(
      calibrated,
      [...costs].map(([name, { micros }]) => [name, micros])
    )
    say("bench/cpu/budgets.ts is written from these figures.")
  }
  const over = print(costs, calibrated / budgets.calibration)
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
  return middleOf(samples)
}

/** The same of a path that needs no service, in a process of its own. */
async function costOfPart(
  { database, statements }: ProbedService,
  part: Part,
  rounds: number
): Promise<Cost> {
  const child = fork(process.argv[1]!, ["--part", part.name, "--database", database], {
    execArgv: ["--trace-gc"],
    silent: true
  })
  let log = ""
  child.stdout!.on("data", (chunk) => {
    log += chunk
  })
  child.stderr!.pipe(process.stderr)
  const answer = () =>
    Promise.race([
      once(child, "message").then(([message]) => message as PartDone),
      once(child, "exit").then(() => Promise.reject(new Error(`${part.name} ended:\n${log}`)))
    ])
  try {
    await answer()
    const samples: Array<Required<Cost>> = []
    // The first round is for the compiler.
    for (let round = 0; round <= rounds; round++) {
      const [logged, sent] = [log.length, await statements()]
      child.send(part.times)
      const { micros } = await answer()
      samples.push({
        micros: micros / part.times,
        kilobytes: allocated(log.slice(logged)) / part.times,
        statements: ((await statements()) - sent) / part.times
      })
    }
    return middleOf(samples.slice(1))
  } finally {
    child.disconnect()
  }
}

function middleOf(samples: ReadonlyArray<Required<Cost>>): Required<Cost> {
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

function print(costs: ReadonlyMap<string, Cost>, speed: number): ReadonlyArray<string> {
  const cells = (name: string, ...rest: ReadonlyArray<string>) =>
    say(`${name.padEnd(42)}${rest.map((cell) => cell.padStart(14)).join("")}`)
  say("\nOne of each, processor time of the service's process")
  cells("", "µs", "kB allocated", "statements", "budget µs", "of it")
  const over: Array<string> = []
  for (const [name, { kilobytes, micros, statements }] of costs) {
    const budget = budgets.paths[name]
    // What has no budget is over it: a path that was renamed would never be named again.
    const share = budget === undefined ? Number.POSITIVE_INFINITY : micros / (budget * speed)
    if (share > tolerance) over.push(name)
    cells(
      name,
      micros.toFixed(0),
      kilobytes?.toFixed(0) ?? "",
      statements?.toFixed(2) ?? "",
      budget === undefined ? "none" : (budget * speed).toFixed(0),
      `${share.toFixed(2)}${share > tolerance ? " OVER" : ""}`
    )
  }
  say(
    `This machine takes ${speed.toFixed(2)} of the time of the one that the budgets are from. ${loadAverage()}`
  )
  if (over.length > 0)
    say(`More than ${Math.round((tolerance - 1) * 100)} % over the budget: ${over.join("; ")}`)
  return over
}
