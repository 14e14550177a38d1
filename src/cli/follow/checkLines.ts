/** Results as lines of text. Pure; control characters in texts of a partner are replaced. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { RunReport } from "../../../schema/RunReport.ts"
import { plain } from "../Terminal.ts"

/** Longest quoted text in a line, in UTF-16 units. */
const quoted = 300

/** `x LOC-017 must  message  /data/0/id = "…"  (reference)` for each check that failed, warned or had an error. */
export const badLines = (checks: ReadonlyArray<Assertion>): ReadonlyArray<string> =>
  checks.flatMap((check) => {
    const mark = marks[check.outcome]
    if (mark === undefined) return []
    const { actual, id, message = check.title, pointer = "", reference, strength } = check
    const where = pointer === "" || actual === undefined ? "" : `  ${cut(pointer)} = ${cut(actual)}`
    return [`  ${mark} ${id} ${strength}  ${cut(message)}${where}  (${reference})`]
  })

const marks: Readonly<Partial<Record<Assertion["outcome"], string>>> = {
  failed: "x",
  warned: "!",
  error: "E"
}

/** One check with all its facts. */
export const fullLines = (check: Assertion): ReadonlyArray<string> => {
  const { actual, curl, expected, hint, message, pointer, reason, reference, strength } = check
  const facts = { rule: `${strength}, ${reference}`, message, reason, expected, actual, pointer, hint, curl }
  return [
    `${check.outcome} ${check.id} ${check.title}`,
    ...Object.entries(facts).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [`  ${name}: ${plain(value)}`]
    )
  ]
}

/** `rep_…  FAIL  83 passed, 3 failed, 2 warned, 1 not graded` */
export const verdictLine = (
  { _id, status, summary, verdict }: RunReport,
  paint: (text: string) => string = (text) => text
): string => {
  const { errored, failed, notApplicable, notTested, passed, unobservable, warned } = summary
  const open = unobservable + notTested + errored
  return [
    _id,
    paint((verdict ?? status).toUpperCase()),
    [
      `${passed} passed, ${failed} failed, ${warned} warned, ${open} not graded`,
      ...(notApplicable > 0 ? [`${notApplicable} not applicable`] : []),
      ...(errored > 0 ? [`${errored} by a fault of ours`] : [])
    ].join(", ")
  ].join("  ")
}

function cut(text: string): string {
  const line = plain(text)
  return line.length > quoted ? `${line.slice(0, quoted)}…` : line
}
