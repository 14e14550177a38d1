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

/** JSON of a text, with or without a byte order mark; undefined when it is none, or nested beyond all reason. */
export const parseJson = (text: string): unknown => {
  try {
    const json = JSON.parse(text.replace(/^\uFEFF/, "")) as unknown
    return isDeeper(json, maxDepth) ? undefined : json
  } catch {
    return undefined
  }
}

function isDeeper(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false
  return depth === 0 || Object.values(value).some((part) => isDeeper(part, depth - 1))
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
