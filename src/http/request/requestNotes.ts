/** What is remembered about one request while it is answered: its id, headers for the answer, the body as it came. */
import { randomUUID } from "node:crypto"
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"

export interface RequestNotes {
  readonly requestId: string
  /** Headers for the answer, whatever the answer is. */
  readonly headers: Record<string, string>
  /** The JSON body as it was parsed, before any schema. */
  body: unknown
}

// Keyed by the request object, so that an entry goes when its request does.
const notes = new WeakMap<object, RequestNotes>()

/** The notes of this request; made at the first question. */
export const notesOf = (request: HttpServerRequest.HttpServerRequest): RequestNotes => {
  const source = request.source as object // the platform's own request, whatever the server
  const known = notes.get(source)
  if (known !== undefined) return known
  const fresh: RequestNotes = { requestId: randomUUID(), headers: {}, body: null }
  notes.set(source, fresh)
  return fresh
}

/** Adds headers to the answer of the request at hand. */
export const noteHeaders = (headers: Readonly<Record<string, string>>) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    Object.assign(notesOf(request).headers, headers)
  })
