/**
 * What one of each hot path may take, in microseconds of processor time of its process. `calibration`: what the fixed piece
 * of work of `npm run bench -- cpu` takes on the machine that the figures are from. Written by
 * `npm run bench -- cpu --write-budgets`.
 */
export const budgets: {
  readonly calibration: number
  readonly paths: Readonly<Record<string, number>>
} = {
  calibration: 96006,
  paths: {
    "plugfest --help": 215017,
    "start on a migrated database": 1340613,
    "GET health/live": 315,
    "GET journey run, ended": 361,
    "GET journey runs, list of 20": 779,
    "GET events of a run, page of 50": 2334,
    "GET report of a core suite": 260,
    "GET report of a core suite, HTML": 105311,
    "long poll of a run that waits, 1 s": 1023,
    "partner's GET versions": 1453,
    "partner's PUT of a location": 3072,
    "remote-start, both sides": 242248,
    "core suite, both sides": 790054,
    "SSE, an event to one viewer of a live run": 100,
    "ledger append, one run alone": 434,
    "ledger append, 64 runs at once": 71,
    "checks of a core suite, judged": 23597,
    "HTML report of 492 checks": 17133
  }
}
