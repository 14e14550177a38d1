/** Round every request: its id on every line that is logged on the way, its time, route and status in the metrics. */
import { HttpLayerRouter, HttpServerRequest, type HttpServerResponse } from "@effect/platform"
import { Clock, Effect, type Layer } from "effect"
import { countRequest } from "../telemetry/measures.ts"
import { notesOf } from "./requestNotes.ts"
import { routeOf } from "./routes.ts"

/** What a client that hung up before its answer is counted as. */
const goneStatus = 499

const around = (app: Effect.Effect<HttpServerResponse.HttpServerResponse, unknown>) =>
  Effect.gen(function* () {
    const request = yield* HttpServerRequest.HttpServerRequest
    const { requestId } = notesOf(request)
    const began = yield* Clock.currentTimeNanos
    const route = routeOf(request.url.split("?", 1)[0]!)
    const answered = (status: number) =>
      Effect.flatMap(Clock.currentTimeNanos, (now) => {
        const seconds = Number(now - began) / 1e9
        countRequest(request.method, route, status, seconds)
        return Effect.logDebug("answered").pipe(
          Effect.annotateLogs({ method: request.method, route, status, millis: Math.round(seconds * 1000) })
        )
      })
    return yield* app.pipe(
      Effect.tap(({ status }) => answered(status)),
      Effect.onInterrupt(() => answered(goneStatus)),
      Effect.annotateLogs({ requestId })
    )
  })

/** A global middleware of the router; it must be added before `ErrorBodies`, which it goes round. */
export const Observed: Layer.Layer<never, never, HttpLayerRouter.HttpRouter> = HttpLayerRouter.middleware(
  around as never, // the typed signature forbids errors of any kind to pass
  { global: true }
) as never
