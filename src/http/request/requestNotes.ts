/** Data kept with a request while it is answered: its id, headers for the answer, the parsed body. */
import { randomUUID } from "node:crypto"
import { HttpServerRequest } from "@effect/platform"
import { Effect } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import type { Taken } from "../../services/accounts/rateLimitBatch.ts"

/** The notes of one request. */
export interface RequestNotes {
  readonly requestId: string
  /** Headers that are added to the answer, also to an error. */
  readonly headers: Record<string, string>
  /** The parsed JSON body, before it is decoded by a schema; null until it is read. */
  body: unknown
  /** Set when the caller was found, and the request counted, before the contract's route was asked. */
  admitted?: Admitted
}

/** A caller, and the state of its rate after this request. */
export interface Admitted {
  readonly caller: Caller
  readonly taken: Taken
}

// Keyed by the request object, so that entries are collected with it.
const notes = new WeakMap<object, RequestNotes>()

/** The notes of this request; made at the first call. */
export const notesOf = (request: HttpServerRequest.HttpServerRequest): RequestNotes =>
  notesOfSource(request.source as object) // the platform types it as unknown; every server passes an object

/** The same by Node's request object. */
export const notesOfSource = (source: object): RequestNotes => {
  const known = notes.get(source)
  if (known !== undefined) return known
  const fresh: RequestNotes = { requestId: randomUUID(), headers: {}, body: null }
  notes.set(source, fresh)
  return fresh
}

/** Adds headers to the answer of the current request. */
export const noteHeaders = (headers: Readonly<Record<string, string>>) =>
  Effect.map(HttpServerRequest.HttpServerRequest, (request) => {
    Object.assign(notesOf(request).headers, headers)
  })
