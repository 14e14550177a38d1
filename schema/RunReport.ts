/** The graded report of a run, conformance or journey; always computed from the run's ledger. */
import { Schema } from "effect"
import { Summary, Verdict } from "./Assertion.ts"
import { ConnectionId, ReportId, RunId } from "./Ids.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import { ModuleNotJudged, RunOrder } from "./Suite.ts"
import { WaitingFor } from "./WaitingFor.ts"

/** Whether a run plays a suite of checks or a journey. */
export const RunKind = Schema.Literal("conformance", "journey")
export type RunKind = typeof RunKind.Type

/** Status of a run of either kind; `recovering` and `cancelling` occur in journey runs only. */
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

/** The statuses after which a run does not change. */
const terminalStatuses: ReadonlyArray<RunStatus> = ["completed", "cancelled", "failed"]

/** True when no event can follow in the ledger of a run with this status. */
export const isTerminal = (status: RunStatus): boolean => terminalStatuses.includes(status)

/** Steps done, and steps in all: checks of a conformance run, stages of a journey. */
const Progress = Schema.Struct({ done: Schema.Int, of: Schema.Int })

/** Answer to `GET /testing/runs/{id}`; `suiteId` and `profile` for conformance runs, `templateId` for journeys. */
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
  /**
   * Of a conformance run: what it was ordered with. A run of an earlier release, which did not store by what its checks were
   * selected, says nothing of that.
   */
  order: Schema.optionalWith(RunOrder, { exact: true }),
  /** Of a conformance run: modules of the version, and others that the partner announced, that no suite judges. */
  notJudged: Schema.optionalWith(Schema.Array(ModuleNotJudged), { exact: true }),
  status: RunStatus,
  /** Null until the run is terminal. */
  verdict: Schema.NullOr(Verdict),
  summary: Summary,
  progress: Progress,
  /** Time of the event that led into the state of the run's machine; absent in documents of a ledger. */
  stateSince: Schema.optionalWith(Schema.String, { exact: true }),
  /** Present while the run waits: of several waits at a time the one that may last longest. */
  waitingFor: Schema.optionalWith(WaitingFor, { exact: true }),
  /** The sequence of the last ledger event; pass it as `since` to wait for a change. */
  revision: Schema.Int,
  startedAt: Schema.NullOr(Schema.String),
  finishedAt: Schema.NullOr(Schema.String),
  createdAt: Schema.String
}).annotations({ identifier: "RunReport" })
export type RunReport = typeof RunReport.Type
