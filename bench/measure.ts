/** Rounds of measurements, medians and tables. */
import { availableParallelism, loadavg } from "node:os"

/** One of the things to compare. */
export interface Contender {
  readonly name: string
  /** One measurement at a load; higher is better. */
  readonly measure: (load: number) => Promise<number>
}

/** The value of `--name` on the command line, or `otherwise`. */
export function optionOf(name: string, otherwise: number): number {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? otherwise : Number(process.argv[at + 1])
}

/** The text of `--name` on the command line; undefined when it is not there. */
export function textOption(name: string): string | undefined {
  const at = process.argv.indexOf(`--${name}`)
  return at < 0 ? undefined : process.argv[at + 1]
}

/** The median; NaN for no values. */
export function median(values: ReadonlyArray<number>): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN
}

/** The value below which that percentage of the values lies; NaN for no values. */
export function percentile(values: ReadonlyArray<number>, percent: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? Number.NaN
}

/**
 * The median of each contender at each load, by name. Round by round, so that a slow moment of the machine affects all of
 * them.
 */
export async function mediansOf(
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
  return medians
}

/** The medians, printed with their ratio to those of the first contender. */
export async function compare(
  title: string,
  contenders: ReadonlyArray<Contender>,
  loads: ReadonlyArray<number>,
  rounds: number
): Promise<ReadonlyMap<string, ReadonlyArray<number>>> {
  const medians = await mediansOf(contenders, loads, rounds)
  say(`\n${title} (median of ${rounds} interleaved rounds; ratio to the first)\n`)
  const baseline = medians.get(contenders[0]!.name)!
  say(row(["", ...loads.map(String)]))
  for (const [name, values] of medians) {
    say(row([name, ...values.map((value, at) => `${short(value)} ${(value / baseline[at]!).toFixed(2)}`)]))
  }
  return medians
}

/** The load of the machine by other programs, which makes ratios less reliable. */
export const loadAverage = (): string =>
  `Load average ${loadavg()[0]!.toFixed(1)} on ${availableParallelism()} cores.`

/** Prints a line on stdout. */
export const say = (text: string) => process.stdout.write(`${text}\n`)

const short = (value: number) => (value >= 1000 ? `${(value / 1000).toFixed(1)} k` : value.toFixed(0))
const row = ([first = "", ...cells]: ReadonlyArray<string>) =>
  `${first.padEnd(46)}${cells.map((cell) => cell.padStart(16)).join("")}`

/** Seconds since then, as text. */
export const passed = (began: number) => `${((performance.now() - began) / 1000).toFixed(1)} s`
