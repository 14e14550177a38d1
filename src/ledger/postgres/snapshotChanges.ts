/**
 * Snapshots as changes since the run's first one. Most of a snapshot is what the run was ordered to do and never
 * changes; written whole with every append it would cost more than the lines. Pure.
 */

/** What stands at a path of keys now. The empty path is the whole snapshot. */
export type SnapshotChange = readonly [path: ReadonlyArray<string>, value: unknown]

type Fields = Readonly<Record<string, unknown>>

/** Deep enough for the machine's context and the view's parts; what changed below is replaced with its parent. */
const depth = 3

/** The changes that make `before` into `now`, both plain JSON and found at `path` of the whole. */
export function changesBetween(
  before: unknown,
  now: unknown,
  path: ReadonlyArray<string> = []
): ReadonlyArray<SnapshotChange> {
  const changes: Array<SnapshotChange> = []
  collect(path, before, now, changes)
  return changes
}

/** The snapshot that `changesBetween` saw. `before` is left as it is. */
export function applyChanges(before: unknown, changes: ReadonlyArray<SnapshotChange>): unknown {
  return changes.reduce<unknown>((whole, [path, value]) => withValue(whole, path, value), before)
}

// Loops and not array methods: this runs for every append.
function collect(
  path: ReadonlyArray<string>,
  before: unknown,
  now: unknown,
  changes: Array<SnapshotChange>
): void {
  if (before === now) return
  if (path.length >= depth || !isSaidByField(before, now)) {
    if (!isSame(before, now)) changes.push([path, now])
    return
  }
  for (const key in now) {
    const value = now[key]
    const was = (before as Fields)[key]
    if (value !== undefined && value !== was) collect([...path, key], was, value, changes)
  }
}

/** A key that is gone cannot be said as a value: then the whole is. */
export const isSaidByField = (before: unknown, now: unknown): now is Fields =>
  isFields(before) && isFields(now) && !lacksKeyOf(now, before)

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    for (let at = 0; at < a.length; at++) if (!isSame(a[at], b[at])) return false
    return true
  }
  const [before, now] = [a as Fields, b as Fields]
  if (lacksKeyOf(before, now)) return false
  for (const key in before) if (!isSame(before[key], now[key])) return false
  return true
}

/** JSON leaves a key without a value out. */
function lacksKeyOf(fields: Fields, other: Fields): boolean {
  for (const key in other) if (other[key] !== undefined && fields[key] === undefined) return true
  return false
}

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function withValue(whole: unknown, path: ReadonlyArray<string>, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const fields = isFields(whole) ? whole : {}
  return { ...fields, [key]: withValue(fields[key], rest, value) }
}
