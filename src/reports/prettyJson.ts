/** Indents JSON without changing its tokens, because a partner's `1.10` is evidence. */

/** One indented line, without its line break. */
export interface JsonLine {
  readonly text: string
  /** The line belongs to the value that the pointer names. */
  readonly isPointed: boolean
}

/** Deepest indentation, so that a body of many brackets does not grow much. */
const deepest = 24
const tokens = /\s+|("(?:[^"\\]|\\.)*")|([{}[\],:])|([^\s"{}[\],:]+)/gy

interface Frame {
  readonly isList: boolean
  key: string
  index: number
}

/** The indented lines; undefined when the text is not JSON. `pointer`: JSON Pointer of the value to mark. */
export const prettyJson = (text: string, pointer?: string): ReadonlyArray<JsonLine> | undefined => {
  if (!isJson(text)) return undefined
  const wanted = pointer === undefined || pointer === "" ? undefined : pointer
  const wantedDepth = wanted?.split("/").length ?? 0
  const lines: Array<JsonLine> = []
  const frames: Array<Frame> = []
  let line = ""
  /** Number of frames at the start of the pointed value; undefined outside of it. */
  let pointedFrom: number | undefined
  let touched = false
  let expectsKey = false

  const isWanted = () =>
    frames.length + 1 === wantedDepth &&
    frames.map(({ index, isList, key }) => `/${isList ? index : escaped(key)}`).join("") === wanted
  const end = () => {
    if (line !== "") lines.push({ text: line, isPointed: touched || pointedFrom !== undefined })
    touched = pointedFrom !== undefined
    line = ""
  }
  const indent = () => "  ".repeat(Math.min(frames.length, deepest))
  const value = (token: string) => {
    if (line === "") line = indent()
    if (wanted !== undefined && pointedFrom === undefined && isWanted()) {
      touched = true
      if (token === "{" || token === "[") pointedFrom = frames.length
    }
    line += token
  }

  for (const [, string, punctuation, bare] of text.matchAll(tokens)) {
    if (string !== undefined && expectsKey) {
      frames.at(-1)!.key = JSON.parse(string)
      line = indent() + string
      expectsKey = false
    } else if (string !== undefined || bare !== undefined) value((string ?? bare)!)
    else if (punctuation === "{" || punctuation === "[") {
      value(punctuation)
      end()
      frames.push({ isList: punctuation === "[", key: "", index: 0 })
      expectsKey = punctuation === "{"
    } else if (punctuation === "}" || punctuation === "]") {
      end()
      frames.pop()
      line = indent() + punctuation
      if (pointedFrom === frames.length) {
        touched = true
        pointedFrom = undefined
      }
      expectsKey = false
    } else if (punctuation === ",") {
      line += ","
      end()
      const frame = frames.at(-1)!
      frame.index += 1
      expectsKey = !frame.isList
    } else if (punctuation === ":") line += ": "
  }
  end()
  return lines
}

function escaped(key: string): string {
  return key.replaceAll("~", "~0").replaceAll("/", "~1")
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
