/** A report as lines of text: its causes, what failed, what was not judged and why, and the verdict. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { RunReport } from "../../../schema/RunReport.ts"
import { causeLines, unjudgedLines } from "../../reports/text.ts"
import { asCommands } from "../terminal/asCommands.ts"
import { plain } from "../terminal/Terminal.ts"
import { badLines, verdictLine } from "./checkLines.ts"

/** Pure; control characters in texts of a partner are replaced. */
export const reportLines = (report: RunReport, checks: ReadonlyArray<Assertion>): ReadonlyArray<string> => [
  ...causeLines(checks).map(plain),
  ...badLines(checks),
  ...unjudgedLines(checks, report).map((line) => plain(asCommands(line))),
  verdictLine(report)
]
