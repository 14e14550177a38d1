/** The report as JSON. */
import { causesOf } from "./causes.ts"
import { checksOf, type RunDocument } from "./RunDocument.ts"
import { unjudgedIn } from "./unjudged.ts"

/**
 * `{report, causes, unjudged, name, theirRole, reason, leftBehind, whyItMatters?, groups: [{id, startedAt, checks}],
 * exchanges: [{stageId, exchange}], ledger}`.
 */
export const jsonOf = (document: RunDocument): string => {
  const { report, ...rest } = document
  const checks = checksOf(document)
  return JSON.stringify(
    { report, causes: causesOf(checks), unjudged: unjudgedIn(checks), ...rest },
    undefined,
    2
  )
}
