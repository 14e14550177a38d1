/**
 * The one more request that an answer asks for: at the URL with or without a slash at its end, to which it redirects, the same
 * again after a wait, where it was one of too many or came too early, or for a smaller page of a list, where we could not read so
 * much. Pure.
 */
import type { Exchange } from "../../schema/Exchange.ts"

/** Whether a URL's path ends in a slash. */
export type EndSlash = "with" | "without"

/** What has to be sent again, and why. */
export type FollowUp =
  /** The redirect leads to the same URL with or without a slash at the end of its path. */
  | { readonly why: "slash"; readonly endSlash: EndSlash }
  /**
   * HTTP 429, or 503 to a method that may be sent twice, with a Retry-After of a few seconds or without one (RFC 9110, 10.2.3 and
   * 15.6.4; RFC 6585, 4). `isUnasked`: the answer does not say how long to wait.
   */
  | { readonly why: "busy"; readonly millis: number; readonly isUnasked?: true }
  /** A page of a list that was larger than what is read of an answer: `limit` is that of a smaller one. */
  | { readonly why: "smaller"; readonly limit: number }

/** The longest Retry-After that is waited for. */
const longestRestMillis = 10_000
/** The longest that a run waits in all because answers ask for it by Retry-After. */
const mostRestMillis = 60_000
/** Waited for where the answer does not say how long. */
const unaskedRestMillis = 2000
/** The longest that a run waits in all without being asked to. */
const mostUnaskedMillis = 10_000

/**
 * What the answers to one request ask for, within the limits of its run: each kind of request once, but smaller pages down to one
 * object.
 */
interface FollowUps {
  readonly next: (exchange: Exchange) => FollowUp | undefined
}

/** Counts what the run has waited for because of such answers. Returns what makes the follow-ups of each of its requests. */
export const makeFollowUps = (): (() => FollowUps) => {
  const rested = { asked: 0, unasked: 0 }
  return () => {
    const followed = new Set<FollowUp["why"]>()
    return {
      next: (exchange) => {
        const next = followUp(exchange)
        if (next?.why === "smaller") return next
        if (next === undefined || followed.has(next.why)) return undefined
        if (next.why === "busy") {
          const [kind, most] =
            next.isUnasked === true
              ? (["unasked", mostUnaskedMillis] as const)
              : (["asked", mostRestMillis] as const)
          if (rested[kind] + next.millis > most) return undefined
          rested[kind] += next.millis
        }
        followed.add(next.why)
        return next
      }
    }
  }
}

/** Redirects after which the method is kept: 307 and 308 always, 301 and 302 except for POST (RFC 9110, 15.4). */
const keepsMethod = (status: number, method: string): boolean =>
  status === 307 || status === 308 || ((status === 301 || status === 302) && method !== "POST")

/** Methods that may be sent twice (RFC 9110, 9.2.2). */
const idempotent: ReadonlyArray<string> = ["GET", "HEAD", "PUT", "DELETE"]

/** What the answer asks for; undefined when it is to be taken as it is. */
export const followUp = (exchange: Exchange): FollowUp | undefined => {
  const { durationMs, request, response, startedAt } = exchange
  if (response === null) return undefined
  const { headers, httpStatus } = response
  const limit = smallerLimit(exchange)
  if (limit !== undefined) return { why: "smaller", limit }
  if (keepsMethod(httpStatus, request.method)) return slashed(request.url, headers["location"])
  // A request that is one of too many was not looked at, whatever its method. What is answered 503 may have been begun.
  const mayRepeat = httpStatus === 429 || (httpStatus === 503 && idempotent.includes(request.method))
  if (!mayRepeat) return undefined
  const millis = restMillis(headers["retry-after"], Date.parse(startedAt) + durationMs)
  if (millis === undefined) return { why: "busy", millis: unaskedRestMillis, isUnasked: true }
  return millis > longestRestMillis ? undefined : { why: "busy", millis }
}

/** The URL with or without a slash at the end of its path; the query stays. */
export const setEndSlash = (url: string, endSlash: EndSlash): string => {
  const changed = new URL(url)
  const path = changed.pathname.endsWith("/") ? changed.pathname.slice(0, -1) : changed.pathname
  changed.pathname = endSlash === "with" ? `${path}/` : path
  return changed.href
}

/** The URL with that `limit` in its query (transport_and_format, Pagination). */
export const setLimit = (url: string, limit: number): string => {
  const changed = new URL(url)
  changed.searchParams.set("limit", String(limit))
  return changed.href
}

/** The first limit of a page that was too large without one; a smaller limit is a quarter of the one before. */
const fewObjects = 10

/** The limit with which the first page of a list, which was too large for us, may be read; undefined: it was not, or was of one object. */
function smallerLimit({ fault, module, operation, request, response }: Exchange): number | undefined {
  const isFirstPage = /^list\b/.test(operation) && !operation.endsWith("next page")
  const isPage = isFirstPage && request.method === "GET" && module !== "versions"
  const isGiven = response !== null && response.httpStatus >= 200 && response.httpStatus < 300
  if (!isPage || !isGiven || fault?.kind !== "too_large" || !URL.canParse(request.url)) return undefined
  const asked = new URL(request.url).searchParams.get("limit")
  if (asked === null) return fewObjects
  return Number(asked) > 1 ? Math.max(1, Math.floor(Math.min(Number(asked) / 4, fewObjects))) : undefined
}

/** A redirect to the same URL, but for the slash at the end of its path. */
function slashed(from: string, location: string | undefined): FollowUp | undefined {
  if (location === undefined || !URL.canParse(from) || !URL.canParse(location, from)) return undefined
  const to = new URL(location, from).href
  const endSlash = new URL(from).pathname.endsWith("/") ? "without" : "with"
  return to === setEndSlash(from, endSlash) ? { why: "slash", endSlash } : undefined
}

/** A Retry-After that came at `nowMillis`: whole seconds, or an HTTP date (RFC 9110, 10.2.3); undefined: it says neither. */
function restMillis(text: string | undefined, nowMillis: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,6}$/.test(text.trim())) return Number(text) * 1000
  const at = /GMT\s*$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMillis)
}
