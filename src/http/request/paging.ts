/** `Link: <…>; rel="next"` for lists, as a relative reference. */
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { ExchangesPage } from "../../services/connections/exchangesOf.ts"
import { noteHeaders } from "./requestNotes.ts"

/** A page that was read. */
export interface ReadPage {
  /** Has as many items as were asked for, so that there may be more. */
  readonly full: boolean
  /** The query parameter that gets `value` for the next page. */
  readonly parameter: string
  readonly value: string | number
}

/** The header's value for the page at this URL; undefined when it is the last one. */
export const nextLink = (url: string, { full, parameter, value }: ReadPage): string | undefined => {
  if (!full) return undefined
  const [path, query = ""] = url.split("?", 2)
  const next = new URLSearchParams(query)
  next.set(parameter, String(value))
  // A relative reference (RFC 8288) works behind any proxy and needs no Host header.
  return `<${path}?${next}>; rel="next"`
}

/** Adds the header when the page is full. */
export const linkNext = (page: ReadPage) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
    const link = nextLink(url, page)
    return link === undefined ? Effect.void : noteHeaders({ link })
  })

/** How many exchanges a page has where the request does not say it. */
export const defaultExchanges = 100

/** The exchanges of a page of at most `limit`, with the header that leads to the next. */
export const linkedPage = (limit: number, { exchanges, next }: ExchangesPage) =>
  Effect.as(linkNext({ full: exchanges.length === limit, ...next }), exchanges)
