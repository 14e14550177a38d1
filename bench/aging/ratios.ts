/** How many times as long something takes as beside it in the same rounds, with the error of that. */
import { type Contender, loadAverage, median, say } from "../measure.ts"
import { inTurn } from "./statementTime.ts"

const loads = [1, 8, 64]
/** How much contenders that are alike may differ: more, and the machine is too busy to judge by a rate. */
const mostNoise = 1.1

/**
 * Prints the medians, and how many times as long each contender takes as the first one of the same round: the geometric mean, and
 * twice its standard error. Returns that of the second at each load, without those at which `controlName`, which is as the first one,
 * differs too much.
 */
export async function ratios(
  title: string,
  contenders: ReadonlyArray<Contender>,
  rounds: number,
  controlName: string
): Promise<ReadonlyArray<number>> {
  const rates = contenders.map((): Array<number> => [])
  const times = contenders.map((): Array<Ratio> => [])
  for (const load of loads) {
    const samples = contenders.map((): Array<number> => [])
    for (let round = 0; round < rounds; round++)
      for (const at of inTurn(contenders.length, round))
        samples[at]!.push(await contenders[at]!.measure(load))
    for (const [at, values] of samples.entries()) {
      rates[at]!.push(median(values))
      times[at]!.push(meanOf(values.map((value, round) => samples[0]![round]! / value)))
    }
  }
  say(
    `\n${title} (${loads.join(", ")}; median of ${rounds} rounds), and times as long as the first. ${loadAverage()}\n`
  )
  for (const [at, { name }] of contenders.entries())
    say(
      row(name, [
        ...rates[at]!.map((rate) => rate.toFixed(0)),
        ...times[at]!.map(({ error, mean }) =>
          at === 0 ? "1" : `${inHundredths(mean)} ± ${inHundredths(error)}`
        )
      ])
    )
  const control = times[contenders.findIndex(({ name }) => name === controlName)]
  return times[1]!.flatMap(({ mean }, at) => {
    const isTold = control === undefined || Math.abs(Math.log(control[at]!.mean)) <= Math.log(mostNoise)
    if (!isTold) say(`${loads[at]} at once are not judged: the two empty databases differ`)
    return isTold ? [mean] : []
  })
}

/** A ratio by which something takes longer, and twice its standard error. */
interface Ratio {
  readonly mean: number
  readonly error: number
}

function meanOf(values: ReadonlyArray<number>): Ratio {
  const logs = values.map(Math.log)
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length
  const squares = logs.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const error = 2 * Math.sqrt(squares / Math.max(1, logs.length - 1) / logs.length)
  return { mean: Math.exp(mean), error: Math.exp(mean) * Math.expm1(error) }
}

/** A ratio as it is printed. */
export const inHundredths = (ratio: number) => ratio.toFixed(2)
/** A line of a table. */
export const row = (name: string, cells: ReadonlyArray<string>) =>
  `${name.padEnd(38)}${cells.map((cell) => cell.padStart(14)).join("")}`
