/** Lines in the width of a terminal. Pure. */
import { stripVTControlCharacters } from "node:util"

/** What a person copies: a line break in it would be copied, too. A command may have a word before it, as in `next: npx …`. */
const copied = /^\s*([a-z]+:?\s+)?([A-Z_]+=\S+ )*(curl|npx|plugfest|export) |^\s*[{[<]|\n/
/** A word; the name of a command stays with the program's. */
const words = / *(?:(?:npx )?plugfest [^ ]+|[^ ]+)/g

const widthOf = (text: string): number => stripVTControlCharacters(text).length

/**
 * The line in parts of at most `width` columns, parted between words, each but the first indented by two more than the line. Lines
 * of a command, JSON and texts of several lines stay whole, and so does a longer word. Colours have no width.
 */
export function fold(line: string, width: number): ReadonlyArray<string> {
  if (widthOf(line) <= width || copied.test(line)) return [line]
  const indent = `${/^ */.exec(line)![0]}  `
  const parts: Array<string> = []
  let part = ""
  for (const piece of line.match(words) ?? []) {
    if (part.trim() !== "" && widthOf(part + piece) > width) {
      parts.push(part)
      part = indent + piece.trimStart()
    } else part += piece
  }
  return [...parts, part]
}
