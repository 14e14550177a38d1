/** Questions about an answered exchange: envelope, data, headers, links. */
import type { Answered } from "./Evidence.ts"

export type Json = Readonly<Record<string, unknown>>

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** The OCPI envelope, or undefined when the body is none. */
export const envelope = (seen: Answered): Json | undefined => (isObject(seen.json) ? seen.json : undefined)

export const dataOf = (seen: Answered): unknown => envelope(seen)?.["data"]

/** HTTP 2xx with an envelope that says success. */
export const succeeded = (seen: Answered): boolean =>
  seen.response.httpStatus >= 200 &&
  seen.response.httpStatus < 300 &&
  envelope(seen)?.["status_code"] === successCode

/** OCPI's code for success. */
export const successCode = 1000

/** The objects of a list page; undefined when the answer is no list. */
export const itemsOf = (seen: Answered): ReadonlyArray<unknown> | undefined => {
  const data = dataOf(seen)
  return seen.response.httpStatus === 200 && Array.isArray(data) ? data : undefined
}

export const header = (seen: Answered, name: string): string | undefined =>
  seen.response.headers[name.toLowerCase()]

/** A header that must be a whole number >= 0; undefined when it is absent or anything else. */
export const count = (seen: Answered, name: string): number | undefined => {
  const text = header(seen, name)?.trim()
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** `GET locations list`, for messages. */
export const named = (seen: Answered): string =>
  `${seen.exchange.request.method} ${seen.exchange.module} ${seen.exchange.operation}${seen.about === "" ? "" : ` (${seen.about})`}`

/** `HTTP 200, status_code 1000`. */
export const statusLine = (seen: Answered): string => {
  const code = envelope(seen)?.["status_code"]
  return `HTTP ${seen.response.httpStatus}${code === undefined ? "" : `, status_code ${shown(code)}`}`
}

/** A value for a reader: JSON, at most 120 characters. */
export const shown = (value: unknown): string => {
  const text = value === undefined ? "absent" : (JSON.stringify(value) ?? String(value))
  return text.length > 120 ? `${text.slice(0, 117)}…` : text
}

export interface NextLink {
  readonly url?: string
  /** What is wrong with its form. */
  readonly problem?: string
}

/** The `next` relation of a Link header; undefined when the header has none. */
export const nextLink = (text: string | undefined): NextLink | undefined => {
  if (text === undefined) return undefined
  for (const [, target = "", parameters = ""] of text.matchAll(/<([^<>]*)>([^<]*)/g)) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters)
    const names = (relations?.[1] ?? relations?.[2] ?? "").toLowerCase().split(/\s+/)
    if (!names.includes("next")) continue
    return isHttpUrl(target)
      ? { url: target }
      : { problem: `the target ${shown(target)} is not an absolute URL` }
  }
  return /rel\s*=\s*"?next\b/i.test(text)
    ? { problem: 'the target of rel="next" does not stand in angle brackets' }
    : undefined
}

export const nextOf = (seen: Answered): NextLink | undefined => nextLink(header(seen, "link"))

export const isHttpUrl = (text: unknown): text is string =>
  typeof text === "string" && /^https?:\/\//i.test(text) && URL.canParse(text)
