/**
 * Speaking to a partner: one exchange = one HTTP request, no retry, no redirect, one deadline over everything.
 * The only place that opens a socket to a partner, and never without the egress guard.
 */
import { Context, type Effect, type Redacted } from "effect"
import type { Exchange } from "../../schema/Exchange.ts"

/** The secrets that must not be seen in anything that leaves this room, by name (`tokenA`, `tokenB`, `tokenC`). */
export type Secrets = ReadonlyArray<{ readonly name: string; readonly value: Redacted.Redacted<string> }>

export interface OcpiCall {
  /** Given by the caller so that the intent can be stored before the socket is touched. */
  readonly exchangeId: string
  readonly module: string
  readonly operation: string
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD"
  readonly url: string
  /** Sent as JSON; undefined = no body and no Content-Type. */
  readonly body?: unknown
  /** Sent as it is instead of `body` (to send wrong things on purpose). */
  readonly rawBody?: string
  /** Absent: no Authorization header. */
  readonly authorization?: {
    readonly token: Redacted.Redacted<string>
    /** `literal`: the whole header value as it is, for negative tests. */
    readonly form: "raw" | "base64" | "literal"
  }
  /** Routing and other headers; names in any case, sent as written. */
  readonly headers?: Readonly<Record<string, string>>
  readonly requestId: string
  readonly correlationId: string
  /** Default: the setting PARTNER_TIMEOUT_SECONDS. */
  readonly timeoutMillis?: number
  /** Scrubbed from the exchange by value. Tokens inside `credentials` bodies are learnt and scrubbed without being listed. */
  readonly secrets: Secrets
  /** URL prefixes on our own address that this call may go to although the guard denies private ranges (the sandbox, and the sandbox's way back). */
  readonly trustedPrefixes?: ReadonlyArray<string>
}

export interface Answer {
  /** Scrubbed: safe to store and to show. */
  readonly exchange: Exchange
  /** The body as it came, unscrubbed, for code that must read a token from it. Absent when there was none. */
  readonly body: Redacted.Redacted<string> | undefined
  /** The body as JSON (unscrubbed), when it is JSON. */
  readonly json: unknown
}

export class OcpiClient extends Context.Tag("ocpi/OcpiClient")<
  OcpiClient,
  {
    /** Never fails: what the partner does, or does not do, is in the exchange. */
    readonly exchange: (call: OcpiCall) => Effect.Effect<Answer>
    /** The exchange as it will be sent, scrubbed, with outcome `unknown` and no response: the intent. */
    readonly intent: (call: OcpiCall, startedAt: string) => Exchange
  }
>() {}
