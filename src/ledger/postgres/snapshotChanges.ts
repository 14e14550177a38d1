/**
 * Snapshots as changes since the run's first one. Most of a snapshot is the run's plan, which never changes; writing it
 * whole with every append would cost more than the lines. Pure.
 */

/** The new value at a path of keys. The empty path is the whole snapshot. */
export type SnapshotChange = readonly [path: ReadonlyArray<string>, value: unknown]

type Fields = Readonly<Record<string, unknown>>

/** Deep enough for the machine's context and the view's parts; below that the whole parent is replaced. */
const depth = 3

/** The changes that turn `before` into `now`, both plain JSON at `path` of the snapshot. */
export function changesBetween(
  before: unknown,
  now: unknown,
  path: ReadonlyArray<string> = []
): ReadonlyArray<SnapshotChange> {
  const changes: Array<SnapshotChange> = []
  collect(path, before, now, changes)
  return changes
}

/** Applies the changes to `before`, which is not modified, and returns the later snapshot. */
export function applyChanges(before: unknown, changes: ReadonlyArray<SnapshotChange>): unknown {
  return changes.reduce<unknown>((whole, [path, value]) => withValue(whole, path, value), before)
}

// Loops, not array methods: this runs for every append.
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

/** Can the change be written field by field? Not if a key was removed, because a change cannot express that. */
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

/** JSON omits a key without a value. */
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
