/**
 * Answers plain calls of partners at Node's request, without the router and its middleware: the same receiver, error bodies
 * and counts. Whatever is unusual goes the general way.
 */
import type { ServerResponse } from "node:http"
import { HttpServerError, type HttpServerResponse } from "@effect/platform"
import { type Context, Effect, Exit, FiberId, FiberRef, FiberRefs, HashMap, Runtime } from "effect"
import { Draining } from "../request/Draining.ts"
import { withErrorBodies } from "../request/ErrorBodies.ts"
import { isOcpiPath } from "../request/isOcpiPath.ts"
import { type DirectAnswers, isPlainCall } from "../request/plainHead.ts"
import { notesOfSource } from "../request/requestNotes.ts"
import { countsOf, goneStatus, isObserved } from "../request/telemetry/requestTelemetry.ts"
import { OcpiReceiver } from "./OcpiReceiver.ts"

/** Makes the direct answers to partners. With traces or a log of each request every call goes the general way, which writes them. */
export const makeDirectOcpi = Effect.gen(function* () {
  const { context, receive, sandbox } = yield* OcpiReceiver
  const draining = yield* Draining
  const clock = yield* Effect.clock
  const runtimeOf = makeRuntimes(yield* Effect.runtime<never>(), context)

  const direct: DirectAnswers = (request, response, general) => {
    const path = (request.url ?? "").split("?", 1)[0]!
    const isServed = isOcpiPath(path) && (sandbox || !path.startsWith("/sandbox/"))
    if (!isServed || draining.isDraining() || !isPlainCall(request, path)) return general()
    const method = request.method!
    const notes = notesOfSource(request)
    const count = countsOf(method, path, clock)
    const work = withErrorBodies(receive(request), { method, path, notes })
    const stop = Runtime.runCallback(runtimeOf(notes.requestId))(work, {
      onExit: (exit) => {
        count(Exit.isSuccess(exit) ? exit.value.status : goneStatus)
        if (Exit.isSuccess(exit)) write(response, exit.value, draining.isDraining())
      }
    })
    response.once("close", () => {
      if (!response.writableEnded) stop(HttpServerError.clientAbortFiberId)
    })
  }
  const none: DirectAnswers = (_request, _response, general) => general()
  return (yield* isObserved) ? none : direct
})

/** Runtimes whose fibers begin with the context, and with the request's id in their logs: to set both in a fiber takes 50 steps. */
const makeRuntimes = (
  { fiberRefs, runtimeFlags }: Runtime.Runtime<never>,
  context: Context.Context<never>
) => {
  const fiberId = FiberId.none
  const fiberRef = FiberRef.currentLogAnnotations
  const noted = FiberRefs.getOrDefault(fiberRefs, fiberRef)
  return (requestId: string): Runtime.Runtime<never> => {
    const value = HashMap.set(noted, "requestId", requestId)
    return Runtime.make({
      context,
      runtimeFlags,
      fiberRefs: FiberRefs.updateAs(fiberRefs, { fiberId, fiberRef, value })
    })
  }
}

function write(
  response: ServerResponse,
  { body, headers, status }: HttpServerResponse.HttpServerResponse,
  closes: boolean
): void {
  response.writeHead(status, closes ? { ...headers, connection: "close" } : headers)
  response.end(body._tag === "Raw" ? body.body : undefined)
}
