/** Random numbers that depend on a seed alone. */
export interface Chance {
  /** From 0 up to, and without, 1. */
  readonly next: () => number
  /** A whole number from `low` to `high`, both included. */
  readonly between: (low: number, high: number) => number
  readonly of: <A>(choices: ReadonlyArray<A>) => A
  readonly text: (alphabet: string, length: number) => string
  readonly uuid: () => string
}

/** A generator (mulberry32) that begins with `seed`. */
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }
  const between = (low: number, high: number) => low + Math.floor(next() * (high - low + 1))
  const text = (alphabet: string, length: number) =>
    Array.from({ length }, () => alphabet[between(0, alphabet.length - 1)]).join("")
  return {
    next,
    between,
    of: (choices) => choices[between(0, choices.length - 1)]!,
    text,
    uuid: () => {
      const hex = text("0123456789abcdef", 32)
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20)}`
    }
  }
}
