/** Reading the JSON of a text that somebody else wrote, within limits of ours. */

/** JSON nested deeper than this is no OCPI message, and could overflow the stack of recursive code. */
const maxDepth = 100
/** Texts, numbers, lists and objects in one message. The fullest megabyte of legal objects has some 100,000. */
const mostValues = 150_000
/** Entries of one list, fields of one object. */
const mostEntries = 20_000

/**
 * The JSON of a text (undefined: none), or, as `excess`, which limit of ours it exceeds; that does not make it invalid.
 */
type JsonReading =
  | { readonly json: unknown; readonly excess?: undefined }
  | { readonly json: undefined; readonly excess: string }

/** Parses a text, with or without a byte order mark, unless it exceeds our limits. */
export const readJson = (text: string): JsonReading => {
  const excess = excessOf(text)
  if (excess !== undefined) return { json: undefined, excess }
  try {
    return { json: JSON.parse(text.replace(/^\uFEFF/, "")) }
  } catch {
    return { json: undefined }
  }
}

/** The JSON of a text; undefined when it is no JSON, or exceeds our limits. */
export const parseJson = (text: string): unknown => readJson(text).json

const [backslash, quotationMark, comma, bracket, bracketEnd, brace, braceEnd] = [
  0x5c, 0x22, 0x2c, 0x5b, 0x5d, 0x7b, 0x7d
]
const isBlank = (code: number) => code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09

/**
 * Which limit the JSON in the text exceeds. Counted before parsing, because a megabyte of nested lists, or of fields with
 * different names, keeps the engine busy for up to a second. It may also report a text that only begins like JSON.
 */
function excessOf(text: string): string | undefined {
  if (!/^\uFEFF?\s*[[{]/.test(text) || isSmall(text)) return undefined
  /** Number of entries of each enclosing list and object. */
  const entries: Array<number> = []
  let values = 1
  let isQuoted = false
  /** After an opening bracket: next is its end or its first entry. */
  let isFresh = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted) {
      if (code === backslash) at++
      else if (code === quotationMark) isQuoted = false
      continue
    }
    const closes = code === bracketEnd || code === braceEnd
    if (code === comma || (isFresh && !closes && !isBlank(code))) {
      isFresh = false
      values += 1
      entries[entries.length - 1]! += 1
      if (entries.at(-1)! > mostEntries)
        return `it has a list or an object with more than ${mostEntries} entries`
      if (values > mostValues) return `it has more than ${mostValues} values`
    }
    if (code === quotationMark) isQuoted = true
    else if (code === bracket || code === brace) {
      if (entries.push(0) > maxDepth) return `it is nested deeper than ${maxDepth} levels`
      isFresh = true
    } else if (closes) {
      entries.pop()
      isFresh = false
      // The outermost value has ended: whatever follows is not part of it.
      if (entries.length === 0) return undefined
    }
  }
  return undefined
}

/** Too short for so many entries, and with too few brackets to be nested so deep: known without a look at each character. */
function isSmall(text: string): boolean {
  if (text.length > mostEntries) return false
  let brackets = 0
  for (const opening of ["{", "["])
    for (let at = text.indexOf(opening); at >= 0; at = text.indexOf(opening, at + 1))
      if (++brackets > maxDepth) return false
  return true
}

/**
 * The first of several JSON documents written one after the other into one body; undefined when the text does not begin
 * with an object or a list, or holds only one.
 */
export const firstDocument = (text: string): unknown => {
  const from = text.search(/[^\s\uFEFF]/)
  if (from < 0 || !"{[".includes(text[from]!)) return undefined
  let depth = 0
  let quoted = false
  for (let at = from; at < text.length; at++) {
    const character = text[at]!
    if (quoted) {
      if (character === "\\") at++
      else if (character === '"') quoted = false
    } else if (character === '"') quoted = true
    else if (character === "{" || character === "[") depth++
    else if (character === "}" || character === "]") depth--
    if (depth > 0 || quoted) continue
    const rest = text.slice(at + 1).trim()
    return /^[{[]/.test(rest) ? parseJson(text.slice(from, at + 1)) : undefined
  }
  return undefined
}
