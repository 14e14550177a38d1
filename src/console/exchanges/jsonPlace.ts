/** A JSON text laid out for reading, and the place in it that a JSON Pointer (RFC 6901) names. */

/** Text before the place, at it, and after it; `at` is empty where the pointer leads nowhere. */
interface PlaceInText {
  readonly before: string
  readonly at: string
  readonly after: string
}

/** Longer texts are cut: a page with megabytes of text is slow. */
export const longestText = 200_000

/** Laid out with two spaces; text that is no JSON as it is. */
function layOut(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2)
  } catch {
    return text
  }
}

/** The laid out text, parted at the value that the pointer names, or at its nearest ancestor that exists. */
export function splitAtPointer(text: string, pointer: string | undefined): PlaceInText {
  if (pointer !== undefined && pointer !== "") {
    try {
      const target = pointer
        .split("/")
        .slice(1)
        .map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"))
      const { found, whole } = write(JSON.parse(text), target)
      if (found.to > 0) return cut(whole, found.from, found.to)
    } catch {
      // It is no JSON: there is no place in it.
    }
  }
  return cut(layOut(text), 0, 0)
}

/** Keeps what is around the place. */
function cut(whole: string, from: number, to: number): PlaceInText {
  const half = longestText / 2
  const begin = from > half ? from - half : 0
  const end = Math.min(whole.length, Math.max(to, from + 1) + half)
  return {
    before: (begin > 0 ? "…" : "") + whole.slice(begin, from),
    at: whole.slice(from, Math.min(to, from + half)),
    after: whole.slice(Math.min(to, from + half), end) + (end < whole.length ? "…" : "")
  }
}

/** As `JSON.stringify(value, null, 2)` writes it, and where in it the target begins and ends; 0 to 0: nowhere. */
function write(root: unknown, target: ReadonlyArray<string>) {
  const found = { from: 0, to: 0 }
  /** `rest`: the path from this value to the target; undefined: the target lies elsewhere. */
  const writeAt = (
    value: unknown,
    rest: ReadonlyArray<string> | undefined,
    { indent, offset }: { readonly indent: string; readonly offset: number }
  ): string => {
    const deeper = `${indent}  `
    const isList = Array.isArray(value)
    const entries = typeof value === "object" && value !== null ? Object.entries(value) : undefined
    let text = ""
    if (entries === undefined) text = JSON.stringify(value)
    else if (entries.length === 0) text = isList ? "[]" : "{}"
    else {
      text = isList ? "[" : "{"
      entries.forEach(([key, inner], index) => {
        text += `${index === 0 ? "" : ","}\n${deeper}${isList ? "" : `${JSON.stringify(key)}: `}`
        const below = rest !== undefined && rest[0] === key ? rest.slice(1) : undefined
        text += writeAt(inner, below, { indent: deeper, offset: offset + text.length })
      })
      text += `\n${indent}${isList ? "]" : "}"}`
    }
    // The innermost value is written first: it is the place, or the nearest ancestor of a place that is missing.
    if (rest !== undefined && found.to === 0) Object.assign(found, { from: offset, to: offset + text.length })
    return text
  }
  const whole = writeAt(root, target, { indent: "", offset: 0 })
  return { whole, found }
}
