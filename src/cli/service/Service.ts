/** The running service as a client sees it: the derived HTTP client, and the live feed of a run. */
import { makeParser } from "@effect/experimental/Sse"
import { HttpApiClient, HttpClient, HttpClientRequest, HttpClientResponse } from "@effect/platform"
import { Data, Effect, type Redacted, Schedule, Schema, Stream } from "effect"
import { isEnding, LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { Api } from "../../api/Api.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"

/** The event stream of a run ended before the run did. */
export class FeedBroken extends Data.TaggedError("FeedBroken")<{ readonly message: string }> {}

/** The derived client for the service at `url`; sends the key with every request. */
export const client = (url: string, key: Redacted.Redacted<string>) =>
  HttpApiClient.make(Api, {
    baseUrl: url,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(key))
  })

/** The service that a command calls. */
export interface Service {
  readonly url: string
  readonly key: Redacted.Redacted<string>
  readonly api: Effect.Effect.Success<ReturnType<typeof client>>
}

const decodeEvent = Schema.decodeUnknown(Schema.parseJson(LedgerEvent))

/** How long to wait for a service that cannot be reached, because someone may have to restart it. */
const patience = Schedule.spaced("500 millis").pipe(Schedule.upTo("2 minutes"))

interface Failure {
  readonly _tag: string
  readonly reason?: unknown
  readonly response?: unknown
}

/** True for failures that may pass: no answer, a broken answer, 5xx and 429. Other refusals would be repeated. */
function isAway({ _tag, reason, response }: Failure): boolean {
  if (_tag === "RequestError") return reason === "Transport"
  if (_tag !== "ResponseError") return _tag === "FeedBroken" || _tag === "Unavailable" || _tag === "TooMany"
  const { status = 0 } = (response ?? {}) as { readonly status?: number }
  return reason === "Decode" || status >= 500 || status === 429
}

/** Retries for two minutes while the service cannot be reached. Only for requests that are safe to repeat. */
export const whenBack = <A, E extends Failure, R>(ask: Effect.Effect<A, E, R>) =>
  Effect.retry(ask, { schedule: patience, while: isAway })

/**
 * The events of a run, from the first to the terminal one. Resumes a dropped connection with Last-Event-ID; fails when the
 * service cannot be reached for two minutes.
 */
export const followRun = (url: string, key: Redacted.Redacted<string>, runId: string) => {
  let last = 0
  let over = false
  let away = false
  const once = Stream.unwrap(
    Effect.gen(function* () {
      const http = yield* HttpClient.HttpClient
      const request = HttpClientRequest.get(`${url}/api/v1/testing/journey-runs/${runId}/stream`).pipe(
        HttpClientRequest.bearerToken(key),
        HttpClientRequest.setHeaders(last > 0 ? { "last-event-id": String(last) } : {})
      )
      const response = yield* http.execute(request).pipe(Effect.flatMap(HttpClientResponse.filterStatusOk))
      if (away) yield* (yield* TerminalOutput).say("  the service is back")
      away = false
      let frames: Array<string> = []
      const parser = makeParser((event) => {
        if (event._tag === "Event") frames.push(event.data)
      })
      return response.stream.pipe(
        Stream.decodeText(),
        Stream.mapConcat((text) => {
          frames = []
          parser.feed(text)
          return frames
        }),
        Stream.mapEffect((frame) => decodeEvent(frame)),
        Stream.tap((event) =>
          Effect.sync(() => {
            last = event.sequence
            over = isEnding(event)
          })
        )
      )
    })
  )
  return Stream.concat(
    once,
    Stream.suspend(() =>
      over ? Stream.empty : Stream.fail(new FeedBroken({ message: "the feed ended before the run" }))
    )
  ).pipe(
    Stream.tapError((error) =>
      Effect.gen(function* () {
        const terminal = yield* TerminalOutput
        if (isAway(error) && !away) yield* terminal.say("  the service is away: waiting for it")
        away = true
      })
    ),
    Stream.retry(Schedule.whileInput(patience, isAway)),
    Stream.takeUntil((event) => isEnding(event))
  )
}
