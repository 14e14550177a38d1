/** Server-sent events: their text, and their encoded bytes. */
import type { StoredLine } from "../Ledger.ts"

/** Start of every stream: reconnect after two seconds. */
export const greeting = "retry: 2000\n\n"
/** A comment without id, which keeps proxies from closing an idle stream. */
export const heartbeat = ": heartbeat\n\n"
/** Last comment when the process stops: reconnect after half a second, to another process. */
export const farewell = ": the server is going down, resume from the last id\nretry: 500\n\n"

/**
 * The frame of a line. The line is JSON without line breaks, so one `data:` field holds it. There is no `event:` field,
 * so a plain `onmessage` gets every event.
 */
export const frameOf = ({ line, sequence }: StoredLine): string => `id: ${sequence}\ndata: ${line}\n\n`

/** Encoded frames, shared by all readers; must not be changed. */
export interface Frames {
  readonly bytes: Buffer
  /** The same bytes as one chunk of a chunked HTTP/1.1 body. */
  readonly chunk: Buffer
}

/** Encodes a text, which must not be empty: an empty chunk would end the body. */
export const encode = (text: string): Frames => {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`
  const chunk = Buffer.from(`${size}${text}\r\n`)
  return { chunk, bytes: chunk.subarray(size.length, -2) }
}

/** The frames of one or more lines. */
export const framesOf = (lines: ReadonlyArray<StoredLine>): Frames => {
  let frames = ""
  for (const line of lines) frames += frameOf(line)
  return encode(frames)
}
