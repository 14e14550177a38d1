/** The status of a journey run, folded from its ledger. */
import { Schema } from "effect"
import { Verdict } from "./Assertion.ts"
import { ConnectionId, ReportId, RunId } from "./Ids.ts"
import { Actor } from "./Journey.ts"
import { RecoveryOption } from "./Recovery.ts"
import { RunStatus } from "./RunReport.ts"

/** State of a stage in a run; `waiting`: the partner, an operator or the clock must act. */
export const StageState = Schema.Literal("pending", "active", "waiting", "completed", "failed", "skipped")
export type StageState = typeof StageState.Type

/** A request that would satisfy a wait, with the values of the run filled in. */
export const ExpectedRequest = Schema.Struct({
  method: Schema.String,
  /** Our endpoint, or our API for a question to an operator. */
  url: Schema.String,
  /** `«TOKEN»` stands for the secret: the token that we issued to the partner, or the caller's API key. */
  headers: Schema.Record({ key: Schema.String, value: Schema.String }),
  /** JSON; null: no body. */
  body: Schema.Unknown,
  /** The same request as a shell command, in which `$TOKEN` stands for the secret. */
  curl: Schema.String
}).annotations({ identifier: "ExpectedRequest" })
export type ExpectedRequest = typeof ExpectedRequest.Type

/** The event that a waiting run needs: its actor, an instruction, and the deadline (ISO 8601 UTC). */
export const WaitingFor = Schema.Struct({
  party: Actor,
  /** One sentence that names the actor and the action, written for readers who are new to OCPI. */
  instruction: Schema.String,
  deadline: Schema.String,
  /** One sentence for each message that came and almost satisfied the wait: what did not fit. */
  nearMisses: Schema.Array(Schema.String),
  /** The expected request, where it is known beforehand. */
  expects: Schema.optionalWith(ExpectedRequest, { exact: true }),
  /** Of a question to an operator: the answers to choose from. */
  answers: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
}).annotations({ identifier: "WaitingFor" })
export type WaitingFor = typeof WaitingFor.Type

/** State value and tags of the run's XState machine. */
export const MachineState = Schema.Struct({ value: Schema.Unknown, tags: Schema.Array(Schema.String) })

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
  updatedAt: Schema.String
}).annotations({ identifier: "JourneyRunStatus" })
export type JourneyRunStatus = typeof JourneyRunStatus.Type
