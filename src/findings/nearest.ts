/** The name that was probably meant where another one was written. Pure. */

/** The name at most two letters away (one, where that is short), or one that begins with what was written; undefined: none. */
export function nearest(written: string, names: ReadonlyArray<string>): string | undefined {
  const most = written.length <= 3 ? 1 : 2
  const [best] = names
    // A name whose length differs by more is further away than that: a long list of unknown names costs little.
    .filter((name) => Math.abs(name.length - written.length) <= most)
    .map((name) => ({ name, far: distance(written, name) }))
    .filter(({ far }) => far <= most)
    .toSorted((one, other) => one.far - other.far)
  if (best !== undefined) return best.name
  return written.length > 2 ? names.find((name) => name.startsWith(written)) : undefined
}

/** `. Did you mean first-reads?`, or nothing: the end of an error that says where the names are listed. */
export function meant(written: string, names: ReadonlyArray<string>): string {
  const near = nearest(written, names)
  return near === undefined ? "" : `. Did you mean ${near}?`
}

/** `; did you mean first-reads?`, or what there is: `; there are: a, b`. */
export const meantOrListed = (written: string, names: ReadonlyArray<string>): string => {
  const near = nearest(written, names)
  return near === undefined ? `; there are: ${names.join(", ")}` : `; did you mean ${near}?`
}

/** Longest names that are compared; a longer one is the same or none. */
const longest = 100

/** How many letters have to be changed, added or left out: the distance of Levenshtein. */
function distance(one: string, other: string): number {
  if (one.length > longest || other.length > longest) return one === other ? 0 : Number.POSITIVE_INFINITY
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i++) {
    const next = [i]
    for (let j = 1; j <= other.length; j++) {
      const changed = row[j - 1]! + (one[i - 1] === other[j - 1] ? 0 : 1)
      next.push(Math.min(changed, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[other.length]!
}
