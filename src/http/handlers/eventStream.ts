/** The feed of a run as server-sent events: the position to resume from, and the headers. */

import { HttpServerRequest, HttpServerResponse } from "@effect/platform"
import { NodeHttpServerRequest } from "@effect/platform-node"
import { Effect } from "effect"
import type { Caller } from "../../../schema/Account.ts"
import { Invalid } from "../../../schema/Errors.ts"
import { isTerminal } from "../../../schema/RunReport.ts"
import { Feed } from "../../ledger/feed/feed.ts"
import { Ledger, type RunRow } from "../../ledger/Ledger.ts"
import { OpenStreams } from "../../services/accounts/OpenStreams.ts"
import { orUnavailable } from "../../services/requests/unavailable.ts"

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-store",
  "x-accel-buffering": "no"
}

/**
 * The sequence after which the stream begins. The header takes precedence, because an EventSource repeats its first query
 * at each reconnect. Without either: 0. Invalid: not a whole number from 0 to `head`.
 */
export const resumeAfter = (
  header: string | undefined,
  query: string | undefined,
  head: number
): Effect.Effect<number, Invalid> => {
  const [name, text] = header === undefined ? ["lastEventId", query] : ["Last-Event-ID", header]
  if (text === undefined) return Effect.succeed(0)
  const after = /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined
  return after === undefined || after > head
    ? new Invalid({
        message: `${name}: expected a sequence from 0 to ${head}, actual ${JSON.stringify(text.slice(0, 40))}`
      })
    : Effect.succeed(after)
}

/** The answer: the stream, or 204 when the run has ended and the client has all its events. */
export const eventStream = Effect.fnUntraced(function* (caller: Caller, row: RunRow, after: number) {
  const head = row.snapshot.view.lastSequence
  if (isTerminal(row.snapshot.view.status) && after >= head) return HttpServerResponse.empty({ status: 204 })
  const request = yield* HttpServerRequest.HttpServerRequest
  if ((request.method as string) === "HEAD")
    return HttpServerResponse.empty({ status: 200, headers: streamHeaders })
  // Once the stream has begun, there is no other answer.
  if (row.archived) yield* (yield* Ledger).page(row.facts.runId, after, 1).pipe(orUnavailable)
  const feed = yield* Feed
  const streams = yield* OpenStreams
  const stream = yield* streams.hold(caller, feed.serve(row.facts.runId, after))
  // Needed when the client disconnects before the stream is piped to the socket.
  NodeHttpServerRequest.toServerResponse(request).once("close", () => stream.destroy())
  return HttpServerResponse.raw(stream, { headers: streamHeaders })
})
