/**
 * Snapshots in the rows of `run`, as JSON: `start` is the first one, `snapshot` the changes since. A row without `start`
 * (from an older release) holds a whole snapshot. This process remembers the starts of the runs that it owns.
 */
import type { RunId } from "../../../schema/Ids.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import type { RunSnapshot } from "../Ledger.ts"
import { applyChanges, changesBetween, isSaidByField, type SnapshotChange } from "./snapshotChanges.ts"

/** The most starts that are remembered. The snapshot of a run without one is written whole: larger, but right. */
const remembered = 10_000

/** The first snapshots of the runs that this process owns. */
export interface Starts {
  /** Remembers the start of a run whose row this process wrote or read. */
  readonly keep: (runId: RunId, start: RunSnapshot) => void
  /** The text for column `snapshot`. */
  readonly textOf: (runId: RunId, snapshot: RunSnapshot) => string
}

/** An empty memory of starts; it holds the newest 10,000. */
export const makeStarts = (): Starts => {
  const starts = new Map<RunId, Start>()
  return {
    keep: (runId, snapshot) => {
      starts.set(runId, { snapshot, parts: {} })
      if (starts.size > remembered) starts.delete(starts.keys().next().value!)
    },
    textOf: (runId, snapshot) => {
      const start = starts.get(runId)
      if (start === undefined) return JSON.stringify([[[], snapshot] satisfies SnapshotChange])
      if (isTerminal(snapshot.view.status)) starts.delete(runId)
      return `[${joined(textOfPart(start, "machine", snapshot), textOfPart(start, "view", snapshot))}]`
    }
  }
}

interface Start {
  readonly snapshot: RunSnapshot
  /** The parts at the run's last append. */
  readonly parts: { -readonly [part in keyof RunSnapshot]?: Part }
}

interface Part {
  readonly value: unknown
  readonly fields: ReadonlyMap<string, Field>
  readonly text: string
}

interface Field {
  readonly value: unknown
  /** Its changes as JSON, separated by commas; empty when there is none. */
  readonly text: string
}

/**
 * The changes of a part as JSON, separated by commas. Snapshots are never changed in place, so a field with the same
 * object as at the last append has the same text and is neither compared nor encoded again.
 */
function textOfPart({ parts, snapshot: start }: Start, part: keyof RunSnapshot, now: RunSnapshot): string {
  const before: unknown = start[part]
  const value: unknown = now[part]
  const known = parts[part]
  if (known !== undefined && known.value === value) return known.text
  const fields = new Map<string, Field>()
  let text = ""
  if (!isSaidByField(before, value)) text = textOfChanges(changesBetween(before, value, [part]))
  else {
    for (const key in value) {
      const was = (before as Readonly<Record<string, unknown>>)[key]
      const field = fieldOf(known?.fields.get(key), [part, key], was, value[key])
      fields.set(key, field)
      text = joined(text, field.text)
    }
  }
  parts[part] = { value, fields, text }
  return text
}

const fieldOf = (
  known: Field | undefined,
  path: ReadonlyArray<string>,
  before: unknown,
  value: unknown
): Field =>
  known !== undefined && known.value === value
    ? known
    : { value, text: value === undefined ? "" : textOfChanges(changesBetween(before, value, path)) }

function textOfChanges(changes: ReadonlyArray<SnapshotChange>): string {
  let text = ""
  for (const change of changes) text = joined(text, JSON.stringify(change))
  return text
}

const joined = (a: string, b: string) => (a === "" ? b : b === "" ? a : `${a},${b}`)

/** The snapshot of a row. */
export function readSnapshot(start: string | null, snapshot: string): RunSnapshot {
  const stored: unknown = JSON.parse(snapshot)
  const before: unknown = start === null ? undefined : JSON.parse(start)
  // We wrote it ourselves: parsed, not decoded.
  return (Array.isArray(stored) ? applyChanges(before, stored) : stored) as RunSnapshot
}
