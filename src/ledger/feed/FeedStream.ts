/**
 * The Node stream of one reader. Piped into an HTTP/1.1 response it writes ready chunks to the socket, one write for
 * each: `response.write` would make four small ones of every chunk, for every reader. Piped anywhere else it is a
 * `Readable` like any other.
 */
import { Readable, type Writable } from "node:stream"
import type { Frames } from "./frames.ts"

export interface FeedStreamEvents {
  /** The reader takes bytes (again). May be called when nobody was waiting for it. */
  readonly wanted: () => void
  /** The stream is over, whoever ended it. */
  readonly gone: () => void
}

export class FeedStream extends Readable {
  readonly #events: FeedStreamEvents
  /** Set once it is piped into a response: its own buffer is passed by from then on. */
  #socket: Writable | undefined
  #over = false

  /** `highWaterMark`: bytes that may wait for the reader before it counts as slow. */
  constructor(highWaterMark: number, events: FeedStreamEvents) {
    super({ highWaterMark })
    this.#events = events
  }

  /** Hands frames over; false when the reader should be left alone until it is `wanted`. */
  hand({ bytes, chunk }: Frames): boolean {
    if (this.#socket === undefined) return this.push(bytes)
    // What counts as slow is ours to say; the socket's own mark decides only whether it will tell us that it drained.
    if (!this.#socket.writable) return false
    return this.#socket.write(chunk) || this.#socket.writableLength < this.readableHighWaterMark
  }

  /** Nothing more comes: what was handed over is still read to its end. */
  finish(): void {
    this.#over = true
    this.push(null)
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T, options?: { readonly end?: boolean }): T {
    if (this.#over || !isChunkedResponse(destination)) return super.pipe(destination, options)
    const { socket } = destination
    this.#socket = socket
    // The first bytes go the usual way, behind the headers that the response still holds back.
    const first: Buffer | null = this.read()
    if (first !== null) destination.write(first)
    else destination.flushHeaders()
    socket.on("drain", this.#events.wanted)
    // From here only the end is read from it.
    this.resume()
    if (socket.writableLength < this.readableHighWaterMark) this.#events.wanted()
    return destination
  }

  override _read(): void {
    if (this.#socket === undefined) this.#events.wanted()
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#over = true
    this.#socket?.off("drain", this.#events.wanted)
    this.#events.gone()
    done(error)
  }
}

/** What is needed of a `ServerResponse` of node:http, which is not this room's to know. */
interface ChunkedResponse extends NodeJS.WritableStream {
  readonly socket: Writable
  readonly flushHeaders: () => void
}

/** HTTP/1.0 gets no chunks, and a response that waits for its turn on the connection has no socket yet. */
function isChunkedResponse(destination: object): destination is ChunkedResponse {
  const { chunkedEncoding, flushHeaders, socket } = destination as Readonly<Record<string, unknown>>
  return (
    chunkedEncoding === true &&
    typeof flushHeaders === "function" &&
    typeof socket === "object" &&
    socket !== null
  )
}
