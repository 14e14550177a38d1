/** What the security tests have tried, held against what docs/security.md says that they try. */
import { readFileSync } from "node:fs"
import { assert } from "vitest"

const document = readFileSync(new URL("../../docs/security.md", import.meta.url), "utf8")

/**
 * Prints what came of a row of the table. `counts` are what was counted, each as the row must have it word for word, such
 * as `440 requests`; a row that says otherwise fails the test with the right words.
 */
export function tried(row: string, counts: ReadonlyArray<string>, outcome: string): void {
  process.stdout.write(`security ${row}: ${[...counts, outcome].join(", ")}\n`)
  const line = document.split("\n").find((one) => one.startsWith(`| ${row} |`)) ?? ""
  for (const count of counts)
    if (!says(line, count))
      assert.fail(`docs/security.md, row ${row}: it must say "${count}", and says: ${line}`)
}

/** A number that goes on before or after is another number. */
const says = (line: string, count: string) =>
  new RegExp(`(?<![\\d.,])${count.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?!\\d)`).test(line)
