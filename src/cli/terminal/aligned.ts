/** Columns of text. */

/** The rows as lines, with each column but the last as wide as its widest cell. */
export function aligned(rows: ReadonlyArray<ReadonlyArray<string>>): ReadonlyArray<string> {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  return rows.map((row) =>
    row
      .map((cell, column) => (column === row.length - 1 ? cell : cell.padEnd(widths[column] ?? 0)))
      .join("  ")
  )
}
