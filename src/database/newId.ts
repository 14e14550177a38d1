/**
 * New identifiers: a readable prefix, the letter of the cell (one database and the processes that serve it), and a UUIDv7 without
 * dashes, so that the ids of a cell sort by the time they were made. Those of releases without cells sort before them.
 */
import { randomBytes } from "node:crypto"
import { Clock, Effect, type Scope } from "effect"
import { type IdKind, prefixes } from "../../schema/Ids.ts"

let cell = "a"

/** Says which letter the ids of this process have from now on. */
export function nameCell(letter: string): void {
  cell = letter
}

/** The letter that the ids of this process have. */
export const cellLetter = (): string => cell

type Suits = (idBody: string) => boolean

/** Which parts after the prefix suit new runs of this process. */
let suits: Suits | undefined
/** How many ids are thrown away at most, to find one that suits. */
const mostTries = 64

/** Until the scope closes new runs of this process get ids that suit, as far as there are such. */
export const preferRuns = (suitsRun: Suits): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      suits = suitsRun
    }),
    () =>
      Effect.sync(() => {
        if (suits === suitsRun) suits = undefined
      })
  )

/**
 * A fresh id such as `run_a0197c0de…` (a letter and 32 hex digits after the prefix). Within this process every id is greater than
 * the one before, also within a millisecond and when the clock steps back.
 */
export const newId = (kind: IdKind): Effect.Effect<string> =>
  Clock.clockWith((clock) => Effect.succeed(newIdAt(kind, clock.unsafeCurrentTimeMillis())))

/** The same at a time in milliseconds. */
export const newIdAt = (kind: IdKind, millis: number): string =>
  `${prefixes[kind]}_${(kind === "run" ? suitable : next)(millis)}`

/** The part after the prefix, for a run or another thing: the letter of the cell and a UUIDv7 as 32 hex digits. */
export const newIdBody: Effect.Effect<string> = Clock.clockWith((clock) =>
  Effect.succeed(suitable(clock.unsafeCurrentTimeMillis()))
)

/**
 * An id that is computed from a time and a digest instead of drawn: two processes of a cell that are given the same time and digest
 * make the same id. `digest`: at least 10 bytes, of which the first 10 are used.
 */
export function idFrom(kind: IdKind, millis: number, digest: Buffer): string {
  const bytes = Buffer.from(digest.subarray(0, 10))
  const version = `7${(bytes.readUInt16BE(8) & 0xfff).toString(16).padStart(3, "0")}`
  bytes[0] = (bytes[0]! & 0x3f) | 0x80
  return `${prefixes[kind]}_${cell}${hexTime(millis)}${version}${bytes.subarray(0, 8).toString("hex")}`
}

const hexTime = (millis: number) => millis.toString(16).padStart(12, "0")

const counterLimit = 0x1000

// Monotonic within the process: the last millisecond used and the 12-bit counter in it.
let lastMillis = 0
let counter = 0

/** Random bytes of many ids: the system is asked for them together. */
let drawn = Buffer.alloc(0)
/** Where those begin that no id has had. */
let fresh = 0
const bytesOfId = 10

/** Where ten fresh random bytes begin in `drawn`. */
function drawTen(): number {
  if (fresh === drawn.length) {
    drawn = randomBytes(512 * bytesOfId)
    fresh = 0
  }
  fresh += bytesOfId
  return fresh - bytesOfId
}

function suitable(millis: number): string {
  for (let left = mostTries; ; left--) {
    const idBody = next(millis)
    if (suits === undefined || left === 0 || suits(idBody)) return idBody
  }
}

function next(millis: number): string {
  const at = drawTen()
  if (millis > lastMillis) {
    lastMillis = millis
    // A random start in the lower half leaves room for 2048 ids before the counter borrows from the next millisecond.
    counter = drawn.readUInt16BE(at + 8) & 0x7ff
  } else if (++counter === counterLimit) {
    lastMillis += 1
    counter = 0
  }
  const version = `7${counter.toString(16).padStart(3, "0")}`
  drawn[at] = (drawn[at]! & 0x3f) | 0x80
  return `${cell}${hexTime(lastMillis)}${version}${drawn.toString("hex", at, at + 8)}`
}
