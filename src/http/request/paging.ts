/** `Link: <…>; rel="next"` for lists, as a relative reference. */
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { NextPage, ReadPage } from "../../services/requests/readPage.ts"
import { noteHeaders } from "./requestNotes.ts"

/** The header's value for the page at this URL; undefined when it is the last one. */
export const nextLink = (url: string, next: NextPage | undefined): string | undefined => {
  if (next === undefined) return undefined
  const [path, query = ""] = url.split("?", 2)
  const parameters = new URLSearchParams(query)
  parameters.set(next.parameter, String(next.value))
  // A relative reference (RFC 8288) works behind any proxy and needs no Host header.
  return `<${path}?${parameters}>; rel="next"`
}

/** The items of the page, with the header that leads to the next one. */
export const linked = <A, E, R>(page: Effect.Effect<ReadPage<A>, E, R>) =>
  Effect.flatMap(page, ({ items, next }) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, ({ url }) => {
      const link = nextLink(url, next)
      return Effect.as(link === undefined ? Effect.void : noteHeaders({ link }), items)
    })
  )

/** How many exchanges a page has where the request does not say it. */
export const defaultExchanges = 100
