/**
 * The cookie that stands for an API key in a browser, and what a request with it must have: a browser sends it by itself, so
 * such a request must be the console's own.
 */
import type { Headers, HttpServerRequest } from "@effect/platform"
import { Effect, Redacted } from "effect"
import { Forbidden } from "../../../schema/Errors.ts"
import { sessionDays } from "../../store/accounts/SessionStore.ts"

/** A form cannot send this header, and a page of another origin only after asking us, which we never allow. */
const consoleHeader = "x-plugfest-console"

/** The cookie of one service. */
interface SessionCookie {
  /** The secret in the request; undefined: there is no cookie of this name, or there are several, of which one is not ours. */
  readonly read: (headers: Headers.Headers) => Redacted.Redacted<string> | undefined
  /** The Set-Cookie header that sets the secret. */
  readonly set: (secret: Redacted.Redacted<string>) => string
  /** The Set-Cookie header that removes the cookie. */
  readonly cleared: string
  /** Refuses a request of a page of another origin. `request.headers` say so where the browser sends them. */
  readonly refuseForeign: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void, Forbidden>
  /** Refuses, of requests with the cookie, those of other origins, and those that change something without the console's header. */
  readonly refuseForged: (request: HttpServerRequest.HttpServerRequest) => Effect.Effect<void, Forbidden>
}

/** The cookie of the service at this public URL: with https bound to this host and to encrypted connections. */
export const sessionCookie = (publicUrl: string): SessionCookie => {
  const { origin, protocol } = new URL(publicUrl)
  const isSecure = protocol === "https:"
  const name = isSecure ? "__Host-plugfest" : "plugfest_session"
  const flags = `; Path=/; HttpOnly; SameSite=Strict${isSecure ? "; Secure" : ""}`

  const read = (headers: Headers.Headers) => {
    const header = headers["cookie"]
    if (header === undefined) return undefined
    const values = header.split(";").flatMap((pair) => {
      const [key = "", value = ""] = pair.trim().split("=", 2)
      return key === name ? [value] : []
    })
    return values.length === 1 ? Redacted.make(values[0]!) : undefined
  }

  const isOurs = (given: string, host: string | undefined) =>
    given === origin || given === `${protocol}//${host}`

  const refuseForeign = ({ headers, method }: HttpServerRequest.HttpServerRequest) => {
    const { host, origin: given, "sec-fetch-site": site } = headers
    const isRead = method === "GET" || method === "HEAD"
    // `none`: typed into the address bar, or a bookmark.
    const isOwnSite = site === undefined || site === "same-origin" || (isRead && site === "none")
    return isOwnSite && (given === undefined || isOurs(given, host))
      ? Effect.void
      : new Forbidden({
          message: `A request of a page of another origin cannot use the session of the console: expected Origin ${origin} and Sec-Fetch-Site same-origin. Send an API key instead: Authorization: Bearer <API_KEY>`
        })
  }

  const refuseForged = (request: HttpServerRequest.HttpServerRequest) => {
    const { headers, method } = request
    const isRead = method === "GET" || method === "HEAD"
    return isRead || headers[consoleHeader] === "1"
      ? refuseForeign(request)
      : new Forbidden({
          message:
            "A request that changes something with the session of the console needs the header X-Plugfest-Console: 1"
        })
  }

  return {
    read,
    set: (secret) => `${name}=${Redacted.value(secret)}${flags}; Max-Age=${sessionDays * 86_400}`,
    cleared: `${name}=${flags}; Max-Age=0`,
    refuseForeign,
    refuseForged
  }
}
