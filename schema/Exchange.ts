/** One HTTP request and its answer: the unit of evidence. Secrets are replaced before it is stored or shown. */
import { Schema } from "effect"

/** Header names in lower case; repeated headers joined by `, `. */
const Headers = Schema.Record({ key: Schema.String, value: Schema.String })

/**
 * `body` is the text as sent. It is cut at 256 KiB, and earlier for many calls that we refused; `bodyBytes` and `bodySha256` then
 * describe the whole body. Of a partner's body beyond 1 MiB there is no hash: where the request declared its length, that is
 * `bodyBytes` and nothing was read; else 256 KiB of it are kept at most, and its length is not known.
 */
const bodyFields = {
  headers: Headers,
  body: Schema.NullOr(Schema.String),
  truncated: Schema.Boolean,
  bodyBytes: Schema.optionalWith(Schema.Int, { exact: true }),
  bodySha256: Schema.optionalWith(Schema.String, { exact: true })
}

/** The request of an exchange: ours when outbound, the partner's when inbound. */
export const ExchangeRequest = Schema.Struct({ method: Schema.String, url: Schema.String, ...bodyFields })
export type ExchangeRequest = typeof ExchangeRequest.Type

/** The answer of an exchange, with the OCPI status code that its envelope carries. */
export const ExchangeResponse = Schema.Struct({
  httpStatus: Schema.Int,
  /** `status_code` of the OCPI envelope; null when the answer has no envelope. */
  ocpiStatusCode: Schema.NullOr(Schema.Int),
  ...bodyFields
})
export type ExchangeResponse = typeof ExchangeResponse.Type

/**
 * - `completed`: an HTTP answer came (of any kind). `refused`: no connection was made (DNS, TCP or TLS).
 * - `timed_out`: the deadline over the whole exchange passed. `reset`: the connection broke, or the answer was not HTTP.
 * - `blocked`: we did not send it: the egress guard refused, or the host may not get our token (`other_host`).
 * - `unknown`: we stored the intent, and our process died before it stored an outcome.
 */
export const ExchangeOutcome = Schema.Literal(
  "completed",
  "refused",
  "timed_out",
  "reset",
  "blocked",
  "unknown"
)
export type ExchangeOutcome = typeof ExchangeOutcome.Type

/** Why there is no usable answer. Findings and the kind of `lastError` are derived from `kind`. */
export const ExchangeFault = Schema.Struct({
  kind: Schema.Literal(
    "dns",
    "refused",
    "tls",
    "timeout",
    "reset",
    "malformed",
    "too_large",
    "blocked",
    "other_host"
  ),
  message: Schema.String
})
export type ExchangeFault = typeof ExchangeFault.Type

/**
 * Where the time of a request of ours went, in milliseconds, as far as it came. `connectMs`: until the connection was there, with
 * the look-up of the name, TCP and TLS. `answerMs`: from then until the answer's status line and headers: the partner's time, and
 * one way there and back; absent when none came. What is left of `durationMs` is the reading of the body, or the wait that ended
 * without an answer.
 */
export const ExchangeTimings = Schema.Struct({
  connectMs: Schema.Number,
  answerMs: Schema.optionalWith(Schema.Number, { exact: true })
})
export type ExchangeTimings = typeof ExchangeTimings.Type

/** One HTTP request between a partner and us, with its answer, its outcome, and times in UTC. */
export const Exchange = Schema.Struct({
  id: Schema.String,
  direction: Schema.Literal("outbound", "inbound"),
  /** OCPI module id, or `versions`. */
  module: Schema.String,
  /** A short name of the request: `list`, `details`, `START_SESSION`, `PUT session`. */
  operation: Schema.String,
  /**
   * Of our requests: the OCPI version whose rules apply to request and answer. Absent: a web page, a call of the partner, or an
   * exchange from before this was kept.
   */
  ocpiVersion: Schema.optionalWith(Schema.String, { exact: true }),
  request: ExchangeRequest,
  response: Schema.NullOr(ExchangeResponse),
  outcome: ExchangeOutcome,
  fault: Schema.optionalWith(ExchangeFault, { exact: true }),
  /** Inbound: a fault of the scenario replaced our answer; `instead` is the status of the answer that it replaced. */
  ourFault: Schema.optionalWith(
    Schema.Struct({
      fault: Schema.String,
      instead: Schema.Struct({ httpStatus: Schema.Int, ocpiStatusCode: Schema.NullOr(Schema.Int) })
    }),
    { exact: true }
  ),
  startedAt: Schema.String,
  durationMs: Schema.Number,
  /** Of our requests: how much of `durationMs` our own process was late, so that the partner may have been faster. Absent: not at all. */
  ourLateMs: Schema.optionalWith(Schema.Number, { exact: true }),
  /** Of our requests. Absent: no connection was made, or the exchange is from before this was kept. */
  timings: Schema.optionalWith(ExchangeTimings, { exact: true }),
  requestId: Schema.String,
  correlationId: Schema.String
}).annotations({ identifier: "Exchange" })
export type Exchange = typeof Exchange.Type
