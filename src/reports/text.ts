/** Causes, and what was not judged, as lines of text for a terminal. Control characters are the caller's to replace. */
import type { Assertion } from "../../schema/Assertion.ts"
import type { RunReport } from "../../schema/RunReport.ts"
import { causeInWords, causesOf, effectInWords } from "./causes.ts"
import { turnsOf } from "./turns.ts"
import { littleJudged, modulesNotJudged, unjudgedIn, unjudgedInWords } from "./unjudged.ts"

/** Most causes, and most reasons, that are listed; the other forms of a report have all. */
const listed = 10

/** `cause 1: PUT token was answered HTTP 422; the partner says: "…"`, and below it what came of it. Empty when there is none. */
export const causeLines = (assertions: ReadonlyArray<Assertion>): ReadonlyArray<string> => {
  const causes = causesOf(assertions)
  return [
    ...causes
      .slice(0, listed)
      .flatMap((cause, index) => [
        `  cause ${index + 1} (${cause.attribution}): ${causeInWords(cause)}`,
        `      ${effectInWords(cause)}`
      ]),
    ...more(causes.length, "causes")
  ]
}

/** Why checks were not judged and what to do next, one reason a line. Empty when all that apply were judged. */
export const unjudgedLines = (
  assertions: ReadonlyArray<Assertion>,
  report: Pick<RunReport, "notJudged" | "ocpiVersion" | "verdict">
): ReadonlyArray<string> => {
  const reasons = unjudgedIn(assertions)
  const little = littleJudged(assertions, report.verdict)
  return [
    ...reasons.slice(0, listed).map((one) => `  - not judged, ${unjudgedInWords(one)}`),
    ...more(reasons.length, "reasons"),
    ...modulesNotJudged(report).map((sentence) => `  ${sentence}.`),
    ...(little === undefined
      ? []
      : [`  ${report.verdict === "inconclusive" ? "INCONCLUSIVE" : "little was judged"}: ${little}`])
  ]
}

/** Whose turn it is, one party a line. Empty for a run that passed. */
export const turnLines = (
  assertions: ReadonlyArray<Assertion>,
  { verdict }: Pick<RunReport, "verdict">
): ReadonlyArray<string> => turnsOf(assertions, verdict).map(({ words }) => `  ${words}.`)

const more = (count: number, what: string): ReadonlyArray<string> =>
  count > listed ? [`  and ${count - listed} more ${what}`] : []
