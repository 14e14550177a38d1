/** The OCPI response envelope, built and read. */

export interface Envelope {
  readonly data?: unknown
  readonly status_code: number
  readonly status_message?: string
  readonly timestamp: string
}

/** `data` undefined: left out, as for pushes and errors. `timestamp` is an OCPI DateTime. */
export const envelope = (parts: {
  readonly data?: unknown
  readonly statusCode: number
  readonly statusMessage?: string
  readonly timestamp: string
}): Envelope => ({
  ...(parts.data === undefined ? {} : { data: parts.data }),
  status_code: parts.statusCode,
  ...(parts.statusMessage === undefined ? {} : { status_message: parts.statusMessage }),
  timestamp: parts.timestamp
})

/** What an answer's envelope says; undefined when the JSON is no envelope (an object with an integer `status_code`). */
export const readEnvelope = (
  json: unknown
):
  | { readonly statusCode: number; readonly data: unknown; readonly message: string | undefined }
  | undefined => {
  if (typeof json !== "object" || json === null || Array.isArray(json)) return undefined
  const { data, status_code, status_message } = json as Record<string, unknown> // an object, tested above
  if (typeof status_code !== "number" || !Number.isInteger(status_code)) return undefined
  return {
    statusCode: status_code,
    data,
    message: typeof status_message === "string" ? status_message : undefined
  }
}

/** Deeper JSON than this is no message of OCPI, and would break whoever walks through it. */
const maxDepth = 100
/** Texts, numbers, lists and objects in one message. The fullest megabyte of legal objects has some 100,000. */
export const mostValues = 150_000
/** Entries of one list, fields of one object. */
export const mostEntries = 20_000

/** JSON of a text; or that there is none; or what of it is more than we look at, which says nothing of its being right. */
export type Reading =
  | { readonly json: unknown; readonly excess?: undefined }
  | { readonly json: undefined; readonly excess: string }

/** JSON of a text, with or without a byte order mark, unless it is too much. */
export const readJson = (text: string): Reading => {
  // Before it is parsed: hundreds of thousands of lists within one another take the engine a second.
  if (isDeeper(text, maxDepth))
    return { json: undefined, excess: `it is nested deeper than ${maxDepth} levels` }
  let json: unknown
  try {
    json = JSON.parse(text.replace(/^\uFEFF/, ""))
  } catch {
    return { json: undefined }
  }
  const excess = excessOf(json)
  return excess === undefined ? { json } : { json: undefined, excess }
}

/** JSON of a text; undefined when it is none, or too much. */
export const parseJson = (text: string): unknown => readJson(text).json

/** Of a text that is JSON; of any other it says something, and nothing of it is used. */
function isDeeper(text: string, most: number): boolean {
  let depth = 0
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isQuoted) {
      if (code === backslash) at++
      else if (code === quotationMark) isQuoted = false
    } else if (code === quotationMark) isQuoted = true
    else if (code === bracket || code === brace) {
      if (++depth > most) return true
    } else if (code === bracketEnd || code === braceEnd) depth--
  }
  return false
}

const [backslash, quotationMark, bracket, bracketEnd, brace, braceEnd] = [0x5c, 0x22, 0x5b, 0x5d, 0x7b, 0x7d]

function excessOf(root: unknown): string | undefined {
  const open: Array<unknown> = [root]
  let values = 1
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next !== "object" || next === null) continue
    const parts: ReadonlyArray<unknown> = Array.isArray(next) ? next : Object.values(next)
    if (parts.length > mostEntries)
      return `it has ${Array.isArray(next) ? "a list with" : "an object with"} ${parts.length} entries; we look at no more than ${mostEntries}`
    values += parts.length
    if (values > mostValues) return `it has more than ${mostValues} values`
    for (const part of parts) if (typeof part === "object" && part !== null) open.push(part)
  }
  return undefined
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
