/** Writes the budgets of paths into the repository. */
import { writeFileSync } from "node:fs"

/**
 * Makes figures of a run the budgets. `calibration`: microseconds that the fixed piece of work took in the same run; `paths`:
 * name, and microseconds.
 */
export function writeBudgets(
  calibration: number,
  paths: ReadonlyArray<readonly [name: string, micros: number]>
): void {
  const rows = paths.map(([name, micros]) => `    ${JSON.stringify(name)}: ${Math.round(micros)}`)
  writeFileSync(
    "bench/cpu/budgets.ts",
    `/**
 * What one of each hot path may take, in microseconds of processor time of its process. \`calibration\`: what the fixed piece
 * of work of \`npm run bench -- cpu\` takes on the machine that the figures are from. Written by
 * \`npm run bench -- cpu --write-budgets\`.
 */
export const budgets: {
  readonly calibration: number
  readonly paths: Readonly<Record<string, number>>
} = {
  calibration: ${Math.round(calibration)},
  paths: {${rows.length === 0 ? "" : `\n${rows.join(",\n")}\n  `}}
}
`
  )
}
