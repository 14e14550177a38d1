/**
 * Answers plain calls of partners at Node's request, without the router and its middleware: the same receiver, error bodies
 * and counts. Whatever is unusual goes the general way.
 */
import type { ServerResponse } from "node:http"
import { HttpServerError, type HttpServerResponse } from "@effect/platform"
import { Effect, Exit, Runtime } from "effect"
import { isOcpiPath } from "../request/answers.ts"
import { Draining } from "../request/Draining.ts"
import { withErrorBodies } from "../request/ErrorBodies.ts"
import { type DirectAnswers, isPlainCall } from "../request/plainHead.ts"
import { notesOfSource } from "../request/requestNotes.ts"
import { countsOf, goneStatus, isObserved } from "../request/telemetry/requestTelemetry.ts"
import { OcpiReceiver } from "./OcpiReceiver.ts"

/** Makes the direct answers to partners. With traces or a log of each request every call goes the general way, which writes them. */
export const makeDirectOcpi = Effect.gen(function* () {
  const { receive, sandbox } = yield* OcpiReceiver
  const draining = yield* Draining
  const clock = yield* Effect.clock
  const run = Runtime.runCallback(yield* Effect.runtime<never>())

  const direct: DirectAnswers = (request, response, general) => {
    const path = (request.url ?? "").split("?", 1)[0]!
    const isServed = isOcpiPath(path) && (sandbox || !path.startsWith("/sandbox/"))
    if (!isServed || draining.isDraining() || !isPlainCall(request, path)) return general()
    const method = request.method!
    const notes = notesOfSource(request)
    const count = countsOf(method, path, clock)
    const work = Effect.annotateLogs(receive(request), { requestId: notes.requestId })
    const stop = run(withErrorBodies(work, { method, path, notes }), {
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

function write(
  response: ServerResponse,
  { body, headers, status }: HttpServerResponse.HttpServerResponse,
  closes: boolean
): void {
  response.writeHead(status, closes ? { ...headers, connection: "close" } : headers)
  response.end(body._tag === "Raw" ? body.body : undefined)
}
