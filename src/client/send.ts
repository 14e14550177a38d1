/** Sends requests to the service: key, JSON, and patience while it is away. */
import { PlugfestError } from "./PlugfestError.ts"
import type { RequestOptions } from "./types.ts"

/** Where the service is, and how to call it. */
export interface ClientOptions {
  /** Of the service, without `/api/v1`. */
  readonly url: string
  /** An API key; left out in a browser that is signed in, whose cookie goes along. */
  readonly key?: string
  /** Sent with each request. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long a request is repeated while the service is away or asks to wait; default two minutes, 0: never. */
  readonly patienceMillis?: number
  /** How long one answer may take; default 90 seconds. */
  readonly timeoutMillis?: number
  /** Default: the one of the platform. */
  readonly fetch?: typeof fetch
}

/** A request below the service's URL. */
export interface Order extends RequestOptions {
  readonly operation: string
  readonly method: string
  /** Path with its query. */
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
}

/** An answer of status 2xx. Aborting `release` ends its body. */
export interface OpenAnswer {
  readonly response: Response
  readonly release: AbortController
}

/** What is made of an answer, within the time that it may take. */
export type Read<A> = (answer: OpenAnswer) => Promise<A> | A

const firstPauseMillis = 250
const longestPauseMillis = 5_000

/** The pause before a repetition: what the service asks for, or else longer each time, and never the same for all clients. */
export const pauseMillis = (attempt: number, retryAfterSeconds: number | undefined): number =>
  retryAfterSeconds !== undefined
    ? retryAfterSeconds * 1000
    : Math.min(firstPauseMillis * 2 ** attempt, longestPauseMillis) * (0.5 + Math.random() / 2)

/** Resolves after a time; rejects with the signal's reason. */
export const pause = (millis: number, signal?: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop)
      resolve()
    }, millis)
    signal?.addEventListener("abort", stop, { once: true })
  })

/** Sends it once and reads the answer. Fails with `PlugfestError`, or with the reason of an abort. */
export async function sendOnce<A>(options: ClientOptions, order: Order, read: Read<A>): Promise<A> {
  const { body, headers, idempotencyKey, method, operation, path, signal } = order
  signal?.throwIfAborted()
  const release = new AbortController()
  const stop = () => release.abort(signal?.reason)
  signal?.addEventListener("abort", stop, { once: true })
  const timer = setTimeout(
    () => release.abort(new Error("the answer took too long")),
    options.timeoutMillis ?? 90_000
  )
  try {
    const response = await (options.fetch ?? fetch)(baseOf(options.url) + path, {
      method,
      headers: {
        accept: "*/*",
        ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
        ...options.headers,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...(idempotencyKey === undefined ? {} : { "idempotency-key": idempotencyKey }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      redirect: "error",
      signal: release.signal
    })
    if (!response.ok) throw await refusal(operation, response)
    return await read({ response, release })
  } catch (cause) {
    if (signal?.aborted === true) throw signal.reason
    if (cause instanceof PlugfestError) throw cause
    const reason = release.signal.aborted ? release.signal.reason : cause
    throw new PlugfestError(`${operation}: no answer of ${options.url} (${wordsOf(reason)})`, {
      operation,
      cause
    })
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener("abort", stop)
  }
}

/** Sends it, and again while the service is away: a POST only with its Idempotency-Key, a DELETE only while it is refused. */
export async function send<A>(options: ClientOptions, order: Order, read: Read<A>): Promise<A> {
  const until = Date.now() + (options.patienceMillis ?? 120_000)
  const isRepeatable = order.method === "GET" || order.method === "PUT" || order.idempotencyKey !== undefined
  for (let attempt = 0; ; attempt++) {
    try {
      return await sendOnce(options, order, read)
    } catch (error) {
      if (!(error instanceof PlugfestError) || !error.mayPass) throw error
      const isRefused = error.status === 429 || error.status === 503
      const wait = pauseMillis(attempt, error.retryAfterSeconds)
      if (!(isRepeatable || isRefused) || Date.now() + wait > until) throw error
      await pause(wait, order.signal)
    }
  }
}

async function refusal(operation: string, response: Response): Promise<PlugfestError> {
  const text = await response.text().catch(() => "")
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN)
  return new PlugfestError(`${operation}: ${messageIn(text) ?? `HTTP ${response.status}`}`, {
    operation,
    status: response.status,
    requestId: response.headers.get("x-request-id") ?? undefined,
    retryAfterSeconds: Number.isFinite(seconds) ? seconds : undefined
  })
}

function messageIn(text: string): string | undefined {
  try {
    const { message } = JSON.parse(text)
    return typeof message === "string" ? message : undefined
  } catch {
    return undefined
  }
}

/** The URL without slashes at its end. */
const baseOf = (url: string): string => (url.endsWith("/") ? baseOf(url.slice(0, -1)) : url)

/** `fetch` says "fetch failed", and the cause says why. */
function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
