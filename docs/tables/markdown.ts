/** A table of Markdown; a line break or a bar in a cell would break it, and no cell here has one. */
export const table = (
  head: ReadonlyArray<string>,
  rows: ReadonlyArray<ReadonlyArray<string | number>>
): string => [head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n")

/** Code spans with commas between them. */
export const codes = (texts: Iterable<string>): string => [...texts].map((text) => `\`${text}\``).join(", ")
