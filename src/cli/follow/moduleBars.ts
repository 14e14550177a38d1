/** Progress of a conformance run: a line for each wait and each stage that ends, and a bar for the whole run. Pure. */
import { type Counts, countsAfter, recordedIn, summaryOf } from "../../../machines/runCounts.ts"
import { noProgress, progressAfter, type RunProgress, stageUnderWay } from "../../../machines/runProgress.ts"
import type { Outcome } from "../../../schema/Assertion.ts"
import { isEventOf, type LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { plain } from "../terminal/Terminal.ts"

/** Progress of a run, as its view shows it, and when the last stage began. */
export interface Bars {
  /** Number of checks of the run. */
  readonly of: number
  readonly progress: RunProgress
  readonly counts: Counts
  /** The stage that began last; `at`: ISO 8601 UTC. */
  readonly begun?: { readonly stageId: string; readonly at: string }
}

/** Progress before the first event. */
export const noBars: Bars = { of: 0, progress: noProgress, counts: {} }

/** The progress after one more event. A stage that starts again loses its earlier results. */
export const barsAfter = (bars: Bars, event: LedgerEvent): Bars => ({
  ...bars,
  of: event.type === "run.created" ? (event.data.of ?? 0) : bars.of,
  progress: progressAfter(bars.progress, event),
  counts: countsAfter(bars.counts, event),
  ...(event.type === "stage.started" ? { begun: { stageId: event.stageId, at: event.occurredAt } } : {})
})

/** `[######······] 31/67 locations` */
export function progressLine({ counts, of, progress }: Bars): string {
  const done = recordedIn(counts)
  const current = stageUnderWay(progress) ?? ""
  return `[${bar(of === 0 ? 0 : done / of)}] ${done}/${of} ${current}`.trimEnd()
}

/** The worst outcome of a stage; `none`: nothing of it was graded. */
export type StageResult = "ok" | "warn" | "FAIL" | "error" | "none"

/** The worst outcome of a stage's checks. */
export function stageResult(counts: Counts[string]): StageResult {
  const has = (outcome: Outcome) => (counts[outcome] ?? 0) > 0
  if (has("failed")) return "FAIL"
  if (has("error")) return "error"
  if (has("warned")) return "warn"
  return has("passed") ? "ok" : "none"
}

/** What the stages of a phase judge, by the end of their names; those of reading have none. */
const phases = {
  write: "what plugfest writes at the partner",
  watch: "what the partner has sent by itself or in answer",
  risk: "requests that may end the registration, or that are wrong on purpose"
}

/** `.write: what plugfest writes …; .watch: …` for the phases in the names of planned stages; undefined where there is none. */
export function phaseLegend(event: LedgerEvent): string | undefined {
  if (event.type !== "run.created") return undefined
  const used = Object.entries(phases).filter(([phase]) =>
    event.data.stages.some((stage) => stage.endsWith(`.${phase}`))
  )
  return used.length === 0 ? undefined : used.map(([phase, meaning]) => `.${phase}: ${meaning}`).join("; ")
}

const isEndOfStage = isEventOf("stage.completed", "stage.failed", "stage.skipped")

/**
 * `locations                FAIL  12/14    1.1 s  [######################··]`; undefined for an event that ends no stage. The bar
 * is as long as `columns` leaves room for.
 */
export function stageLine(
  { begun, counts }: Bars,
  event: LedgerEvent,
  paint: (result: StageResult, text: string) => string,
  columns = 100
): string | undefined {
  if (!isEndOfStage(event)) return undefined
  const { stageId } = event
  const own = counts[stageId]
  const startedAt = begun?.stageId === stageId ? begun.at : undefined
  if (own === undefined && startedAt === undefined) return undefined
  const summary = summaryOf({ [stageId]: own ?? {} })
  const graded = summary.total
  const good = graded - summary.failed
  const result = stageResult(own ?? {})
  const seconds = ((Date.parse(event.occurredAt) - Date.parse(startedAt ?? event.occurredAt)) / 1000).toFixed(
    1
  )
  const open = recordedIn({ [stageId]: own ?? {} }) - graded
  const room = Math.min(width, columns - beside)
  return [
    stageId.padEnd(24),
    paint(result, (result === "none" ? "-" : result).padStart(5)),
    `${good}/${graded}`.padStart(7),
    `${seconds} s`.padStart(8),
    ...(room < narrowest ? [] : [` [${bar(graded === 0 ? 0 : good / graded, room)}]`]),
    open === 0 ? "" : ` ${open} not judged`
  ]
    .join("  ")
    .trimEnd()
}

/** `waiting since 10:00:01 until at most 10:00:41 UTC: The partner is to send …`; undefined for an event that begins no wait. */
export function waitLine(event: LedgerEvent): string | undefined {
  if (event.type !== "wait.started") return undefined
  const { deadline, instruction } = event.data
  return `waiting since ${timeOf(event.occurredAt)} until at most ${timeOf(deadline)} UTC: ${plain(instruction)}`
}

/** Which wait of the run an event begins or ends; undefined for any other event. */
export const stepOfWait = (event: LedgerEvent): string | undefined =>
  event.type === "wait.started" || event.type === "wait.satisfied" || event.type === "wait.expired"
    ? (event.data?.step ?? "")
    : undefined

/** `10:00:01` of an instant in ISO 8601 UTC. */
const timeOf = (instant: string) => instant.slice(11, 19)

const width = 24
/** A shorter bar is left out. */
const narrowest = 5
/** Columns that a line has beside its bar. */
const beside = 74

function bar(share: number, room = width): string {
  // Only a share of 1 fills the bar.
  const filled = Math.min(share === 1 ? room : room - 1, Math.round(share * room))
  return "#".repeat(filled) + "·".repeat(room - filled)
}
