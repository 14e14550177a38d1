/**
 * The one more request that an answer asks for: at the URL with or without a slash at its end, to which it redirects, or the
 * same again after the seconds of its Retry-After. Pure.
 */
import type { Exchange } from "../../schema/Exchange.ts"

/** Whether a URL's path ends in a slash. */
export type EndSlash = "with" | "without"

/** What has to be sent again, and why. */
export type FollowUp =
  /** The redirect leads to the same URL with or without a slash at the end of its path. */
  | { readonly why: "slash"; readonly endSlash: EndSlash }
  /** HTTP 429 or 503 with a Retry-After of a few seconds (RFC 9110, 10.2.3 and 15.6.4; RFC 6585, 4). */
  | { readonly why: "busy"; readonly millis: number }

/** The longest Retry-After that is waited for. */
const longestRestMillis = 10_000
/** The longest that a run waits in all because answers ask for it by Retry-After. */
const mostRestMillis = 60_000

/** What the answers to one request ask for, within the limits of its run: each kind of request once. */
interface FollowUps {
  readonly next: (exchange: Exchange) => FollowUp | undefined
}

/** Counts what the run has waited for because of Retry-After. Returns what makes the follow-ups of each of its requests. */
export const makeFollowUps = (): (() => FollowUps) => {
  let restMillis = 0
  return () => {
    const followed = new Set<FollowUp["why"]>()
    return {
      next: (exchange) => {
        const next = followUp(exchange)
        if (next === undefined || followed.has(next.why)) return undefined
        if (next.why === "busy") {
          if (restMillis + next.millis > mostRestMillis) return undefined
          restMillis += next.millis
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
export const followUp = ({ durationMs, request, response, startedAt }: Exchange): FollowUp | undefined => {
  if (response === null) return undefined
  const { headers, httpStatus } = response
  if (keepsMethod(httpStatus, request.method)) return slashed(request.url, headers["location"])
  if ((httpStatus !== 429 && httpStatus !== 503) || !idempotent.includes(request.method)) return undefined
  const millis = restMillis(headers["retry-after"], Date.parse(startedAt) + durationMs)
  return millis === undefined || millis > longestRestMillis ? undefined : { why: "busy", millis }
}

/** The URL with or without a slash at the end of its path; the query stays. */
export const setEndSlash = (url: string, endSlash: EndSlash): string => {
  const changed = new URL(url)
  const path = changed.pathname.endsWith("/") ? changed.pathname.slice(0, -1) : changed.pathname
  changed.pathname = endSlash === "with" ? `${path}/` : path
  return changed.href
}

/** A redirect to the same URL, but for the slash at the end of its path. */
function slashed(from: string, location: string | undefined): FollowUp | undefined {
  if (location === undefined || !URL.canParse(from) || !URL.canParse(location, from)) return undefined
  const to = new URL(location, from).href
  const endSlash = new URL(from).pathname.endsWith("/") ? "without" : "with"
  return to === setEndSlash(from, endSlash) ? { why: "slash", endSlash } : undefined
}

/** A Retry-After that came at `nowMillis`: whole seconds, or an HTTP date (RFC 9110, 10.2.3). */
function restMillis(text: string | undefined, nowMillis: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,6}$/.test(text.trim())) return Number(text) * 1000
  const at = /GMT\s*$/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMillis)
}
