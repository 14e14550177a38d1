/** Pseudo-random numbers: a seed always yields the same sequence. */

/** Draws the next whole number from 0 up to, but not including, `bound`. */
export type Draw = (bound: number) => number

/** Mulberry32 (public domain): 32 bits of state, good enough to scatter test data. */
export const drawFrom = (seed: number): Draw => {
  let state = seed >>> 0
  return (bound) => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound)
  }
}

/** Six upper-case hex digits for an id, always the same for a seed and an ordinal. */
export const idBody = (seed: number, ordinal: number): string =>
  ((Math.imul((seed + 1) ^ (ordinal * 0x9e3779b1), 0x85ebca6b) >>> 0) % 0x1000000)
    .toString(16)
    .toUpperCase()
    .padStart(6, "0")

/** What data of a sandbox partner is generated from. */
export interface SeedBasis {
  readonly seed: number
  readonly draw: Draw
  /** Milliseconds since 1970. */
  readonly now: number
}
