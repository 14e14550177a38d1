/**
 * Names source files and lines in the stacks of errors. The source map is read when a stack is, and not kept: with Node's
 * `--enable-source-maps` every process would hold the maps from its start on.
 */
import { readFileSync } from "node:fs"
import { dirname, resolve } from "node:path"
import { type Position, type SourceMap, sourcePositions } from "./sourcePositions.ts"

/** Largest number of places in bundles whose source is remembered. */
const maxKnown = 5000

/** By place in a bundle, `file:line:column`: the place in its source, or the same if the map has none. */
const known = new Map<string, string>()

/** From now on, stacks name sources. */
export function nameSourcesInStacks(): void {
  Error.prepareStackTrace = (error, frames) => {
    lookUp(frames)
    return [nameOf(error), ...frames.map(lineOf)].join("\n    at ")
  }
}

function nameOf(error: Error): string {
  try {
    return String(error)
  } catch {
    return "Error"
  }
}

function lineOf(frame: NodeJS.CallSite): string {
  const place = placeOf(frame)
  const source = place === undefined ? undefined : known.get(place)
  return place === undefined || source === undefined ? String(frame) : String(frame).replace(place, source)
}

/** Undefined for frames that are not of a bundle. */
function placeOf(frame: NodeJS.CallSite): string | undefined {
  const file = frame.getFileName()
  return file?.endsWith(".cjs") === true
    ? `${file}:${frame.getLineNumber()}:${frame.getColumnNumber()}`
    : undefined
}

/** Learns the sources of all frames, with one reading of each map. */
function lookUp(frames: ReadonlyArray<NodeJS.CallSite>): void {
  const wanted = new Map<string, Array<NodeJS.CallSite>>()
  for (const frame of frames) {
    const place = placeOf(frame)
    if (place === undefined || known.has(place)) continue
    const file = frame.getFileName()!
    wanted.set(file, [...(wanted.get(file) ?? []), frame])
  }
  if (known.size > maxKnown) known.clear()
  for (const [file, unknown] of wanted) {
    const sources = sourcesOf(file, unknown.map(positionOf))
    unknown.forEach((frame, index) => known.set(placeOf(frame)!, sources[index] ?? placeOf(frame)!))
  }
}

/** Lines and columns of V8 begin at 1, columns of source maps at 0. */
const positionOf = (frame: NodeJS.CallSite): Position => ({
  line: frame.getLineNumber() ?? 1,
  column: (frame.getColumnNumber() ?? 1) - 1
})

function sourcesOf(file: string, positions: ReadonlyArray<Position>): ReadonlyArray<string | undefined> {
  try {
    const map = JSON.parse(readFileSync(`${file}.map`, "utf8")) as SourceMap
    return sourcePositions(map, positions).map((found) =>
      found === undefined
        ? undefined
        : `${resolve(dirname(file), found.source)}:${found.line}:${found.column + 1}`
    )
  } catch {
    return [] // no map, or none that can be read: the stack names the bundle
  }
}
