/** Reading an answered exchange: envelope, data, headers, links; and naming it for a reader. */

import type { Exchange, ExchangeResponse } from "../../schema/Exchange.ts"
import { isClientErrorCode } from "../../schema/ocpi/envelope.ts"
import { isObject, type JsonObject } from "./json.ts"
import { type NextLink, nextIn } from "./links.ts"
import { shown } from "./words.ts"

/** An exchange that was answered over HTTP. */
export interface AnsweredExchange {
  readonly exchange: Exchange
  readonly response: ExchangeResponse
  /** The body as JSON; undefined when it is none. */
  readonly json: unknown
  /** What tells the exchange from others like it: a version, a form. Empty where nothing does. */
  readonly about: string
}

/** The OCPI envelope, or undefined when the body is none. */
export const envelope = (seen: AnsweredExchange): JsonObject | undefined =>
  isObject(seen.json) ? seen.json : undefined

/** `status_code` as it was written, whatever its type; `statusCode` is what it means. */
export const codeOf = (seen: AnsweredExchange): unknown => envelope(seen)?.["status_code"]

/** `data` of the envelope; undefined when there is none. */
export const dataOf = (seen: AnsweredExchange): unknown => envelope(seen)?.["data"]

/**
 * Is the status_code one of success: an integer of the range 1xxx, of which 1000 is the generic one (status_codes, 1xxx:
 * Success)?
 */
export const isSuccessCode = (code: number | null | undefined): boolean =>
  typeof code === "number" && Number.isInteger(code) && code >= 1000 && code < 2000

/** HTTP 2xx with an envelope that says success. */
export const succeeded = (seen: AnsweredExchange): boolean =>
  seen.response.httpStatus >= 200 && seen.response.httpStatus < 300 && isSuccessCode(statusCode(seen))

/**
 * `status_code` as a number; NaN when it is none. A text of digits is read as its number, so that its form is the finding of one
 * check (TRANS-012), and what the partner means by it is judged by all others.
 */
export const statusCode = (seen: AnsweredExchange): number => numberIn(codeOf(seen))

/** The number that a `status_code` means; see `statusCode`. */
export function numberIn(code: unknown): number {
  return typeof code === "number" || (typeof code === "string" && /^\d+$/.test(code))
    ? Number(code)
    : Number.NaN
}

/** HTTP 5xx. */
export const isServerError = (seen: AnsweredExchange): boolean => seen.response.httpStatus >= 500

/** HTTP 5xx or status_code 3xxx: the server failed, whatever it thinks of the request. */
export const isServerFault = (seen: AnsweredExchange): boolean =>
  isServerError(seen) || (statusCode(seen) >= 3000 && statusCode(seen) < 4000)

/** The method is offered there. An answer that says it is not, HTTP 405 or 501, says nothing about the id or the body of the request. */
export const offersMethod = ({ response }: AnsweredExchange): boolean =>
  response.httpStatus !== 405 && response.httpStatus !== 501

/** status_code 2xxx, and no HTTP 5xx. */
export const isClientError = (seen: AnsweredExchange): boolean =>
  !isServerError(seen) && isClientErrorCode(statusCode(seen))

/**
 * The objects of a list page; undefined when the answer is no list. `null` in place of an empty list is what some languages write:
 * that it is no array is the finding of the checks of that form, and all others read it as it is meant.
 */
export const itemsOf = (seen: AnsweredExchange): ReadonlyArray<unknown> | undefined => {
  const data = dataOf(seen)
  if (seen.response.httpStatus !== 200) return undefined
  const isNone = data === null && succeeded(seen) && (count(seen, "x-total-count") ?? 0) === 0
  return Array.isArray(data) ? data : isNone ? [] : undefined
}

/** A header of the answer, its name in any case; undefined when it is absent. */
export const header = (seen: AnsweredExchange, name: string): string | undefined =>
  seen.response.headers[name.toLowerCase()]

/** A header that must be a whole number >= 0; undefined when it is absent or anything else. */
export const count = (seen: AnsweredExchange, name: string): number | undefined => {
  const text = header(seen, name)?.trim()
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : undefined
}

/** The link to the next page; undefined when the answer has none. */
export const nextOf = (seen: AnsweredExchange): NextLink | undefined =>
  nextIn(header(seen, "link"), seen.exchange.request.url)

/** How long the partner took to answer, in milliseconds: without the time by which our own process was late. */
export const tookMillis = ({ exchange: { durationMs, ourLateMs = 0 } }: AnsweredExchange): number =>
  Math.max(0, durationMs - ourLateMs)

/** That a request was one of too many, and when to come back: what follows on its name. */
export const limitedAnswer = ({ response }: Pick<Exchange, "response">): string => {
  const wait = response?.headers["retry-after"]
  return `was answered HTTP 429 (too many requests)${wait === undefined ? "" : `, Retry-After: ${wait.slice(0, 40)}`}`
}

/**
 * That a request did not reach the partner's service, which says nothing about how it answers; what follows on its name. undefined: it
 * did, or we do not know.
 */
export function undelivered({ fault, outcome, request }: UndeliveredExchange): string | undefined {
  if (fault?.kind !== "dns" && fault?.kind !== "refused") return undefined
  const host = URL.canParse(request.url) ? new URL(request.url).host : request.url
  const why =
    fault.kind === "dns"
      ? `the name of the host ${host} could not be resolved from here`
      : `${host} refused the connection`
  return `was not delivered: ${why} (${fault.message ?? outcome})`
}

type UndeliveredExchange = Pick<Exchange, "fault" | "outcome"> & {
  readonly request: { readonly url: string }
}

/** Operations that OCPI calls by the name of their module, and others by a name of their own. */
const bareOperations: ReadonlyArray<string> = ["list", "read"]
const ownNames: Readonly<Record<string, string>> = { details: "version details" }

/**
 * The request as a partner's developer knows it, by method and OCPI's own noun: `GET locations`, `PUT token`, `POST START_SESSION`,
 * `GET version details`; what tells it from others like it in parentheses: `GET locations (next page)`. For messages.
 */
export const requestName = (exchange: NamedExchange): string => nameWith(exchange, "")

type NamedExchange = Pick<Exchange, "module" | "operation"> & {
  readonly request: { readonly method: string }
}

function nameWith({ module, operation, request: { method } }: NamedExchange, about: string): string {
  const [first = "", ...others] = operation.split(", ")
  const [noun = "", ...more] = first.startsWith(`${method} `)
    ? [first.slice(method.length + 1)]
    : nounIn(module, first)
  const details = [...more, ...others, about].filter((part) => part !== "").join(", ")
  return `${method} ${noun}${details === "" ? "" : ` (${details})`}`
}

/** The noun of an operation that does not name its method, and what there is to add. */
function nounIn(module: string, operation: string): ReadonlyArray<string> {
  const own = ownNames[operation] ?? (/^[A-Z_]+$/.test(operation) ? operation : undefined)
  if (own !== undefined) return [own]
  if (bareOperations.includes(operation)) return [module]
  return [module, operation.replace(/^list /, "")]
}

/** The request, and what it is about. */
export const named = ({ about, exchange }: AnsweredExchange): string => nameWith(exchange, about)

/** `HTTP 200, status_code 1000`. */
export const statusLine = (seen: AnsweredExchange): string => {
  const code = codeOf(seen)
  return `HTTP ${seen.response.httpStatus}${code === undefined ? "" : `, status_code ${shown(code)}`}`
}

/** The Authorization header of a request, scrubbed; undefined where there is none. */
export const authorizationIn = ({
  exchange
}: {
  readonly exchange: Pick<Exchange, "request">
}): string | undefined => exchange.request.headers["authorization"]

/** The same in words. */
export const authorizationOf = (seen: { readonly exchange: Pick<Exchange, "request"> }): string =>
  authorizationIn(seen) ?? "no Authorization header"
