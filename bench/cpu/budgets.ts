/**
 * What one of each hot path may take, in microseconds of processor time of its process. `calibration`: what the fixed piece
 * of work of `npm run bench -- cpu` takes on the machine that the figures are from. Written by
 * `npm run bench -- cpu --write-budgets`.
 */
export const budgets: {
  readonly calibration: number
  readonly paths: Readonly<Record<string, number>>
} = {
  calibration: 52_000,
  paths: {}
}
