/** Middleware that adds the request id to all log lines of a request and counts its route, status and time. */
import {
  HttpLayerRouter,
  HttpServerRequest,
  type HttpServerResponse,
  HttpTraceContext
} from "@effect/platform"
import { type Clock, Effect, FiberRef, identity, type Layer, LogLevel, Option } from "effect"
import { countOcpiRequest, countRequest } from "../../../telemetry/measures.ts"
import { notesOf } from "../requestNotes.ts"
import { routeOf } from "../routes.ts"
import { ocpiLabelsOf } from "./ocpiLabels.ts"

/** Status that is counted when the client disconnected before the answer. */
export const goneStatus = 499

/** Whether there is to be a log line for each request. */
const logsRequests = Effect.map(FiberRef.get(FiberRef.currentMinimumLogLevel), (least) =>
  LogLevel.lessThanEqual(least, LogLevel.Debug)
)

/** Is each request traced or logged? */
export const isObserved = Effect.zipWith(
  FiberRef.get(FiberRef.currentTracerEnabled),
  logsRequests,
  (isTraced, isLogged) => isTraced || isLogged
)

/** Begins to time a request. The result counts its answer, and gives the seconds that it took. */
export const countsOf = (method: string, path: string, clock: Clock.Clock) => {
  const began = clock.unsafeCurrentTimeNanos()
  const route = routeOf(path)
  const asked = ocpiLabelsOf(path)
  return (status: number): number => {
    const seconds = Number(clock.unsafeCurrentTimeNanos() - began) / 1e9
    countRequest(method, route, status, seconds)
    if (asked !== undefined) countOcpiRequest(method, route, asked, status)
    return seconds
  }
}

const around = Effect.fnUntraced(function* (
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>
) {
  const request = yield* HttpServerRequest.HttpServerRequest
  const { requestId } = notesOf(request)
  const path = request.url.split("?", 1)[0]!
  const route = routeOf(path)
  const count = countsOf(request.method, path, yield* Effect.clock)
  const isLogged = yield* logsRequests
  const answered = (status: number) =>
    Effect.suspend(() => {
      const seconds = count(status)
      if (!isLogged) return Effect.void
      return Effect.logDebug("answered").pipe(
        Effect.annotateLogs({ method: request.method, route, status, millis: Math.round(seconds * 1000) })
      )
    })
  const work = app.pipe(
    Effect.tap(({ status }) => answered(status)),
    Effect.onInterrupt(() => answered(goneStatus)),
    Effect.annotateLogs({ requestId })
  )
  return yield* (yield* FiberRef.get(FiberRef.currentTracerEnabled))
    ? traced(work, request, { requestId, route })
    : work
})

/** Wraps the request in a span, a child of the caller's if its headers name one; inner spans get the correlation id. */
function traced<A extends HttpServerResponse.HttpServerResponse, E, R>(
  work: Effect.Effect<A, E, R>,
  { headers, method }: HttpServerRequest.HttpServerRequest,
  { requestId, route }: { readonly requestId: string; readonly route: string }
) {
  const correlationId = /^[\x21-\x7e]{1,128}$/.exec(headers["x-correlation-id"] ?? "")?.[0]
  const parent = Option.getOrUndefined(HttpTraceContext.fromHeaders(headers))
  return work.pipe(
    Effect.tap(({ status }) => Effect.annotateCurrentSpan("http.response.status_code", status)),
    Effect.withSpan(`${method} ${route}`, {
      kind: "server",
      captureStackTrace: false,
      attributes: { "http.request.method": method, "http.route": route, "plugfest.request_id": requestId },
      ...(parent === undefined ? {} : { parent })
    }),
    correlationId === undefined ? identity : Effect.annotateSpans("ocpi.correlation_id", correlationId)
  )
}

/** Adds the middleware to the router. Must be added before `ErrorBodies`, so that it encloses it. */
export const RequestTelemetry: Layer.Layer<never, never, HttpLayerRouter.HttpRouter> =
  HttpLayerRouter.middleware(
    around as never, // the typed signature forbids errors of any kind to pass
    { global: true }
  ) as never
