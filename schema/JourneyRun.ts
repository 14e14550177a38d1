/** The status of a journey run, folded from its ledger. */
import { Schema } from "effect"
import { Verdict } from "./Assertion.ts"
import { ConnectionId, ReportId, RunId } from "./Ids.ts"
import { RecoveryOption } from "./Recovery.ts"
import { RunStatus } from "./RunReport.ts"
import { WaitingFor } from "./WaitingFor.ts"

/** State of a stage in a run; `waiting`: the partner, an operator or the clock must act. */
export const StageState = Schema.Literal("pending", "active", "waiting", "completed", "failed", "skipped")
export type StageState = typeof StageState.Type

/** State value and tags of the run's XState machine. */
const MachineState = Schema.Struct({ value: Schema.Unknown, tags: Schema.Array(Schema.String) })

/** Answer to `GET /testing/journey-runs/{id}`. */
export const JourneyRunStatus = Schema.Struct({
  runId: RunId,
  reportId: ReportId,
  status: RunStatus,
  /** 0 until decisions are offered for the first time; grows with each offer. */
  recoveryVersion: Schema.Int,
  recoveryOptions: Schema.Array(RecoveryOption),
  workerHealthy: Schema.Boolean,
  verdict: Schema.NullOr(Verdict),
  connectionId: ConnectionId,
  templateId: Schema.String,
  /** The stage that is active, waiting or was interrupted; null before the first and after the last. */
  stageId: Schema.NullOr(Schema.String),
  stages: Schema.Array(Schema.Struct({ id: Schema.String, state: StageState })),
  lastSequence: Schema.Int,
  waitingFor: Schema.NullOr(WaitingFor),
  machine: MachineState,
  predecessorRunId: Schema.NullOr(RunId),
  successorRunId: Schema.NullOr(RunId),
  createdAt: Schema.String,
  /** Time of the last event. */
  updatedAt: Schema.String,
  /** Time of the event that led into the state of `machine`. */
  stateSince: Schema.String
}).annotations({ identifier: "JourneyRunStatus" })
export type JourneyRunStatus = typeof JourneyRunStatus.Type
