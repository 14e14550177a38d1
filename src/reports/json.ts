/** The report as JSON. */
import type { RunDocument } from "./RunDocument.ts"

/** `{report, name, theirRole, reason, leftBehind, groups: [{id, startedAt, checks}], exchanges: [{stageId, exchange}], ledger}`. */
export const jsonOf = (document: RunDocument): string => JSON.stringify(document, undefined, 2)
