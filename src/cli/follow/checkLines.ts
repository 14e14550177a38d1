/** Results as lines of text. Pure; control characters in texts of a partner are replaced. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { RunReport } from "../../../schema/RunReport.ts"
import { type Fact, factsOf } from "../../reports/facts.ts"
import { asCommands } from "../terminal/asCommands.ts"
import { plain } from "../terminal/Terminal.ts"

/** Longest quoted text in a line, in UTF-16 units; a curl command is never cut. */
const quoted = 800

/**
 * `x LOC-017 must  Title` for each check that failed, warned or had an error, and below it its facts: what was found and where, what
 * was seen and expected, the partner's own words, the rule, what to change, and a curl command.
 */
export const badLines = (checks: ReadonlyArray<Assertion>): ReadonlyArray<string> =>
  checks.flatMap((check) => {
    const mark = marks[check.outcome]
    return mark === undefined
      ? []
      : [`  ${mark} ${check.id} ${check.strength}  ${cut(check.title)}`, ...factsOf(check).map(factLine)]
  })

const factLine = ({ name, value }: Fact) => `      ${name}: ${name === "curl" ? plain(value) : cut(value)}`

const marks: Readonly<Partial<Record<Assertion["outcome"], string>>> = {
  failed: "x",
  warned: "!",
  error: "E"
}

/** One check with all its facts, and every place of every finding. */
export const fullLines = (check: Assertion): ReadonlyArray<string> => {
  const { attribution, blockedBy, findings = [] } = check
  const more = {
    "attributed to": attribution,
    "blocked by": blockedBy?.check ?? blockedBy?.exchangeId
  }
  return [
    `${check.outcome} ${check.id} ${check.title}`,
    ...factsOf(check).map(({ name, value }) => `  ${name}: ${plain(asCommands(value))}`),
    ...Object.entries(more).flatMap(([name, value]) =>
      value === undefined || value === "" ? [] : [`  ${name}: ${plain(value)}`]
    ),
    ...findings.flatMap(({ count, curl, message, places }) => [
      `  ${count === 1 ? "once" : `${count} times`}: ${plain(message)}`,
      ...(curl === undefined || curl === check.curl ? [] : [`    curl: ${plain(curl)}`]),
      ...places.map(({ actual, exchangeId, object, pointer }) =>
        plain(
          `    ${[pointer, object, actual, exchangeId].filter((part) => part !== undefined && part !== "").join("  ")}`
        )
      )
    ])
  ]
}

/** `rep_…  FAIL  83 passed, 3 failed, 2 warned, 1 not judged` */
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
      `${passed} passed, ${failed} failed, ${warned} warned, ${open} not judged`,
      ...(notApplicable > 0 ? [`${notApplicable} not applicable`] : []),
      ...(errored > 0 ? [`${errored} by a fault of ours`] : [])
    ].join(", ")
  ].join("  ")
}

function cut(text: string): string {
  const line = plain(text)
  return line.length > quoted ? `${line.slice(0, quoted)}…` : line
}
