/** Accepted deviations as a part of the page's URL. */
import type { Deviation } from "./orderOf.ts"

const fields = ["checkId", "reason", "owner", "expires"] as const

/** As JSON: a list of lists of four texts. */
export const deviationsText = (deviations: ReadonlyArray<Deviation>): string =>
  JSON.stringify(deviations.map((one) => fields.map((name) => one[name])))

/** Undefined: the URL names none, or what it says is not readable. */
export function deviationsIn(text: string | undefined): ReadonlyArray<Deviation> | undefined {
  const rows = jsonIn(text)
  if (!Array.isArray(rows)) return undefined
  return rows.filter(isRow).map(([checkId, reason, owner, expires]) => ({ checkId, reason, owner, expires }))
}

const isRow = (row: unknown): row is readonly [string, string, string, string] =>
  Array.isArray(row) && row.length === fields.length && row.every((cell) => typeof cell === "string")

function jsonIn(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text)
  } catch {
    return undefined
  }
}
