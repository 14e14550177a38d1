/** The live ledger of a run, from any sequence number to its end, over dropped connections. */
import { eventParser } from "./eventFrames.ts"
import { PlugfestError } from "./PlugfestError.ts"
import { type ClientOptions, type OpenAnswer, pause, pauseMillis, sendOnce } from "./send.ts"
import type { FollowOptions, LedgerEvent } from "./types.ts"

/** Types of the events that end a run. */
export const endingTypes: ReadonlyArray<LedgerEvent["type"]> = [
  "run.completed",
  "run.cancelled",
  "run.failed"
]

/** The service sends a comment each 15 seconds: a connection that is silent for longer than this is dead. */
const silenceMillis = 45_000

const operation = "journeyRuns.stream"

/**
 * The events of a run in order, each once, until the one that ends it. A connection that drops is resumed after the last event;
 * fails with `PlugfestError` when the service refuses, or when nothing at all comes from it for as long as the client's patience.
 */
export async function* followRun(
  options: ClientOptions,
  runId: string,
  { after = 0, onStream, signal }: FollowOptions = {}
): AsyncGenerator<LedgerEvent, void, void> {
  const patience = options.patienceMillis ?? 120_000
  let last = after
  let failedSince: number | undefined
  for (let attempt = 0; ; attempt++) {
    let failure: PlugfestError
    try {
      const order = {
        operation,
        method: "GET",
        path: `/api/v1/testing/journey-runs/${encodeURIComponent(runId)}/stream`,
        headers: { accept: "text/event-stream", ...(last > 0 ? { "last-event-id": String(last) } : {}) },
        ...(signal === undefined ? {} : { signal })
      }
      const answer = await sendOnce(options, order, (opened) => opened)
      // The run has ended, and all of its events are known.
      if (answer.response.status === 204) return
      onStream?.("open")
      for await (const data of dataOf(answer, signal, () => {
        failedSince = undefined
      })) {
        const event = JSON.parse(data) as LedgerEvent
        if (event.sequence <= last) continue
        if (event.sequence !== last + 1) break
        last = event.sequence
        attempt = 0
        yield event
        if (endingTypes.includes(event.type)) return
      }
      failure = new PlugfestError(`${operation}: the stream ended before the run`, { operation })
    } catch (error) {
      if (signal?.aborted === true) throw signal.reason
      failure =
        error instanceof PlugfestError
          ? error
          : new PlugfestError(`${operation}: the connection broke`, { operation, cause: error })
      if (!failure.mayPass) throw failure
    }
    onStream?.("lost")
    failedSince ??= Date.now()
    const wait = pauseMillis(attempt, failure.retryAfterSeconds)
    if (Date.now() + wait - failedSince > patience) throw failure
    await pause(wait, signal)
  }
}

/**
 * The data of each event of a body. Ends the request when nothing came for too long, at an abort, and when it is left. `hear` is
 * called for whatever comes, the comments of a run that is silent too.
 */
async function* dataOf(
  { release, response }: OpenAnswer,
  signal: AbortSignal | undefined,
  hear: () => void
): AsyncGenerator<string> {
  const reader = response.body?.getReader()
  if (reader === undefined) return
  const parse = eventParser()
  const decoder = new TextDecoder()
  const stop = () => release.abort(signal?.reason)
  signal?.addEventListener("abort", stop, { once: true })
  try {
    signal?.throwIfAborted()
    for (;;) {
      const silence = setTimeout(() => release.abort(new Error("nothing came for too long")), silenceMillis)
      const { done, value } = await reader.read().finally(() => clearTimeout(silence))
      if (done) return
      hear()
      for (const { data } of parse(decoder.decode(value, { stream: true }))) yield data
    }
  } finally {
    signal?.removeEventListener("abort", stop)
    release.abort()
  }
}
