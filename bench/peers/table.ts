/** What was measured, as Markdown. */
import { loadAverage } from "../measure.ts"

/** A table. Ratios are ours to the peer's, of the same run. */
export interface Table {
  readonly title: string
  /** What a row does, and what it leaves out. */
  readonly about: string
  readonly head: ReadonlyArray<string>
  readonly rows: ReadonlyArray<ReadonlyArray<string>>
}

/** A table with the load of the machine just after it was measured. */
export function markdownOf({ about, head, rows, title }: Table): string {
  const line = (cells: ReadonlyArray<string>) => `| ${cells.join(" | ")} |`
  const rule = line(head.map((_, at) => (at === 0 ? "---" : "---:")))
  return [`### ${title}`, "", about, "", line(head), rule, ...rows.map(line), "", loadAverage()].join("\n")
}

/** A figure with three digits that count. */
export const figure = (value: number): string => {
  if (!Number.isFinite(value)) return "–"
  if (value >= 1000) return Math.round(value).toLocaleString("en")
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}

/** Ours to the peer's. */
export const ratio = (ours: number, theirs: number): string =>
  Number.isFinite(ours / theirs) ? (ours / theirs).toFixed(2) : "–"

/** Why a peer was not measured, in one line. */
export const reasonOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).split("\n")[0]!.replaceAll("|", "/").slice(0, 160)
