/**
 * Views of runs as JSON text. They are our own data, so no schema checks them on their way out; tests decode them by the
 * contract. Each state of a run is encoded once; all requests share the text.
 */
import type { RunRow } from "../../ledger/Ledger.ts"
import { reportOf, statusOf, type WorkerState, workerHealthy } from "../../ledger/run/runReport.ts"
import { listText } from "./bodies.ts"

interface Texts {
  /** The hash of the run's last line, which stands for all its lines. */
  readonly headHash: string
  /** What of the view decides whether the worker is healthy; the rest is the lease. */
  readonly snapshot: WorkerState["snapshot"]
  healthy?: string
  unhealthy?: string
  report?: string
}

/** A text is one to five kilobytes. */
const mostTexts = 2000

/** Of the last state of each run that was asked for. */
const known = new Map<RunRow["facts"]["runId"], Texts>()

const textsOf = (row: RunRow): Texts => {
  const { headHash, snapshot } = row
  const { runId } = row.facts
  const found = known.get(runId)
  if (found?.headHash === headHash) return found
  const { machine, status } = snapshot.view
  const fresh: Texts = { headHash, snapshot: { view: { machine, status } } }
  // To the end of the order in which they leave.
  known.delete(runId)
  known.set(runId, fresh)
  if (known.size > mostTexts) known.delete(known.keys().next().value!)
  return fresh
}

/** The JourneyRunStatus of a run as JSON. */
export const statusText = (row: RunRow): string => {
  const texts = textsOf(row)
  const { leaseAlive, released } = row
  const isHealthy = workerHealthy({ leaseAlive, released, snapshot: texts.snapshot })
  const form = isHealthy ? "healthy" : "unhealthy"
  texts[form] ??= JSON.stringify(statusOf(row, isHealthy))
  return texts[form]
}

/** The RunReport of a run as JSON. */
export const reportText = (row: RunRow): string => {
  const texts = textsOf(row)
  texts.report ??= JSON.stringify(reportOf(row))
  return texts.report
}

/** Lists come as the same array while they have not changed. */
const statusLists = new WeakMap<ReadonlyArray<RunRow>, string>()

/** The JourneyRunStatus of each of them as a JSON list. */
export const statusesText = (rows: ReadonlyArray<RunRow>): string => {
  const found = statusLists.get(rows)
  if (found !== undefined) return found
  const text = listText(rows.map(statusText))
  statusLists.set(rows, text)
  return text
}
