/**
 * What one of each hot path may take, in microseconds of processor time of the service's process. `calibration`: what the
 * fixed piece of work of `npm run bench -- cpu` takes on the machine that the figures are from.
 */
export const budgets: {
  readonly calibration: number
  readonly paths: Readonly<Record<string, number>>
} = {
  calibration: 100_000,
  paths: {}
}
