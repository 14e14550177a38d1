/** `Link: <…>; rel="next"` for lists, as a relative reference. */
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import { noteHeaders } from "./requestNotes.ts"

/** Adds the header when the page is full. `parameter`: the query parameter that gets `value` for the next page. */
export const linkNext = (page: {
  readonly full: boolean
  readonly parameter: string
  readonly value: string | number
}) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    if (!page.full) return Effect.void
    const [path, query = ""] = request.url.split("?", 2)
    const next = new URLSearchParams(query)
    next.set(page.parameter, String(page.value))
    // A relative reference (RFC 8288) works behind any proxy and needs no Host header.
    return noteHeaders({ link: `<${path}?${next}>; rel="next"` })
  })
