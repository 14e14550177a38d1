/**
 * Looks at a run in the database and says what is wrong with it. Shares no code with src/, but for the fold itself: what
 * is stored must be what the fold makes of the lines.
 */
import { createHash } from "node:crypto"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { suiteRunKind } from "../../../src/conformance/run/suiteRunKind.ts"
import { journeyKind } from "../../../src/journeys/recovery/journeyKind.ts"
import { rowOf, runColumns, type StoredRun } from "../../../src/ledger/postgres/runRows.ts"
import { foldRun } from "../../../src/ledger/run/foldRun.ts"
import { reportOf } from "../../../src/ledger/run/runReport.ts"
import type { Passed } from "./CountingProxy.ts"
import { rows } from "./database.ts"

export interface RunLine {
  readonly sequence: number
  readonly eventId: string
  readonly hash: string
  readonly line: string
  readonly event: LedgerEvent
}
export type RunLines = ReadonlyArray<RunLine>

export async function readLines(database: string, runId: string): Promise<RunLines> {
  const found = await rows(
    database,
    "select sequence::int, event_id, hash, line from ledger_event where run_id = $1 order by sequence",
    [runId]
  )
  return found.map((row) => ({
    sequence: row.sequence,
    eventId: row.event_id,
    hash: row.hash,
    line: row.line,
    event: JSON.parse(row.line)
  }))
}

/** `before`: lines that somebody has seen already; they must still stand, unchanged. */
export function ledgerFaults(runId: string, lines: RunLines, before: RunLines) {
  const lost = before.filter((old) => lines[old.sequence - 1]?.line !== old.line).length
  const duplicated = lines.length - new Set(lines.map((one) => one.eventId)).size
  const gaps = lines.filter((one, index) => one.sequence !== index + 1).length
  // The chain begins with the run's id: a line cannot be moved to another run unseen.
  let previous = runId
  let brokenChain = 0
  for (const one of lines) {
    const hash = createHash("sha256").update(previous).update(one.line).digest("hex")
    if (hash !== one.hash) brokenChain += 1
    previous = one.hash
  }
  return { lost, duplicated, gaps, brokenChain }
}

/** Of snapshot, status, verdict and the report as it is served: those that are not what the fold makes of the lines. */
export async function unlikeTheFold(
  database: string,
  runId: string,
  lines: RunLines,
  served: unknown
): Promise<ReadonlyArray<string>> {
  const columns = `${runColumns}, status, verdict`
  const [stored] = await rows(database, `select ${columns} from run where run_id = $1`, [runId])
  const row = rowOf(stored as StoredRun)
  const { snapshot } = foldRun(
    row.facts.kind === "journey" ? journeyKind : suiteRunKind,
    row.facts,
    lines.map(({ event }) => event)
  )
  const { view } = snapshot
  const pairs: Readonly<Record<string, readonly [unknown, unknown]>> = {
    machine: [row.snapshot.machine, snapshot.machine],
    view: [row.snapshot.view, view],
    columns: [
      { status: stored.status, verdict: stored.verdict },
      { status: view.status, verdict: view.verdict }
    ],
    report: [served, reportOf({ ...row, snapshot })]
  }
  return Object.keys(pairs).filter((name) => canonical(pairs[name]![0]) !== canonical(pairs[name]![1]))
}

/** JSON with the keys in order: only what is said counts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_, inner) =>
    typeof inner === "object" && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner
  ) ?? "undefined"

/**
 * Writes of the run that reached the partner, oldest first: the words of a recovery option's `repeats`, and after them
 * the status and the energy that were told, so that two updates of one object are two writes.
 */
export const writesOf = (passed: ReadonlyArray<Passed>, runId: string): ReadonlyArray<string> =>
  passed
    .filter(({ correlationId, method }) => correlationId === runId && method !== "GET")
    .map(({ body, method, path }) => [method, objectIn(path), ...toldIn(body)].join(" "))

const objectIn = (path: string): string =>
  /\/(commands\/[A-Z_]+|tokens|tariffs|locations|sessions|cdrs)/.exec(path)?.[1] ?? path

function toldIn(body: string): ReadonlyArray<unknown> {
  if (body === "") return []
  const { kwh, status } = JSON.parse(body)
  return [status ?? [], kwh ?? []].flat()
}

/** Requests of the run that reached the partner although no line had announced them. */
export function unannounced(
  passed: ReadonlyArray<Passed>,
  runId: string,
  lines: RunLines
): ReadonlyArray<string> {
  const intended = new Set(
    lines.flatMap(({ event }) => (event.type === "exchange.intended" ? [event.exchange?.requestId] : []))
  )
  return passed
    .filter(({ correlationId, requestId }) => correlationId === runId && !intended.has(requestId))
    .map(({ method, path }) => `${method} ${path}`)
}
