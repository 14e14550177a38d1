/** The running service as a client sees it: the derived HTTP client, and the live feed of a run. */
import { HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { Data, Effect, FiberSet, Option, ParseResult, Redacted, Schedule, Schema, Stream } from "effect"
import { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { Api } from "../../api/Api.ts"
import { PlugfestError, plugfest } from "../../client/plugfest.ts"
import { TerminalOutput } from "../terminal/Terminal.ts"

/** The event stream of a run was refused, or is gone for too long; `status`: of the answer, undefined when there was none. */
class FeedBroken extends Data.TaggedError("FeedBroken")<{
  readonly message: string
  readonly status: number | undefined
}> {}

/** The answer of a server is not as plugfest's API says. */
class AnswerUnreadable extends Data.TaggedError("AnswerUnreadable")<{ readonly message: string }> {}

/**
 * The derived client for the service at `url`; sends the key with every request. Its ParseError is about a request, which then is not
 * sent: AnswerUnreadable is what an answer fails with.
 */
export const client = (url: string, key: Redacted.Redacted<string>) =>
  HttpApiClient.make(Api, {
    baseUrl: url,
    transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken(key)),
    transformResponse: Effect.mapError((error) =>
      ParseResult.isParseError(error) ? new AnswerUnreadable({ message: error.message }) : error
    )
  })

/** The service that a command calls. */
export interface Service {
  readonly url: string
  readonly key: Redacted.Redacted<string>
  readonly api: Effect.Effect.Success<ReturnType<typeof client>>
}

const decodeEvent = Schema.decodeUnknown(LedgerEvent)

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
  if (_tag !== "ResponseError") return _tag === "Unavailable" || _tag === "TooMany"
  const { status = 0 } = (response ?? {}) as { readonly status?: number }
  return reason === "Decode" || status >= 500 || status === 429
}

/**
 * Retries for two minutes while the service cannot be reached, and says when it is away and when it is back. Only for requests that
 * are safe to repeat.
 */
export const whenBack = Effect.fnUntraced(function* <A, E extends Failure, R>(ask: Effect.Effect<A, E, R>) {
  const terminal = yield* TerminalOutput
  let away = false
  const noticeAway = (failure: E) => {
    if (away || !isAway(failure)) return Effect.void
    away = true
    return terminal.say(awayLine)
  }
  const answer = yield* ask.pipe(
    Effect.tapError(noticeAway),
    Effect.retry({ schedule: patience, while: isAway })
  )
  if (away) yield* terminal.say(backLine)
  return answer
})

const awayLine = "  the service is away: waiting for it"
const backLine = "  the service is back"

/**
 * The events of a run in order, each once, from the first to the terminal one. The published client follows it: it resumes a dropped
 * connection; fails when the service refuses, or cannot be reached for two minutes.
 */
export const followRun = (url: string, key: Redacted.Redacted<string>, runId: string) =>
  Stream.unwrapScoped(
    Effect.gen(function* () {
      const terminal = yield* TerminalOutput
      const say = yield* FiberSet.makeRuntime<never>()
      const leaving = new AbortController()
      const leave = Effect.sync(() => leaving.abort())
      yield* Effect.addFinalizer(() => leave)
      let away = false
      const onStream = (state: "open" | "lost") => {
        if (away === (state === "lost")) return
        away = !away
        say(terminal.say(away ? awayLine : backLine))
      }
      const { signal } = leaving
      const events = plugfest({ url, key: Redacted.value(key) }).followRun(runId, { onStream, signal })
      // A generator that waits for the next event cannot be told to return: its request is aborted.
      const next = Effect.tryPromise({ try: () => events.next(), catch: feedBroken }).pipe(
        Effect.onInterrupt(() => leave),
        Effect.mapError(Option.some),
        Effect.flatMap(({ done, value }) =>
          done === true || value === undefined ? Effect.fail(Option.none()) : Effect.succeed(value)
        )
      )
      return Stream.repeatEffectOption(next).pipe(Stream.mapEffect((event) => decodeEvent(event)))
    })
  )

const feedBroken = (cause: unknown) =>
  cause instanceof PlugfestError
    ? new FeedBroken({ message: cause.message, status: cause.status })
    : new FeedBroken({ message: String(cause), status: undefined })
