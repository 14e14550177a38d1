/** Server-sent events: their text, and their bytes as they go out. */
import type { StoredLine } from "../Ledger.ts"

/** First words of every stream: reconnect after two seconds. */
export const greeting = "retry: 2000\n\n"
/** A comment, without id: keeps proxies from closing an idle stream. */
export const heartbeat = ": heartbeat\n\n"
/** Last words when the process stops: come back soon, another one answers. */
export const farewell = ": the server is going down, resume from the last id\nretry: 500\n\n"

/** A line is one JSON text without line breaks, so one `data:` field holds it. No `event:`: plain onmessage sees all. */
export const frameOf = ({ line, sequence }: StoredLine): string => `id: ${sequence}\ndata: ${line}\n\n`

/** Encoded once for all who read them; never changed. */
export interface Frames {
  readonly bytes: Buffer
  /** The same bytes as one chunk of a chunked HTTP/1.1 body. */
  readonly chunk: Buffer
}

/** Of a text that is not empty: an empty chunk would end the body. */
export const encode = (text: string): Frames => {
  const size = `${Buffer.byteLength(text).toString(16)}\r\n`
  const chunk = Buffer.from(`${size}${text}\r\n`)
  return { chunk, bytes: chunk.subarray(size.length, -2) }
}

/** Lines, one or more, as they go out. */
export const framesOf = (lines: ReadonlyArray<StoredLine>): Frames => {
  let frames = ""
  for (const line of lines) frames += frameOf(line)
  return encode(frames)
}
