/** Do several kinds of requests take equally long? Samples in milliseconds, taken by turns. */

/** Medians lie together within the larger of both. */
const boundMillis = 0.05
const boundShare = 0.05
/** Runs of consecutive samples, each with a median of its own: how far those stray tells noise from a difference. */
const runs = 20
/** A difference is one that noise makes once in many thousand sets: so many standard errors. */
const surely = 4

/** By kind, in the order in which they were taken. */
export type Samples = ReadonlyMap<string, ReadonlyArray<number>>

/** Does each kind take as long as the first one, as far as the noise lets one see? */
export function together(samples: Samples): boolean {
  const [first = [], ...others] = samples.values()
  const bound = Math.max(boundMillis, median(first) * boundShare)
  return others.every((other) => {
    const apart = Math.abs(median(other) - median(first))
    return apart <= bound || apart <= surely * errorOf(first, other)
  })
}

/** Standard error of the difference of two kinds, from that of each run of samples. */
function errorOf(one: ReadonlyArray<number>, other: ReadonlyArray<number>): number {
  const length = Math.floor(one.length / runs)
  const differences = Array.from({ length: runs }, (_, run) => {
    const [from, to] = [run * length, (run + 1) * length]
    return median(other.slice(from, to)) - median(one.slice(from, to))
  })
  const mean = differences.reduce((a, b) => a + b) / runs
  const variance = differences.reduce((sum, one) => sum + (one - mean) ** 2, 0) / (runs - 1)
  return Math.sqrt(variance / runs)
}

export function median(values: ReadonlyArray<number>): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
}
