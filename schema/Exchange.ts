/** One request and what came back: the unit of evidence. Always scrubbed before it is stored or shown. */
import { Schema } from "effect"

/** Header names in lower case; repeated headers joined by `, `. */
export const Headers = Schema.Record({ key: Schema.String, value: Schema.String })

/** `body` is the text as it went over the wire, cut at 256 KiB, of many calls that we refused sooner; then `bodyBytes` and `bodySha256` describe the whole. */
const bodyFields = {
  headers: Headers,
  body: Schema.NullOr(Schema.String),
  truncated: Schema.Boolean,
  bodyBytes: Schema.optionalWith(Schema.Int, { exact: true }),
  bodySha256: Schema.optionalWith(Schema.String, { exact: true })
}

export const ExchangeRequest = Schema.Struct({ method: Schema.String, url: Schema.String, ...bodyFields })
export type ExchangeRequest = typeof ExchangeRequest.Type

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
 * - `blocked`: we did not send it: the egress guard refused, or our token may not be told there (`other_host`). `unknown`: intended, and we died before we knew.
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

/** Why there is no usable answer. `kind` is what a finding or a `lastError` class is made of. */
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

export const Exchange = Schema.Struct({
  id: Schema.String,
  direction: Schema.Literal("outbound", "inbound"),
  /** OCPI module id, or `versions`. */
  module: Schema.String,
  /** What is asked in a word or two: `list`, `details`, `START_SESSION`, `PUT session`. */
  operation: Schema.String,
  request: ExchangeRequest,
  response: Schema.NullOr(ExchangeResponse),
  outcome: ExchangeOutcome,
  fault: Schema.optionalWith(ExchangeFault, { exact: true }),
  /** Inbound: our answer was bent on purpose, by this fault of a scenario; `instead` is what we would have said. */
  ourFault: Schema.optionalWith(
    Schema.Struct({
      fault: Schema.String,
      instead: Schema.Struct({ httpStatus: Schema.Int, ocpiStatusCode: Schema.NullOr(Schema.Int) })
    }),
    { exact: true }
  ),
  startedAt: Schema.String,
  durationMs: Schema.Number,
  requestId: Schema.String,
  correlationId: Schema.String
}).annotations({ identifier: "Exchange" })
export type Exchange = typeof Exchange.Type
