/**
 * The outermost middleware: refuses malformed requests, turns every remaining failure into the error body, and adds the
 * headers that every answer has.
 */
import {
  Headers,
  HttpLayerRouter,
  HttpServerError,
  HttpServerRequest,
  HttpServerResponse
} from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Cause, Clock, Effect, HashSet, type Layer } from "effect"
import { isArchiveError } from "../../archive/ArchiveStore.ts"
import { isDatabaseDown } from "../../database/DatabaseDown.ts"
import { messagesPath } from "../../placement/shards/messages.ts"
import {
  archiveUnavailable,
  databaseAwayMessage,
  databaseAwaySeconds
} from "../../services/requests/unavailable.ts"
import { errorAnswer, ocpiErrorAnswer, safeHeaders } from "../answer/answers.ts"
import { compress, isCompressible } from "../answer/compression.ts"
import { docsPolicy } from "../answer/docsPolicy.ts"
import { type EarlyRefusal, isRefusal, notThere } from "../answer/EarlyRefusal.ts"
import { takesJson } from "./accept.ts"
import { Draining } from "./Draining.ts"
import { isOcpiPath } from "./isOcpiPath.ts"
import { BodyRejected, declaredTooLarge, guardJsonBody } from "./requestBody.ts"
import { notesOf, type RequestNotes } from "./requestNotes.ts"
import { isKnownPath, methodsOf } from "./routes.ts"

type Response = HttpServerResponse.HttpServerResponse
type Request = HttpServerRequest.HttpServerRequest

const drainSeconds = 5

/** The work was interrupted, e.g. a look-up that it shared with a request whose client disconnected. */
const brokenOff: EarlyRefusal = {
  status: 503,
  message: "The request was broken off within the service; see whether it was done, and try again",
  headers: { "retry-after": "1" }
}

const isClientGone = (cause: Cause.Cause<unknown>): boolean =>
  Cause.isInterruptedOnly(cause) && HashSet.has(Cause.interruptors(cause), HttpServerError.clientAbortFiberId)

/** What an answer depends on beside its content. */
interface AnswerContext {
  readonly method: string
  readonly path: string
  readonly notes: RequestNotes
}

/** Turns every failure but that of a client that is gone into the error body, and adds the headers that every answer has. */
export const withErrorBodies = <R>(
  app: Effect.Effect<Response, unknown, R>,
  context: AnswerContext
): Effect.Effect<Response, never, R> =>
  app.pipe(
    Effect.catchAllCause((cause) =>
      isClientGone(cause)
        ? Effect.failCause(cause as Cause.Cause<never>)
        : Effect.flatMap(
            Cause.isInterruptedOnly(cause) ? Effect.succeed(brokenOff) : refusalAfter(cause, context),
            (refusal) => spoken(refusal, context.path)
          )
    ),
    Effect.map((response) => finished(response, context))
  )

const around = (draining: Draining["Type"]) => (app: Effect.Effect<Response, unknown>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request) => {
    const path = request.url.split("?", 1)[0]!
    const early = refusalBefore(request, path, draining)
    if (early === undefined && !isOcpiPath(path) && path !== messagesPath) guardJsonBody(request)
    const { method } = request
    return withErrorBodies(early === undefined ? app : Effect.fail(early), {
      method,
      path,
      notes: notesOf(request)
    }).pipe(
      Effect.flatMap((response) =>
        isCompressible(path) ? compress(response, request) : Effect.succeed(response)
      ),
      // While draining, close the connection: the client's next request then reaches another process.
      Effect.map((response) =>
        draining.isDraining() ? HttpServerResponse.setHeader(response, "connection", "close") : response
      )
    )
  })

/** Adds the middleware to the router, for all routes. */
export const ErrorBodies: Layer.Layer<never, never, HttpLayerRouter.HttpRouter | Draining> =
  HttpLayerRouter.middleware(
    Effect.map(Draining, around) as never, // the typed signature forbids handling all errors, which is the point here
    { global: true }
  ) as never

function refusalBefore(request: Request, path: string, draining: Draining["Type"]): EarlyRefusal | undefined {
  // Requests of partners are served to the end, because a partner may never repeat one.
  if (draining.isDraining() && !path.startsWith("/health/") && !isOcpiPath(path)) {
    const headers = { "retry-after": String(drainSeconds) }
    return { status: 503, message: "The server is draining; try again", headers }
  }
  const malformed = malformedHead(request)
  if (malformed !== undefined) return malformed
  if (!isPlainPath(path)) return notThere
  // The limit of a partner's body is told by the OCPI side, which keeps evidence of the call.
  if (isOcpiPath(path)) return undefined
  return (
    bodyRefusal(declaredTooLarge(request)) ??
    (path.startsWith("/api/") &&
    !/\/(stream|export)$/.test(path) &&
    !takesJson(request.headers["accept"]) &&
    isKnownPath(path)
      ? { status: 406, message: "The Accept header excludes application/json, which this path answers with" }
      : undefined)
  )
}

/** What no route shall see: a target that is none (RFC 9112, 3.2), not exactly one Host header, an unknown Expect. */
function malformedHead(request: Request): EarlyRefusal | undefined {
  const { httpVersion, rawHeaders, url = "" } = NodeHttpServerRequest.toIncomingMessage(request)
  // The platform takes what is neither a path nor a URL for the path `/`.
  if (!url.startsWith("/") && !(/^https?:/i.test(url) && URL.canParse(url))) return notThere
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === "host") hosts += 1
  }
  if (hosts > 1 || (hosts === 0 && httpVersion === "1.1"))
    return { status: 400, message: "The request must have one Host header" }
  if (httpVersion !== "1.0" && httpVersion !== "1.1")
    return { status: 400, message: "The request is neither HTTP/1.1 nor HTTP/1.0" }
  const expected = request.headers["expect"]
  return expected === undefined || /^100-continue$/i.test(expected.trim())
    ? undefined
    : { status: 417, message: "Expect: only 100-continue is possible" }
}

function refusalAfter(
  cause: Cause.Cause<unknown>,
  { method, notes, path }: AnswerContext
): Effect.Effect<EarlyRefusal> {
  const error = Cause.squash(cause)
  if (error instanceof BodyRejected) return Effect.succeed(bodyRefusal(error)!)
  if (isRefusal(error)) return Effect.succeed(error)
  if (tagOf(error) === "RouteNotFound") return Effect.succeed(noRoute(method, path))
  if (tagOf(error) === "RequestError") {
    return Effect.succeed({ status: 400, message: "The request cannot be read" })
  }
  if (isDatabaseDown(cause)) {
    const headers = { "retry-after": String(databaseAwaySeconds) }
    return Effect.succeed({ status: 503, message: databaseAwayMessage, headers })
  }
  if (isArchiveError(error)) {
    const { message, retryAfterSeconds } = archiveUnavailable(error)
    return Effect.succeed({ status: 503, message, headers: { "retry-after": String(retryAfterSeconds) } })
  }
  return Effect.logError("A request failed by a fault of ours", cause).pipe(
    Effect.annotateLogs({ requestId: notes.requestId, method, path }),
    Effect.as({
      status: 500,
      message: "A fault of ours; when you report it, quote the X-Request-Id of this answer"
    })
  )
}

function noRoute(method: string, path: string): EarlyRefusal {
  const methods = methodsOf(path)
  // The router takes no parameter of thousands of characters, and no id is as long.
  if (methods.length === 0 || (method !== "OPTIONS" && methods.includes(method))) return notThere
  const headers = { allow: methods.join(", ") }
  if (method === "OPTIONS") return { status: 204, message: "", headers }
  return {
    status: 405,
    message: `${method} is not possible here; ${methods.join(", ")} are`,
    headers
  }
}

function spoken({ headers = {}, message, status }: EarlyRefusal, path: string): Effect.Effect<Response> {
  if (status === 204) {
    return Effect.succeed(HttpServerResponse.empty({ status, headers: Headers.fromInput(headers) }))
  }
  return isOcpiPath(path)
    ? Effect.map(Clock.currentTimeMillis, (now) =>
        ocpiErrorAnswer(status, message, new Date(now).toISOString(), headers)
      )
    : Effect.succeed(errorAnswer(status, message, headers))
}

/** Adds headers that forbid framing, sniffing and caching; pages have a content security policy of their own. */
function finished(response: Response, { notes, path }: AnswerContext): Response {
  const own = response.headers
  return HttpServerResponse.setHeaders(response, {
    ...notes.headers,
    // On the OCPI side the answer repeats the partner's X-Request-ID.
    "x-request-id": own["x-request-id"] ?? notes.requestId,
    ...safeHeaders,
    "cache-control": own["cache-control"] ?? safeHeaders["cache-control"],
    "content-security-policy":
      own["content-security-policy"] ??
      (path.startsWith("/docs") ? docsPolicy(response) : safeHeaders["content-security-policy"]),
    ...(response.status === 401 && !isOcpiPath(path) ? { "www-authenticate": "Bearer" } : {}),
    ...(response.status === 413 ? { connection: "close" } : {})
  })
}

function bodyRefusal(error: BodyRejected | undefined): EarlyRefusal | undefined {
  return error === undefined ? undefined : { status: error.status, message: error.message }
}

function tagOf(error: unknown): unknown {
  return typeof error === "object" && error !== null && "_tag" in error ? error._tag : undefined
}

/** Whether the path can be decoded and has no control characters; an id with a NUL cannot exist. */
function isPlainPath(path: string): boolean {
  if (/^[\x20-\x24\x26-\x7e]*$/.test(path)) return true
  try {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those are looked for
    return !/[\u0000-\u001f\u007f]/.test(decodeURIComponent(path))
  } catch {
    return false
  }
}
