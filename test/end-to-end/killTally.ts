/** What came of the kills, summed up over all services that were killed. */

/** Before the append is sent, or when it is committed and nobody knows yet. */
export type KillPoint = "committed" | "before"

export interface Kill {
  readonly point: KillPoint
  /** The append at which it was done: its number, from 1, or what was in it. */
  readonly at: string
  /** The last line that stood then. */
  readonly last: string
  /** What the next process made of the run. */
  readonly became: string
  readonly offered: ReadonlyArray<string>
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

export const summaryOf = ({ duplicated, events, kills, lost, unlikeTheFold }: Tally): string =>
  `kill -9: ${kills.length} kills, ${events} events, lost ${lost}, duplicated ${duplicated}, reports unlike the fold ${unlikeTheFold}`

/** One line for each kill, in the order of the appends. */
export const tableOf = ({ kills }: Tally): ReadonlyArray<string> => [
  "point | append | last line | became | offered | decided | sent again | end",
  ...[...kills]
    .sort((a, b) => a.point.localeCompare(b.point) || a.at.localeCompare(b.at, "en", { numeric: true }))
    .map(({ again, at, became, decision, end, last, offered, point }) =>
      [point, at, last, became, offered.join(" "), decision, again.join(", ") || "-", end].join(" | ")
    ),
  `decided: ${[...turnsOf(kills)].map(([decision, turns]) => `${decision} ${turns}`).join(", ")}`
]

/** How often each decision was applied. */
export function turnsOf(kills: ReadonlyArray<Kill>): ReadonlyMap<string, number> {
  const turns = new Map<string, number>()
  for (const { decision } of kills) if (decision !== "-") turns.set(decision, (turns.get(decision) ?? 0) + 1)
  return turns
}
