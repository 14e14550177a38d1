/** Reads source maps (ECMA-426) for a few positions, without an index of all of them. */

/** The fields of a source map that we read. */
export interface SourceMap {
  readonly sources: ReadonlyArray<string>
  readonly mappings: string
}

/** A place in a text: line from 1, column from 0. */
export interface Position {
  readonly line: number
  readonly column: number
}

const digits = new Uint8Array(128)
for (const [value, digit] of [
  ..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
].entries())
  digits[digit.charCodeAt(0)] = value

/**
 * The sources of places in the generated text, in the order of `wanted`: of each the last mapping at or before it in its line;
 * undefined where there is none.
 */
export function sourcePositions(
  { mappings, sources }: SourceMap,
  wanted: ReadonlyArray<Position>
): ReadonlyArray<(Position & { readonly source: string }) | undefined> {
  const found: Array<(Position & { readonly source: string }) | undefined> = wanted.map(() => undefined)
  const byLine = linesOf(wanted)
  const last = Math.max(0, ...byLine.keys())
  // Generated column, and source, line and column there: each is kept as the difference from the one before.
  const fields = [0, 0, 0, 0, 0]
  let at = 0
  for (let line = 1; line <= last; line++) {
    fields[0] = 0
    const here = byLine.get(line) ?? []
    while (at < mappings.length && mappings[at] !== ";") {
      let field = 0
      while (at < mappings.length && mappings[at] !== "," && mappings[at] !== ";") {
        let value = 0
        let shift = 0
        let digit: number
        do {
          digit = digits[mappings.charCodeAt(at++)]!
          value |= (digit & 31) << shift
          shift += 5
        } while (digit & 32)
        fields[field] = fields[field]! + (value & 1 ? -(value >>> 1) : value >>> 1)
        field++
      }
      if (mappings[at] === ",") at++
      for (const index of here) {
        if (fields[0]! > wanted[index]!.column) continue
        const source = sources[fields[1]!]
        found[index] =
          field < 4 || source === undefined ? undefined : { source, line: fields[2]! + 1, column: fields[3]! }
      }
    }
    at++
  }
  return found
}

/** Indexes of the positions, by line. */
function linesOf(wanted: ReadonlyArray<Position>): Map<number, Array<number>> {
  const byLine = new Map<number, Array<number>>()
  for (const [index, { line }] of wanted.entries()) byLine.set(line, [...(byLine.get(line) ?? []), index])
  return byLine
}
