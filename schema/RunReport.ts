/** The graded report of a run, conformance or journey. A fold over the run's ledger; never computed otherwise. */
import { Schema } from "effect"
import { Summary, Verdict } from "./Assertion.ts"
import { ConnectionId, ReportId, RunId } from "./Ids.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"

export const RunKind = Schema.Literal("conformance", "journey")
export type RunKind = typeof RunKind.Type

/** Status as the API shows it for every kind of run. `recovering` and `cancelling` occur in journey runs. */
export const RunStatus = Schema.Literal(
  "queued",
  "running",
  "waiting",
  "interrupted",
  "recovering",
  "cancelling",
  "completed",
  "cancelled",
  "failed"
).annotations({ identifier: "RunStatus" })
export type RunStatus = typeof RunStatus.Type

export const terminalStatuses: ReadonlyArray<RunStatus> = ["completed", "cancelled", "failed"]

/** No event follows in the ledger of a run with this status. */
export const isTerminal = (status: RunStatus): boolean => terminalStatuses.includes(status)

export const Progress = Schema.Struct({ done: Schema.Int, of: Schema.Int })

export const RunReport = Schema.Struct({
  _id: ReportId,
  runId: RunId,
  kind: RunKind,
  ocpiVersion: OcpiVersion,
  connectionId: ConnectionId,
  connectionLabel: Schema.String,
  suiteId: Schema.optionalWith(Schema.String, { exact: true }),
  templateId: Schema.optionalWith(Schema.String, { exact: true }),
  profile: Schema.optionalWith(Schema.Literal("lenient", "strict"), { exact: true }),
  status: RunStatus,
  /** Null until the run is terminal. */
  verdict: Schema.NullOr(Verdict),
  summary: Summary,
  progress: Progress,
  /** Grows with every change; the argument of `since`. Equal to the last ledger sequence. */
  revision: Schema.Int,
  startedAt: Schema.NullOr(Schema.String),
  finishedAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotations({ identifier: "RunReport" })
export type RunReport = typeof RunReport.Type
