/** Bodies in HTML: JSON indented, and only a part of long ones. */
import { type JsonLine, prettyJson } from "../prettyJson.ts"
import { escape } from "./escape.ts"

interface Side {
  readonly body: string | null
  readonly truncated: boolean
  readonly bodyBytes?: number
}

/** Most lines and characters shown of one body; the json and har exports hold the rest. */
const maxLines = 60
const maxCharacters = 12_000
/** Lines shown above the place that the pointer names. */
const linesAbove = 8

/** The body as HTML. The place that `pointer` names is marked, and the part shown includes it. */
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

/** As many lines as fit into `maxCharacters`; the last one may be cut. */
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
