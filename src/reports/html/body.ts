/** A request's or an answer's body as it is shown: JSON in lines, a window where there is too much. */
import { type JsonLine, prettyJson } from "../prettyJson.ts"
import { escape } from "./escape.ts"

interface Side {
  readonly body: string | null
  readonly truncated: boolean
  readonly bodyBytes?: number
}

/** Most lines and characters that are shown of one body; the json and har exports have the rest. */
const maxLines = 60
const maxCharacters = 12_000
/** Lines above what a pointer names. */
const linesAbove = 8

/** HTML of the body; `pointer` is marked and stays in view. */
export const bodyOf = (side: Side, pointer?: string): string => {
  if (side.body === null || side.body === "") return `<p class="small">no body</p>`
  const lines = prettyJson(side.body, pointer) ?? plainLines(side.body)
  const first = Math.max(0, lines.findIndex(({ isPointed }) => isPointed) - linesAbove)
  const shown = within(lines.slice(first, first + maxLines))
  const left = lines.length - first - shown.length
  const notes = [
    ...(first > 0 ? [`${first} lines above`] : []),
    ...(left > 0 ? [`${left} lines below`] : []),
    ...(side.truncated ? [`kept by plugfest: the beginning of ${side.bodyBytes ?? "many"} bytes`] : [])
  ]
  const note =
    notes.length === 0
      ? ""
      : `<p class="small">Not shown: ${escape(notes.join(", "))}. The json export has what was kept.</p>`
  return `<pre>${shown.map(lineOf).join("")}</pre>${note}`
}

function lineOf({ isPointed, text }: JsonLine): string {
  return isPointed ? `<mark>${escape(text)}</mark>` : `${escape(text)}\n`
}

function plainLines(text: string): ReadonlyArray<JsonLine> {
  return text.split("\n").map((line) => ({ text: line, isPointed: false }))
}

/** As many as there is room for; a line that has none is cut. */
function within(lines: ReadonlyArray<JsonLine>): ReadonlyArray<JsonLine> {
  let room = maxCharacters
  const shown: Array<JsonLine> = []
  for (const line of lines) {
    if (room <= 0) break
    shown.push(line.text.length > room ? { ...line, text: `${line.text.slice(0, room)}…` } : line)
    room -= line.text.length
  }
  return shown
}
