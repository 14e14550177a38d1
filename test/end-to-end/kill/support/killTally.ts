/** What came of the kills, summed up over all services that were killed. */

/** Before the append is sent, or when it is committed and nobody knows yet. */
export type KillPoint = "committed" | "before"

export interface Kill {
  readonly templateId: string
  readonly point: KillPoint
  /** The append at which it was done: its number, from 1, or what was in it. */
  readonly at: string
  /** The last line that stood then. */
  readonly last: string
  /** What the next process made of the run. */
  readonly became: string
  readonly offered: ReadonlyArray<string>
  /** From the kill to the offer, in milliseconds; undefined where nothing was offered. */
  readonly offeredAfter?: number
  readonly decision: string
  /** Writes that the partner had got before the decision and got again after it. */
  readonly again: ReadonlyArray<string>
  readonly end: string
}

export interface Tally {
  readonly kills: Array<Kill>
  events: number
  lost: number
  duplicated: number
  unlikeTheFold: number
}

export const newTally = (): Tally => ({ kills: [], events: 0, lost: 0, duplicated: 0, unlikeTheFold: 0 })

export const summaryOf = ({ duplicated, events, kills, lost, unlikeTheFold }: Tally): string => {
  const times = kills.flatMap(({ offeredAfter }) => offeredAfter ?? []).sort((a, b) => a - b)
  const p95 = Math.round(times[Math.floor(times.length * 0.95)] ?? 0)
  return `kill -9: ${kills.length} kills, ${events} events, lost ${lost}, duplicated ${duplicated}, reports unlike the fold ${unlikeTheFold}, kill to offer p95 ${p95} ms`
}

/** Position and decision, and the end that came of them; what is offered at each is held against the contract meanwhile. */
export function tableOf({ kills }: Tally): ReadonlyArray<string> {
  const times = new Map<string, number>()
  for (const { again, became, decision, end, last, templateId } of kills) {
    const row = [templateId, last, became, decision, again.join(", ") || "0", end].join(" | ")
    times.set(row, (times.get(row) ?? 0) + 1)
  }
  return [
    "journey | last line | became | decided | sent twice | end | kills",
    ...[...times].map(([row, count]) => `${row} | ${count}`).sort()
  ]
}

/** Which decisions were applied in each journey, and how often. */
export const decidedIn = ({ kills }: Tally): ReadonlyArray<string> =>
  [...new Set(kills.map(({ templateId }) => templateId))].map((id) => {
    const turns = turnsOf(kills.filter(({ templateId }) => templateId === id))
    return `${id} decided: ${[...turns].map(([decision, count]) => `${decision} ${count}`).join(", ")}`
  })

/** How often each decision was applied. */
export function turnsOf(kills: ReadonlyArray<Kill>): ReadonlyMap<string, number> {
  const turns = new Map<string, number>()
  for (const { decision } of kills) if (decision !== "-") turns.set(decision, (turns.get(decision) ?? 0) + 1)
  return turns
}
