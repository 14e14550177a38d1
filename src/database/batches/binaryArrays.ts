/**
 * Arrays in Postgres's binary format. node-postgres would write each one as a text literal and escape every quote of
 * every text, which Postgres then has to undo: together that costs more than the insert itself.
 */

const header = 20
const oids = { text: 25, int: 23, bigint: 20, bool: 16 } as const

/** A `text[]`; null stays null. Postgres refuses a text with NUL. */
export function textArray(values: ReadonlyArray<string | null>): Buffer {
  const sizes = values.map((value) => (value === null ? -1 : Buffer.byteLength(value)))
  let total = header
  for (const size of sizes) total += 4 + Math.max(size, 0)
  const bytes = begin(total, oids.text, values.length, values.includes(null) ? 1 : 0)
  let at = header
  for (const [index, value] of values.entries()) {
    at = bytes.writeInt32BE(sizes[index]!, at)
    if (value !== null) at += bytes.write(value, at, "utf8")
  }
  return bytes
}

/** An `int[]`. */
export function intArray(values: ReadonlyArray<number>): Buffer {
  const bytes = begin(header + 8 * values.length, oids.int, values.length, 0)
  let at = header
  for (const value of values) at = bytes.writeInt32BE(value, bytes.writeInt32BE(4, at))
  return bytes
}

/** A `bigint[]`; null stays null. */
export function bigintArray(values: ReadonlyArray<number | null>): Buffer {
  const some = values.reduce((count: number, value) => (value === null ? count : count + 1), 0)
  const bytes = begin(
    header + 4 * values.length + 8 * some,
    oids.bigint,
    values.length,
    some < values.length ? 1 : 0
  )
  let at = header
  for (const value of values) {
    at = bytes.writeInt32BE(value === null ? -1 : 8, at)
    if (value !== null) at = bytes.writeBigInt64BE(BigInt(value), at)
  }
  return bytes
}

/** A `bool[]`. */
export function boolArray(values: ReadonlyArray<boolean>): Buffer {
  const bytes = begin(header + 5 * values.length, oids.bool, values.length, 0)
  let at = header
  for (const value of values) at = bytes.writeInt8(value ? 1 : 0, bytes.writeInt32BE(1, at))
  return bytes
}

/** A buffer with the header of an array of one dimension, counted from 1. `flags`: 1 if a value is null. */
function begin(size: number, oid: number, length: number, flags: 0 | 1): Buffer {
  const bytes = Buffer.allocUnsafe(size)
  let at = bytes.writeInt32BE(1, 0)
  at = bytes.writeInt32BE(flags, at)
  at = bytes.writeInt32BE(oid, at)
  at = bytes.writeInt32BE(length, at)
  bytes.writeInt32BE(1, at)
  return bytes
}
