/** Server-sent events, as text. */
import type { StoredLine } from "./Ledger.ts"

/** First words of every stream: reconnect after two seconds. */
export const greeting = "retry: 2000\n\n"
/** A comment, without id: keeps proxies from closing an idle stream. */
export const heartbeat = ": heartbeat\n\n"
/** Last words when the process stops: come back soon, another one answers. */
export const farewell = ": the server is going down, resume from the last id\nretry: 500\n\n"

/** A line is one JSON text without line breaks, so one `data:` field holds it. No `event:`: plain onmessage sees all. */
export const frameOf = ({ line, sequence }: StoredLine): string => `id: ${sequence}\ndata: ${line}\n\n`

export const framesOf = (lines: ReadonlyArray<StoredLine>): string => {
  let frames = ""
  for (const line of lines) frames += frameOf(line)
  return frames
}
