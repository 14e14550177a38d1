/** A report as lines of text: its causes, what failed, what was not judged and why, what is left at the partner, and the verdict. */
import { causeLines, turnLines, unjudgedLines } from "../../reports/text.ts"
import { asCommands } from "../terminal/asCommands.ts"
import { plain } from "../terminal/Terminal.ts"
import { badLines, verdictLine } from "./checkLines.ts"
import type { GradedRun } from "./gradedRun.ts"

/** Pure; control characters in texts of a partner are replaced. */
export const reportLines = ({ checks, leftBehind, report }: GradedRun): ReadonlyArray<string> => [
  ...causeLines(checks).map(plain),
  ...badLines(checks),
  ...unjudgedLines(checks, report).map((line) => plain(asCommands(line))),
  ...(leftBehind.length === 0 ? [] : ["  left at the partner; these requests would undo it:"]),
  ...leftBehind.map((request) => plain(`      ${request}`)),
  ...turnLines(checks, report),
  verdictLine(report)
]
