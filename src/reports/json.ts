/** The report as JSON. */
import { causesOf } from "./causes.ts"
import { checksOf, type RunDocument } from "./RunDocument.ts"
import { turnsOf } from "./turns.ts"
import { unjudgedIn } from "./unjudged.ts"

/**
 * `{report, causes, unjudged, turns, name, theirRole, reason, leftBehind, whyItMatters?, groups: [{id, startedAt, checks}],
 * exchanges: [{stageId, exchange}], ledger}`.
 */
export const jsonOf = (document: RunDocument): string => {
  const { report, ...rest } = document
  const checks = checksOf(document)
  return JSON.stringify(
    {
      report,
      causes: causesOf(checks),
      unjudged: unjudgedIn(checks),
      turns: turnsOf(checks, report.verdict),
      ...rest
    },
    undefined,
    2
  )
}
