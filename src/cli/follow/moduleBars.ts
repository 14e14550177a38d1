/** Progress of a conformance run: a line for each wait and each stage that ends, and a bar for the whole run. Pure. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { plain } from "../terminal/Terminal.ts"

interface StageTally {
  readonly startedAt: string
  readonly checks: ReadonlyArray<Assertion>
}

/** Progress of a run: its stages in the order of their start, and the current one. */
export interface Bars {
  /** Number of checks of the run. */
  readonly of: number
  readonly stages: ReadonlyMap<string, StageTally>
  readonly current: string
}

/** Progress before the first event. */
export const noBars: Bars = { of: 0, stages: new Map(), current: "" }

/** The progress after one more event. A stage that starts again loses its earlier results. */
export function barsAfter(bars: Bars, event: LedgerEvent): Bars {
  const { stageId } = event
  if (event.type === "run.created") return { ...bars, of: Number(event.data?.["of"] ?? 0) }
  if (stageId === undefined) return bars
  const before = bars.stages.get(stageId)
  if (event.type === "stage.started") {
    const stages = new Map(bars.stages).set(stageId, { startedAt: event.occurredAt, checks: [] })
    return { ...bars, stages, current: stageId }
  }
  if (event.assertions.length === 0) return bars
  const checks = [...(before?.checks ?? []), ...event.assertions]
  const stages = new Map(bars.stages).set(stageId, {
    startedAt: before?.startedAt ?? event.occurredAt,
    checks
  })
  return { ...bars, stages }
}

/** `[######······] 31/67 locations` */
export function progressLine({ current, of, stages }: Bars): string {
  const done = [...stages.values()].reduce((sum, { checks }) => sum + checks.length, 0)
  return `[${bar(of === 0 ? 0 : done / of)}] ${done}/${of} ${current}`.trimEnd()
}

/** The worst outcome of a stage; `none`: nothing of it was graded. */
export type StageResult = "ok" | "warn" | "FAIL" | "error" | "none"

/** The worst outcome of a stage's checks. */
export function stageResult(checks: ReadonlyArray<Assertion>): StageResult {
  const has = (outcome: Assertion["outcome"]) => checks.some((one) => one.outcome === outcome)
  if (has("failed")) return "FAIL"
  if (has("error")) return "error"
  if (has("warned")) return "warn"
  return has("passed") ? "ok" : "none"
}

/** `locations                FAIL  12/14    1.1 s  [######################··]`; undefined for an event that ends no stage. The bar is as long as `columns` leaves room for. */
export function stageLine(
  bars: Bars,
  event: LedgerEvent,
  paint: (result: StageResult, text: string) => string,
  columns = 100
): string | undefined {
  const stage = event.stageId === undefined ? undefined : bars.stages.get(event.stageId)
  if (stage === undefined || !/^stage\.(completed|failed|skipped)$/.test(event.type)) return undefined
  const { checks, startedAt } = stage
  const graded = checks.filter(({ outcome }) => /^(passed|warned|failed)$/.test(outcome))
  const good = graded.filter(({ outcome }) => outcome !== "failed").length
  const result = stageResult(checks)
  const seconds = ((Date.parse(event.occurredAt) - Date.parse(startedAt)) / 1000).toFixed(1)
  const open = checks.length - graded.length
  const room = Math.min(width, columns - beside)
  return [
    event.stageId!.padEnd(24),
    paint(result, (result === "none" ? "-" : result).padStart(5)),
    `${good}/${graded.length}`.padStart(7),
    `${seconds} s`.padStart(8),
    ...(room < narrowest ? [] : [` [${bar(graded.length === 0 ? 0 : good / graded.length, room)}]`]),
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
