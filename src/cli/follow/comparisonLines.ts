/** Two runs side by side, as lines of text. Pure; control characters in texts of a partner are replaced. */
import type { CheckChange, RunComparison } from "../../../schema/reports/RunComparison.ts"
import { idsInWords } from "../../reports/causes.ts"
import { plain } from "../terminal/Terminal.ts"
import { verdictLine } from "./checkLines.ts"

/** Both verdicts, the checks whose outcome changed, and one line for those that only one of the runs was asked for. */
export const comparisonLines = (found: RunComparison): ReadonlyArray<string> => [
  `before  ${verdictLine(found.before)}`,
  `after   ${verdictLine(found.after)}`,
  ...list("newly failing", found.newlyFailing),
  ...list("still failing", found.stillFailing),
  ...list("fixed", found.fixed),
  ...list("no longer graded", found.noLongerGraded.filter(isInBoth)),
  ...list("newly graded", found.newlyGraded.filter(isInBoth)),
  ...alone("not asked for in the later run", found.noLongerGraded),
  ...alone("not asked for in the earlier run", found.newlyGraded),
  `unchanged: ${found.unchanged}`
]

const isInBoth = ({ after, before }: CheckChange) => after !== null && before !== null

const list = (name: string, changes: ReadonlyArray<CheckChange>): ReadonlyArray<string> =>
  changes.length === 0
    ? []
    : [
        `${name}: ${changes.length}`,
        ...changes.map(
          ({ after, before, id, message, title }) =>
            `  ${id} ${before ?? "not asked for"} -> ${after ?? "not asked for"}  ${plain(message ?? title)}`
        )
      ]

const alone = (name: string, changes: ReadonlyArray<CheckChange>): ReadonlyArray<string> => {
  const ids = changes.filter((change) => !isInBoth(change)).map(({ id }) => id)
  return ids.length === 0 ? [] : [`${name}: ${ids.length} (${idsInWords(ids)})`]
}
