/**
 * What one of each hot path may take, in microseconds of processor time of its process. `calibration`: what the fixed piece
 * of work of `npm run bench -- cpu` takes on the machine that the figures are from. Written by
 * `npm run bench -- cpu --write-budgets`.
 */
export const budgets: {
  readonly calibration: number
  readonly paths: Readonly<Record<string, number>>
} = {
  calibration: 40138,
  paths: {
    "plugfest --help": 102409,
    "start on a migrated database": 702473,
    "GET health/live": 82,
    "GET journey run, ended": 86,
    "GET journey runs, list of 20": 322,
    "GET events of a run, page of 50": 890,
    "GET report of a core suite": 79,
    "GET report of a core suite, HTML": 48707,
    "long poll of a run that waits, 1 s": 450,
    "partner's GET versions": 534,
    "partner's PUT of a location": 1376,
    "remote-start, both sides": 153730,
    "core suite, both sides": 479569,
    "SSE, an event to one viewer of a live run": 31,
    "ledger append, one run alone": 197,
    "ledger append, 64 runs at once": 32,
    "checks of a core suite, judged": 9228,
    "HTML report of every check": 6457
  }
}
