/**
 * The Node stream of one reader. Piped into an HTTP/1.1 response it writes ready chunks to the socket, with one write
 * each: `response.write` would make four small writes of every chunk, for every reader. Piped elsewhere it is an ordinary
 * `Readable`.
 */
import { Readable, type Writable } from "node:stream"
import type { Frames } from "./frames.ts"

/** Called when the state of the stream's reader changes. */
interface FeedStreamEvents {
  /** The reader takes bytes (again). May be called although no write was held back. */
  readonly wanted: () => void
  /** The stream has ended, from either side. */
  readonly gone: () => void
}

/** A stream of encoded frames for one reader. */
export class FeedStream extends Readable {
  readonly #events: FeedStreamEvents
  /** Set once it is piped into a response: from then on its own buffer is bypassed. */
  #socket: Writable | undefined
  #over = false

  /** `highWaterMark`: bytes that may wait for the reader before it counts as slow. */
  constructor(highWaterMark: number, events: FeedStreamEvents) {
    super({ highWaterMark })
    this.#events = events
  }

  /** Hands frames over; false when the reader should get no more before `wanted`. */
  hand({ bytes, chunk }: Frames): boolean {
    if (this.#socket === undefined) return this.push(bytes)
    // Our mark decides what counts as slow; the socket's own mark decides only whether it emits `drain`.
    if (!this.#socket.writable) return false
    return this.#socket.write(chunk) || this.#socket.writableLength < this.readableHighWaterMark
  }

  /** Ends the stream after the bytes that were handed over. */
  finish(): void {
    this.#over = true
    this.push(null)
  }

  override pipe<T extends NodeJS.WritableStream>(destination: T, options?: { readonly end?: boolean }): T {
    if (this.#over || !isChunkedResponse(destination)) return super.pipe(destination, options)
    const { socket } = destination
    this.#socket = socket
    // The first bytes are written through the response, after its headers, which it has not sent yet.
    const first: Buffer | null = this.read()
    if (first !== null) destination.write(first)
    else destination.flushHeaders()
    socket.on("drain", this.#events.wanted)
    // From now on only the end of the stream is read from it.
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

/** The part of node:http's `ServerResponse` that is used here; this room may not import node:http. */
interface ChunkedResponse extends NodeJS.WritableStream {
  readonly socket: Writable
  readonly flushHeaders: () => void
}

/** HTTP/1.0 has no chunks, and a pipelined response that waits for its turn has no socket yet. */
function isChunkedResponse(destination: object): destination is ChunkedResponse {
  const { chunkedEncoding, flushHeaders, socket } = destination as Readonly<Record<string, unknown>>
  return (
    chunkedEncoding === true &&
    typeof flushHeaders === "function" &&
    typeof socket === "object" &&
    socket !== null
  )
}
