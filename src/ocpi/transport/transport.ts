/**
 * One HTTP/1.1 request over one socket of its own: no pool, no retry, no redirect. A fresh connection costs little and
 * keeps the evidence clean: a kept-alive socket that the partner has just closed would look like a fault of the partner.
 */
import type { LookupFunction, Socket } from "node:net"
import zlib from "node:zlib"
import { Effect } from "effect"
import { buildConnector, Client, errors } from "undici"
import type { ExchangeTimings } from "../../../schema/Exchange.ts"
import { sha256 } from "../keptBody.ts"
import { attendedTimeout } from "./attention.ts"
import { watchLateness } from "./lateness.ts"
import { limitReads } from "./limitedReads.ts"
import { withoutContinue } from "./unaskedContinue.ts"

/** Milliseconds within which a connection (name, TCP and TLS together) must be established. */
const connectTimeoutMillis = 5_000
/** Most bytes of an answer's body that are read; then the socket is closed. */
export const maxBodyBytes = 1024 * 1024
/** Most bytes of an answer's status line and headers. */
export const maxHeaderBytes = 32 * 1024

/** A request as it goes to the socket. */
export interface RawRequest {
  readonly method: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
  readonly lookup: LookupFunction
  /** Limit for connecting, headers and body together; times in which this process was blocked do not count. */
  readonly timeoutMillis: number
}

/** An answer as it came from the socket. */
export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  /** The body decoded as UTF-8; null when no byte came. */
  readonly body: string | null
  /** Present: the body was longer than the limit; what of it was read, in bytes, and its SHA-256 in hex. */
  readonly longer: { readonly bytes: number; readonly sha256: string } | undefined
  /** A Content-Encoding that could not be decoded: the body is as it came. */
  readonly undecodable: string | undefined
  readonly progress: TransferProgress
}

/** How far the exchange had come when it ended. The instants are those of `performance.now()`. */
export interface TransferProgress {
  readonly begunAt: number
  /** Undefined: there was no connection. */
  connectedAt: number | undefined
  /** When the status line and the headers of the answer had come. */
  answeredAt: number | undefined
  status: number | undefined
  bytes: number
  /** By how much our own process was late meanwhile, in milliseconds; set at the end. */
  ourLateMs: number
}

/** Where the time of an exchange of `durationMs` went, in tenths of a millisecond; undefined: there was no connection. */
export const timingsOf = (
  progress: TransferProgress | undefined,
  durationMs: number
): ExchangeTimings | undefined => {
  if (progress?.connectedAt === undefined) return undefined
  const { answeredAt, begunAt, connectedAt } = progress
  // The duration is of another clock: no part is longer than the whole.
  const within = (millis: number, most: number) => Math.round(10 * Math.max(0, Math.min(millis, most))) / 10
  const connectMs = within(connectedAt - begunAt, durationMs)
  return answeredAt === undefined
    ? { connectMs }
    : { connectMs, answerMs: within(answeredAt - connectedAt, durationMs - connectMs) }
}

/** The exchange broke before its answer was complete. */
export class Broken {
  readonly _tag = "Broken"
  readonly error: unknown
  readonly progress: TransferProgress
  constructor(error: unknown, progress: TransferProgress) {
    this.error = error
    this.progress = progress
  }
}

/** The deadline over connecting, headers and body has passed. */
export class DeadlinePassed {
  readonly _tag = "DeadlinePassed"
}

/** Sends the request and reads the answer; the socket is closed in every case, interruption included. */
export const send = (request: RawRequest): Effect.Effect<RawAnswer, Broken> =>
  Effect.async((resume) => {
    const progress: TransferProgress = {
      begunAt: performance.now(),
      connectedAt: undefined,
      answeredAt: undefined,
      status: undefined,
      bytes: 0,
      ourLateMs: 0
    }
    const broken = (error: unknown) => Effect.fail(new Broken(error, progress))
    let opened: Opened
    try {
      opened = open(request, progress)
    } catch (error) {
      return resume(broken(error))
    }
    // One of three ends it: the answer or a fault, the deadline, whoever interrupts. Not a race of fibers, which takes longer.
    const endWith = (result: Effect.Effect<RawAnswer, Broken>) => {
      close()
      resume(result)
    }
    const cancelDeadline = attendedTimeout(request.timeoutMillis, () => endWith(broken(new DeadlinePassed())))
    const latenessSoFar = watchLateness()
    let isClosed = false
    const close = () => {
      // A request that is broken off is rejected too, and what was read may be decoded after that.
      if (isClosed) return
      isClosed = true
      cancelDeadline()
      progress.ourLateMs = latenessSoFar()
      // Not awaited: a socket that closes slowly must not delay the exchange.
      opened.client.destroy(over).catch(() => {})
    }
    answerTo(request, opened, progress).then(
      (answer) => endWith(Effect.succeed(answer)),
      (error) => endWith(broken(error))
    )
    return Effect.sync(close)
  })

/**
 * Why a socket is closed when its exchange is over. One for all: undici makes an error for each socket that is closed without one,
 * and Node writes the stack of each.
 */
const over = new errors.InformationalError("the exchange is over")

interface Opened {
  readonly client: Client
  /** Undefined until it is connected. */
  socket: Socket | undefined
}

function open(request: RawRequest, progress: TransferProgress): Opened {
  const connect = buildConnector({ lookup: request.lookup, timeout: connectTimeoutMillis })
  let used = false
  const client = new Client(request.url.origin, {
    // undici would connect again for a request that it considers safe to repeat; one exchange is one connection.
    connect: (options, callback) => {
      if (used) return callback(new Error("the connection was closed before an answer came"), null)
      used = true
      connect(options, (error, socket: Socket | null) => {
        if (error !== null || socket === null) return callback(error ?? new Error("no socket"), null)
        progress.connectedAt = performance.now()
        opened.socket = socket
        const limited = limitReads(socket, () => progress.status !== undefined)
        callback(null, withoutContinue(limited, maxHeaderBytes))
      })
    },
    pipelining: 0,
    maxHeaderSize: maxHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0
  })
  const opened: Opened = { client, socket: undefined }
  return opened
}

/** What came before it was decoded; of a body that is too long, its beginning. */
interface Transferred {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly wire: Buffer
}

/** Not as a stream: a body is short, and a stream for each takes longer than all that is done with it. */
const transfer = (request: RawRequest, opened: Opened, progress: TransferProgress) =>
  new Promise<Transferred>((resolve, reject) => {
    const chunks: Array<Buffer> = []
    let headers: Readonly<Record<string, string>> = {}
    const end = () => {
      opened.socket?.destroy(over)
      resolve({ status: progress.status ?? 0, headers, wire: Buffer.concat(chunks) })
    }
    const { body, method, url } = request
    opened.client.dispatch(
      { method, path: `${url.pathname}${url.search}`, headers: request.headers, body: body ?? null },
      {
        onRequestStart: () => {},
        onResponseStart: (_, status, received) => {
          if (status < 200) return
          progress.answeredAt = performance.now()
          progress.status = status
          headers = joined(received)
        },
        onResponseData: (_, chunk) => {
          if (progress.bytes > maxBodyBytes) return
          chunks.push(chunk)
          progress.bytes += chunk.length
          if (progress.bytes > maxBodyBytes) end()
        },
        onResponseEnd: end,
        onResponseError: (_, error) => reject(error)
      }
    )
  })

async function answerTo(request: RawRequest, opened: Opened, progress: TransferProgress): Promise<RawAnswer> {
  const { headers, status, wire } = await transfer(request, opened, progress)
  const encoding = headers["content-encoding"]?.trim().toLowerCase()
  const decoded = encoding === undefined || wire.length === 0 ? wire : await inflate(wire, encoding)
  const body = decoded ?? wire
  return {
    status,
    headers,
    body: body.length === 0 ? null : text(body.subarray(0, maxBodyBytes)),
    longer:
      body.length > maxBodyBytes || wire.length > maxBodyBytes
        ? { bytes: body.length, sha256: sha256(body) }
        : undefined,
    undecodable: decoded === undefined ? encoding : undefined,
    progress
  }
}

/** Lower-case names; repeated headers joined by `, `. */
function joined(
  headers: Record<string, string | ReadonlyArray<string> | undefined>
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === "string" ? value : (value ?? []).join(", ")
    ])
  )
}

/** Decodes an encoding that was not asked for, up to one chunk over the limit; undefined when it cannot be decoded. */
async function inflate(wire: Buffer, encoding: string): Promise<Buffer | undefined> {
  if (encoding === "identity" || encoding === "") return wire
  const decoder =
    encoding === "gzip" || encoding === "x-gzip"
      ? zlib.createGunzip()
      : encoding === "deflate"
        ? zlib.createInflate()
        : encoding === "br"
          ? zlib.createBrotliDecompress()
          : undefined
  if (decoder === undefined) return undefined
  const chunks: Array<Buffer> = []
  let length = 0
  decoder.end(wire)
  try {
    for await (const chunk of decoder as AsyncIterable<Buffer>) {
      // zlib streams yield buffers
      chunks.push(chunk)
      length += chunk.length
      if (length > maxBodyBytes) break
    }
  } catch {
    return length > 0 ? Buffer.concat(chunks) : undefined
  }
  return Buffer.concat(chunks)
}

/** Keeps a byte order mark, because it is evidence; invalid UTF-8 becomes the replacement character. */
function text(bytes: Uint8Array): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes)
}
