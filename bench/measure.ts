/** Rounds, medians and tables. */
import { availableParallelism, loadavg } from "node:os"

export interface Contender {
  readonly name: string
  /** One measurement at a load; higher is better. */
  readonly measure: (load: number) => Promise<number>
}

/** `--name value` of the command line. */
export function optionOf(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

export function median(values: ReadonlyArray<number>): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

export function percentile(values: ReadonlyArray<number>, percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

/** Every contender at every load, round by round: what slows the machine down slows all of them down. */
export async function compare(
  title: string,
  contenders: ReadonlyArray<Contender>,
  loads: ReadonlyArray<number>,
  rounds: number
): Promise<ReadonlyMap<string, ReadonlyArray<number>>> {
  const medians = new Map<string, Array<number>>(contenders.map(({ name }) => [name, []]))
  for (const load of loads) {
    const samples = new Map<string, Array<number>>(contenders.map(({ name }) => [name, []]))
    for (let round = 0; round < rounds; round++) {
      for (const { measure, name } of contenders) samples.get(name)!.push(await measure(load))
    }
    for (const [name, values] of samples) medians.get(name)!.push(median(values))
  }
  say(`\n${title} (median of ${rounds} interleaved rounds; ratio to the first)\n`)
  const baseline = medians.get(contenders[0]!.name)!
  say(row(["", ...loads.map(String)]))
  for (const [name, values] of medians) {
    say(row([name, ...values.map((value, at) => `${short(value)} ${(value / baseline[at]!).toFixed(2)}`)]))
  }
  return medians
}

/** How busy the machine is with others: ratios taken under load are worth less. */
export const loadAverage = (): string =>
  `Load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores.`

export const say = (text: string) => process.stdout.write(`${text}\n`)

const short = (value: number) => (value >= 1000 ? `${(value / 1000).toFixed(1)} k` : value.toFixed(0))
const row = ([first = "", ...cells]: ReadonlyArray<string>) =>
  `${first.padEnd(46)}${cells.map((cell) => cell.padStart(16)).join("")}`
