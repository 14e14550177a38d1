/** Results as lines of text. Pure; control characters in texts of a partner are replaced. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { RunReport } from "../../../schema/RunReport.ts"
import { plain } from "../Terminal.ts"

/** Longest quoted text in a line, in UTF-16 units: a message names five kinds of findings. */
const quoted = 800

/**
 * `x LOC-017 must  message  = "…"  (reference)` for each check that failed, warned or had an error; below it the partner's own
 * words, and what to change.
 */
export const badLines = (checks: ReadonlyArray<Assertion>): ReadonlyArray<string> =>
  checks.flatMap((check) => {
    const mark = marks[check.outcome]
    if (mark === undefined) return []
    const { actual, hint, id, partnerSaid, pointer = "", reason, reference, strength } = check
    const message = check.message ?? reason ?? check.title
    const place = message.includes(pointer) ? "" : cut(pointer)
    const where =
      pointer === "" || actual === undefined ? "" : `  ${place === "" ? "" : `${place} `}= ${cut(actual)}`
    return [
      `  ${mark} ${id} ${strength}  ${cut(message)}${where}  (${reference})`,
      ...(partnerSaid === undefined ? [] : [`      the partner says: ${JSON.stringify(plain(partnerSaid))}`]),
      ...(hint === undefined ? [] : [`      change: ${cut(hint)}`])
    ]
  })

const marks: Readonly<Partial<Record<Assertion["outcome"], string>>> = {
  failed: "x",
  warned: "!",
  error: "E"
}

/** One check with all its facts. */
export const fullLines = (check: Assertion): ReadonlyArray<string> => {
  const { actual, attribution, blockedBy, curl, expected, findings = [], hint, message, pointer } = check
  const { partnerSaid, reason, reference, strength } = check
  const facts = {
    rule: `${strength}, ${reference}`,
    message,
    reason,
    "attributed to": attribution,
    "blocked by": blockedBy?.check ?? blockedBy?.exchangeId,
    "the partner says": partnerSaid,
    expected,
    actual,
    pointer,
    hint,
    curl
  }
  return [
    `${check.outcome} ${check.id} ${check.title}`,
    ...Object.entries(facts).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [`  ${name}: ${plain(value)}`]
    ),
    ...findings.flatMap(({ count, message, places }) => [
      `  ${count} times: ${plain(message)}`,
      ...places.map(({ actual, exchangeId, object, pointer }) =>
        plain(
          `    ${[pointer, object, actual, exchangeId].filter((part) => part !== undefined && part !== "").join("  ")}`
        )
      )
    ])
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
