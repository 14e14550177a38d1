/** Text in the width of a terminal. Pure. */

/** The columns that help and long lines may use: those of the terminal, between 40 and 100; 80 without a terminal. */
export const columnsOf = (stream: { readonly isTTY?: boolean; readonly columns?: number }): number =>
  stream.isTTY === true ? Math.min(100, Math.max(40, stream.columns ?? 80)) : 80

/** The text in lines of at most `width` columns; a word that is longer is parted after a comma, or else has a line of its own. */
export function wrap(text: string, width: number): ReadonlyArray<string> {
  const lines: Array<string> = []
  let line = ""
  const words = text.split(" ").flatMap((word) => {
    const parts = word.length > width ? word.split(/(?<=,)/) : [word]
    return parts.map((part, index) => ({ word: part, glue: index === 0 ? " " : "" }))
  })
  for (const { glue, word } of words) {
    const longer = line === "" ? word : line + glue + word
    if (line !== "" && longer.length > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/**
 * Two columns: the names, at most `most` wide, and the texts beside them, wrapped. A longer name has a line of its own. Only names
 * are painted, and after they were measured.
 */
export function columns(
  rows: ReadonlyArray<readonly [name: string, text: string]>,
  width: number,
  { most = 24, paint = (text: string) => text }: { most?: number; paint?: (text: string) => string } = {}
): ReadonlyArray<string> {
  const room = Math.min(most, Math.floor(width * 0.4))
  const fitting = rows.map(([name]) => name.length).filter((length) => length <= room)
  const left = Math.max(4, ...fitting)
  const indent = " ".repeat(left + 4)
  return rows.flatMap(([name, text]) => {
    const lines = wrap(text, width - left - 4)
    const beside = name.length <= left
    const head = beside
      ? [`  ${paint(name)}${" ".repeat(left - name.length)}  ${lines[0] ?? ""}`.trimEnd()]
      : [...wrap(name, width - 2).map((part) => `  ${paint(part)}`)]
    return [...head, ...lines.slice(beside ? 1 : 0).flatMap((line) => (line === "" ? [] : [indent + line]))]
  })
}
