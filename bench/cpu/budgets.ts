/**
 * What one of each hot path may take, in microseconds of processor time of its process. `calibration`: what the fixed piece
 * of work of `npm run bench -- cpu` takes on the machine that the figures are from. Written by
 * `npm run bench -- cpu --write-budgets`.
 */
export const budgets: {
  readonly calibration: number
  readonly paths: Readonly<Record<string, number>>
} = {
  calibration: 83131,
  paths: {
    "plugfest --help": 129372,
    "start on a migrated database": 1080398,
    "GET health/live": 112,
    "GET journey run, ended": 131,
    "GET journey runs, list of 20": 359,
    "GET events of a run, page of 50": 1279,
    "GET report of a core suite": 141,
    "GET report of a core suite, HTML": 79931,
    "long poll of a run that waits, 1 s": 2477,
    "partner's GET versions": 880,
    "partner's PUT of a location": 2127,
    "remote-start, both sides": 219326,
    "core suite, both sides": 637163,
    "SSE, an event to one viewer of a live run": 49,
    "ledger append, one run alone": 214,
    "ledger append, 64 runs at once": 41,
    "checks of a core suite, judged": 11540,
    "HTML report of 490 checks": 8621
  }
}
