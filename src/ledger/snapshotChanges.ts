/**
 * Snapshots as changes since the run's first one. Most of a snapshot is what the run was ordered to do and never
 * changes; written whole with every append it would cost more than the lines. Pure.
 */

/** What stands at a path of keys now. The empty path is the whole snapshot. */
export type Change = readonly [path: ReadonlyArray<string>, value: unknown]

type Fields = Readonly<Record<string, unknown>>

/** Deep enough for the machine's context and the view's parts; what changed below is replaced with its parent. */
const depth = 3

/** The changes that make `before` into `now`. Both are plain JSON. */
export function changesBetween(before: unknown, now: unknown): ReadonlyArray<Change> {
  const changes: Array<Change> = []
  collect([], before, now, changes)
  return changes
}

/** The snapshot that `changesBetween` saw. `before` is left as it is. */
export function applyChanges(before: unknown, changes: ReadonlyArray<Change>): unknown {
  return changes.reduce<unknown>((whole, [path, value]) => withValue(whole, path, value), before)
}

function collect(path: ReadonlyArray<string>, before: unknown, now: unknown, changes: Array<Change>): void {
  if (isSame(before, now)) return
  // A key that is gone cannot be said as a value.
  if (!isFields(before) || !isFields(now) || path.length === depth || lacksKeyOf(now, before)) {
    changes.push([path, now])
    return
  }
  for (const [key, value] of Object.entries(now)) {
    if (value !== undefined) collect([...path, key], before[key], value, changes)
  }
}

function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (Array.isArray(a)) {
    return Array.isArray(b) && a.length === b.length && a.every((item, at) => isSame(item, b[at]))
  }
  if (!isFields(a) || !isFields(b)) return false
  return (
    !lacksKeyOf(a, b) && !lacksKeyOf(b, a) && Object.entries(a).every(([key, value]) => isSame(value, b[key]))
  )
}

/** JSON leaves a key without a value out. */
const lacksKeyOf = (fields: Fields, other: Fields) =>
  Object.keys(other).some((key) => other[key] !== undefined && fields[key] === undefined)

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

function withValue(whole: unknown, path: ReadonlyArray<string>, value: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return value
  const fields = isFields(whole) ? whole : {}
  return { ...fields, [key]: withValue(fields[key], rest, value) }
}
