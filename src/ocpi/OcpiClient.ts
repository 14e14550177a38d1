/**
 * The client for partners: one exchange = one HTTP request, no retry, no redirect, one deadline over everything. The only
 * place that opens a socket to a partner, and never without the egress guard.
 */
import { Clock, Context, Effect, FiberRef, Layer, Redacted } from "effect"
import type { Exchange, ExchangeFault, ExchangeRequest, ExchangeResponse } from "../../schema/Exchange.ts"
import { readJson } from "../findings/readJson.ts"
import type { Secrets } from "../redaction/scrub.ts"
import { countExchange } from "../telemetry/measures.ts"
import { traced } from "../telemetry/traced.ts"
import { type Audience, notFor, tells } from "./audience.ts"
import { EgressGuard } from "./EgressGuard.ts"
import { readEnvelope } from "./envelope.ts"
import { type Ending, ending } from "./exchangeFaults.ts"
import { scrubExchange } from "./Scrubber.ts"
import { authorizationValue } from "./tokens.ts"
import {
  maxBodyBytes,
  type RawAnswer,
  send,
  type TransferProgress,
  timingsOf
} from "./transport/transport.ts"

/** The parts of a request that a negative test can spoil; `target`: its method and the path of its URL. */
type RequestPart = "target" | "query" | "headers" | "token" | "body"

/** By part of a request, what is wrong with it on purpose, in a few words. */
export type WrongOnPurpose = Partial<Readonly<Record<RequestPart, string>>>

/** A request to a partner. */
export interface OcpiCall {
  /** The caller's choice, so that the intent can be stored before the socket is used. */
  readonly exchangeId: string
  readonly module: string
  readonly operation: string
  /** The OCPI version whose rules apply to request and answer; kept in the exchange. */
  readonly ocpiVersion?: string
  /**
   * Not a request of OCPI but for a page or picture on the web: no Authorization header and no header of OCPI is sent.
   */
  readonly page?: true
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE" | "HEAD"
  readonly url: string
  /** Sent as JSON; undefined = no body and no Content-Type. */
  readonly body?: unknown
  /** Sent unchanged instead of `body` (for deliberately invalid bodies). */
  readonly rawBody?: string
  /** Absent: no Authorization header. */
  readonly authorization?: {
    readonly token: Redacted.Redacted<string>
    /** `literal`: the token is the whole header value, for negative tests. */
    readonly form: "raw" | "base64" | "literal"
    /** Name of the header instead of `Authorization`, for negative tests. */
    readonly header?: string
  }
  /**
   * The origins that may get the token and every other secret of the call. A request that would carry one elsewhere is
   * not sent: outcome `blocked`, fault `other_host`.
   */
  readonly audience: Audience
  /** Routing and other headers; names in any case, sent as written. */
  readonly headers?: Readonly<Record<string, string>>
  readonly requestId: string
  readonly correlationId: string
  /** Default: the setting PARTNER_TIMEOUT_SECONDS. */
  readonly timeoutMillis?: number
  /**
   * Redacted in the exchange by value. Tokens inside `credentials` bodies are found and redacted without being listed.
   */
  readonly secrets: Secrets
  /**
   * What is wrong with the request on purpose, by its part: a negative test. Every other part is valid by the text of the
   * version. Changes nothing of what is sent.
   */
  readonly wrongOnPurpose?: WrongOnPurpose
  /**
   * URL prefixes on our own address that this call may use although the guard denies private ranges (a sandbox partner's,
   * and those by which it calls us).
   */
  readonly trustedPrefixes?: ReadonlyArray<string>
}

/** A completed exchange, and the body for code that needs what redaction removes. */
export interface PartnerAnswer {
  /** Redacted: safe to store and to show. */
  readonly exchange: Exchange
  /** The body as it came, not redacted, for code that must read a token from it. Absent when there was none. */
  readonly body: Redacted.Redacted<string> | undefined
  /** The body as JSON (not redacted); undefined when it is not JSON. */
  readonly json: unknown
}

/** Sends requests to partners. */
export class OcpiClient extends Context.Tag("ocpi/OcpiClient")<
  OcpiClient,
  {
    /** Never fails: what the partner did, or failed to do, is in the exchange. */
    readonly exchange: (call: OcpiCall) => Effect.Effect<PartnerAnswer>
    /** The exchange before it is sent, redacted, with outcome `unknown` and no response: the intent. */
    readonly intent: (call: OcpiCall, startedAt: string) => Exchange
  }
>() {
  /** `timeoutMillis`: limit for connecting, headers and body together, for calls that name none (default 30 s). */
  static readonly layer = (
    options: { readonly timeoutMillis?: number } = {}
  ): Layer.Layer<OcpiClient, never, EgressGuard> =>
    Layer.effect(
      OcpiClient,
      Effect.gen(function* () {
        const guard = yield* EgressGuard

        const perform = (call: OcpiCall): Effect.Effect<RawAnswer, Failed> => {
          const classified = guard.classify(call.url, call.trustedPrefixes)
          if (!classified.ok) {
            const { message } = classified.blocked
            return Effect.fail({ outcome: "blocked", fault: { kind: "blocked", message } })
          }
          const { url } = classified
          const kept = keptFrom(call, url)
          if (kept !== undefined)
            return Effect.fail({ outcome: "blocked", fault: { kind: "other_host", message: kept } })
          const timeoutMillis = call.timeoutMillis ?? options.timeoutMillis ?? defaultTimeoutMillis
          const { body, headers } = builtOf(call)
          const request = {
            method: call.method,
            url,
            headers,
            body,
            lookup: guard.lookup(classified),
            timeoutMillis
          }
          return Effect.mapError(
            send(request),
            (broken): Failed => ({ ...ending(broken, { url, timeoutMillis }), progress: broken.progress })
          )
        }

        const exchange = traced("OcpiClient.exchange", { kind: "client" })(function* (call: OcpiCall) {
          const startedAt = yield* Clock.currentTimeMillis
          const startNanos = yield* Clock.currentTimeNanos
          const result = yield* Effect.either(perform(call))
          const progress = result._tag === "Left" ? result.left.progress : result.right.progress
          const late = progress?.ourLateMs ?? 0
          const durationMs = Math.max(
            0,
            Math.round((Number((yield* Clock.currentTimeNanos) - startNanos) / 1e6) * 10) / 10
          )
          const timings = timingsOf(progress, durationMs)
          const outcome = result._tag === "Left" ? result.left.outcome : "completed"
          const status = result._tag === "Left" ? undefined : result.right.status
          countExchange(outcome, status, durationMs / 1000)
          // Without a span to annotate this would make an error for each exchange.
          if (yield* FiberRef.get(FiberRef.currentTracerEnabled))
            yield* Effect.annotateCurrentSpan({
              "http.request.method": call.method,
              "ocpi.module": call.module,
              "ocpi.operation": call.operation,
              "ocpi.request_id": call.requestId,
              "ocpi.correlation_id": call.correlationId,
              "ocpi.outcome": outcome,
              ...(status === undefined ? {} : { "http.response.status_code": status })
            })
          const base = {
            ...intended(call, new Date(startedAt).toISOString()),
            durationMs,
            ...(late === 0 ? {} : { ourLateMs: late }),
            ...(timings === undefined ? {} : { timings })
          }
          if (result._tag === "Left") {
            const { fault, outcome } = result.left
            return {
              exchange: scrubbed(call, { ...base, outcome, fault }),
              body: undefined,
              json: undefined
            }
          }
          const { body } = result.right
          const { excess, json } = readJson(body ?? "")
          const fault = faultOf(result.right, excess)
          const whole: Exchange = {
            ...base,
            outcome: "completed",
            response: responseOf(result.right, json),
            ...(fault === undefined ? {} : { fault })
          }
          return {
            exchange: scrubbed(call, whole),
            body: body === null ? undefined : Redacted.make(body),
            json
          }
        })

        return OcpiClient.of({
          exchange,
          intent: (call, startedAt) => {
            const exchange = scrubbed(call, intended(call, startedAt))
            // More tokens may be learnt from the answer of the module credentials.
            if (exchange.module !== "credentials") builtOf(call).scrubbedRequest = exchange.request
            return exchange
          }
        })
      })
    )
}

const defaultTimeoutMillis = 30_000

/** An exchange without a complete answer; `progress` is undefined when nothing was begun. */
interface Failed extends Ending {
  readonly progress?: TransferProgress
}

/** What is wrong with the transfer of an answer that came. */
function faultOf({ longer, undecodable }: RawAnswer, excess: string | undefined): ExchangeFault | undefined {
  if (undecodable !== undefined)
    return { kind: "malformed", message: `The Content-Encoding ${undecodable} cannot be decoded` }
  if (longer !== undefined)
    return {
      kind: "too_large",
      message: `The body is larger than ${maxBodyBytes / 1024} KiB; the rest was not read`
    }
  if (excess !== undefined) return { kind: "too_large", message: `The body is too large for us: ${excess}` }
  return undefined
}

/** What is built of a call once, for its intent and its exchange. */
interface Built {
  readonly body: string | undefined
  readonly headers: Readonly<Record<string, string>>
  /** The token in use is among them even if the caller did not list it. */
  readonly secrets: Secrets
  readonly request: ExchangeRequest
  /** The request as the intent has it. */
  scrubbedRequest?: ExchangeRequest
}

const built = new WeakMap<OcpiCall, Built>()

function builtOf(call: OcpiCall): Built {
  const known = built.get(call)
  if (known !== undefined) return known
  const body = bodyOf(call)
  const headers = headersOf(call, body)
  const request: ExchangeRequest = {
    method: call.method,
    url: call.url,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])),
    body: body ?? null,
    truncated: false
  }
  const made = { body, headers, secrets: secretsOf(call), request }
  built.set(call, made)
  return made
}

function scrubbed(call: OcpiCall, exchange: Exchange): Exchange {
  const { scrubbedRequest, secrets } = builtOf(call)
  return scrubExchange(secrets, exchange, scrubbedRequest)
}

function bodyOf(call: OcpiCall): string | undefined {
  return call.rawBody ?? (call.body === undefined ? undefined : JSON.stringify(call.body))
}

/** The call's own headers replace ours, whatever their case. */
function headersOf(call: OcpiCall, body: string | undefined): Readonly<Record<string, string>> {
  if (call.page === true) return { Accept: "*/*", "Accept-Encoding": "identity", "User-Agent": "plugfest" }
  const own = call.headers ?? {}
  const named = new Set(Object.keys(own).map((name) => name.toLowerCase()))
  const ours: Record<string, string> = {
    Accept: "application/json",
    // Bodies are evidence, byte for byte, so no encoding is accepted.
    "Accept-Encoding": "identity",
    "User-Agent": "plugfest",
    "X-Request-ID": call.requestId,
    "X-Correlation-ID": call.correlationId,
    ...(body === undefined ? {} : { "Content-Type": "application/json" }),
    ...(call.authorization === undefined
      ? {}
      : {
          [call.authorization.header ?? "Authorization"]: authorizationValue(
            call.authorization.token,
            call.authorization.form
          )
        })
  }
  return {
    ...Object.fromEntries(Object.entries(ours).filter(([name]) => !named.has(name.toLowerCase()))),
    ...own
  }
}

/** Why the call must not be sent to that URL; undefined when it contains no secret, or the URL may get it. */
function keptFrom(call: OcpiCall, url: URL): string | undefined {
  const reason = notFor(call.audience, url)
  if (reason === undefined || call.authorization !== undefined) return reason
  const told = `${call.url} ${JSON.stringify(call.headers ?? {})} ${builtOf(call).body ?? ""}`
  return tells(
    told,
    call.secrets.map(({ value }) => value)
  )
    ? reason
    : undefined
}

/** The intent, not redacted and with whole bodies. */
function intended(call: OcpiCall, startedAt: string): Exchange {
  return {
    id: call.exchangeId,
    direction: "outbound",
    module: call.module,
    operation: call.operation,
    ...(call.ocpiVersion === undefined ? {} : { ocpiVersion: call.ocpiVersion }),
    request: builtOf(call).request,
    response: null,
    outcome: "unknown",
    startedAt,
    durationMs: 0,
    requestId: call.requestId,
    correlationId: call.correlationId
  }
}

function responseOf(answer: RawAnswer, json: unknown): ExchangeResponse {
  return {
    httpStatus: answer.status,
    ocpiStatusCode: readEnvelope(json)?.statusCode ?? null,
    headers: answer.headers,
    body: answer.body,
    truncated: answer.longer !== undefined,
    ...(answer.longer === undefined
      ? {}
      : { bodyBytes: answer.longer.bytes, bodySha256: answer.longer.sha256 })
  }
}

/** The token in use is a secret even if the caller did not list it. */
function secretsOf(call: OcpiCall): Secrets {
  if (call.authorization === undefined) return call.secrets
  const { form, token } = call.authorization
  const value = form === "literal" ? Redacted.make(Redacted.value(token).replace(/^\S+\s+/, "")) : token
  const listed = call.secrets.some((secret) => Redacted.value(secret.value) === Redacted.value(value))
  return listed ? call.secrets : [...call.secrets, { name: "token", value }]
}
