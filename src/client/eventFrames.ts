/** The frames of a `text/event-stream` body (WHATWG HTML, section Server-sent events), for bodies that end or break anywhere. */

/** One event: its data lines joined by line feeds, and the last id that was sent with it or before it. */
export interface EventFrame {
  readonly id: string
  readonly event: string
  readonly data: string
}

/** Parses text as it arrives, cut at any place. Answers the events that the text completes; comments are none. */
export function eventParser(): (text: string) => ReadonlyArray<EventFrame> {
  let rest = ""
  let id = ""
  let event = ""
  let data: Array<string> = []
  const lineOf = (line: string): EventFrame | undefined => {
    if (line === "") {
      const frame = data.length === 0 ? undefined : { id, event: event || "message", data: data.join("\n") }
      event = ""
      data = []
      return frame
    }
    const colon = line.indexOf(":")
    const field = colon < 0 ? line : line.slice(0, colon)
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "")
    if (field === "data") data.push(value)
    else if (field === "event") event = value
    else if (field === "id" && !value.includes("\0")) id = value
    return undefined
  }
  return (text) => {
    rest += text
    const frames: Array<EventFrame> = []
    for (;;) {
      const end = /\r\n|\n|\r/.exec(rest)
      // A carriage return at the very end may be half of a line end.
      if (end === null || (end[0] === "\r" && end.index === rest.length - 1)) return frames
      const frame = lineOf(rest.slice(0, end.index))
      rest = rest.slice(end.index + end[0].length)
      if (frame !== undefined) frames.push(frame)
    }
  }
}
