/** Saved scenarios: a journey with everything that one may set about it, as a file that is kept beside the code. */
import { Schema } from "effect"
import { Strength } from "./Assertion.ts"
import { fields, maxInt32, Name } from "./fields/bounds.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** Faults that we play at the partner. */
export const ScenarioFaultId = Schema.Literal("late-answer", "server-error", "wrong-status", "duplicate-push")
export type ScenarioFaultId = typeof ScenarioFaultId.Type

export const ScenarioFault = Schema.Struct({
  fault: ScenarioFaultId,
  /** Answers only: the OCPI module that the partner calls, e.g. `commands` for call-backs; default: any. */
  module: optional(Name),
  /** `duplicate-push` only: the stage whose request is sent twice; default: every one whose write may be repeated. */
  stageId: optional(Name),
  /** `late-answer` only: by how much. */
  seconds: optional(Schema.Int.pipe(Schema.between(1, 120))),
  /** `wrong-status` only: the OCPI status code that we answer with instead. */
  statusCode: optional(Schema.Int.pipe(Schema.between(2000, 4999))),
  /** How often; default once. */
  times: optional(Schema.Int.pipe(Schema.between(1, 1000)))
}).annotations({ identifier: "ScenarioFault" })
export type ScenarioFault = typeof ScenarioFault.Type

/** How an assertion counts in this scenario; `off`: it is not asked. */
export const AssertionOverride = Schema.Union(Strength, Schema.Literal("off"))
export type AssertionOverride = typeof AssertionOverride.Type

/** What a scenario changes about its template. */
export const Overrides = {
  /** By stage id: the stage's time limit in seconds. */
  limits: optional(fields(Schema.Int.pipe(Schema.between(1, 86_400)), 500)),
  /** By assertion id. */
  assertions: optional(fields(AssertionOverride, 500)),
  faults: optional(Schema.Array(ScenarioFault).pipe(Schema.maxItems(500)))
}

/** What a scenario file holds. `templateId` names a template or a pack. */
export const ScenarioDraft = Schema.Struct({
  name: Schema.NonEmptyString.pipe(Schema.maxLength(200)),
  templateId: Name,
  inputs: optional(fields(Schema.Unknown, 500)),
  ...Overrides
}).annotations({ identifier: "ScenarioDraft" })
export type ScenarioDraft = typeof ScenarioDraft.Type

/** `version` must be the present one: somebody else may have changed it since it was read. */
export const ScenarioChange = Schema.Struct({
  ...ScenarioDraft.fields,
  version: Schema.Int.pipe(Schema.between(0, maxInt32))
}).annotations({ identifier: "ScenarioChange" })
export type ScenarioChange = typeof ScenarioChange.Type

export const Scenario = Schema.Struct({
  id: Schema.String,
  ...ScenarioDraft.fields,
  inputs: Schema.Record({ key: Schema.String, value: Schema.Unknown }),
  createdAt: Schema.String,
  updatedAt: Schema.String,
  /** From 1; grows with each change. */
  version: Schema.Int
}).annotations({ identifier: "Scenario" })
export type Scenario = typeof Scenario.Type

/** UTF-16 units of a scenario file. */
export const longestScenarioFile = 65_536

/** YAML or JSON text. */
export const ScenarioFile = Schema.Struct({
  file: Schema.String.pipe(Schema.maxLength(longestScenarioFile))
}).annotations({ identifier: "ScenarioFile" })
export type ScenarioFile = typeof ScenarioFile.Type

/** What is wrong, and where in the file; lines and columns from 1. */
export const ScenarioProblem = Schema.Struct({
  line: Schema.Int,
  column: Schema.Int,
  /** Names of the fields that lead there, e.g. `faults.0.seconds`; empty: the file as a whole. */
  path: Schema.String,
  message: Schema.String
}).annotations({ identifier: "ScenarioProblem" })
export type ScenarioProblem = typeof ScenarioProblem.Type

export const ScenarioValidation = Schema.Struct({
  valid: Schema.Boolean,
  problems: Schema.Array(ScenarioProblem),
  /** What was understood; null when there are problems. */
  scenario: Schema.NullOr(ScenarioDraft)
}).annotations({ identifier: "ScenarioValidation" })
export type ScenarioValidation = typeof ScenarioValidation.Type

/** What a stage would do. */
export const PlannedStage = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  actor: Schema.Literal("us", "partner", "operator", "clock"),
  /** What is done, in words, e.g. `POST commands/START_SESSION`. */
  does: Schema.String,
  writes: Schema.Boolean,
  timeoutSeconds: Schema.Int,
  /** The request as it would be sent; null where there is none, or where it depends on an answer that is not there yet. */
  request: Schema.NullOr(
    Schema.Struct({
      method: Schema.String,
      url: Schema.String,
      body: Schema.optionalWith(Schema.Unknown, { exact: true })
    })
  ),
  /** Why there is no request to show; null where there is one, or none is sent. */
  dependsOn: Schema.NullOr(Schema.String),
  assertions: Schema.Array(Schema.Struct({ id: Schema.String, strength: Strength })),
  /** Faults that we play at this stage. */
  faults: Schema.Array(ScenarioFaultId)
}).annotations({ identifier: "PlannedStage" })
export type PlannedStage = typeof PlannedStage.Type

export const DryRun = Schema.Struct({
  templateId: Schema.String,
  runnable: Schema.Boolean,
  reasons: Schema.Array(Schema.String),
  planVersion: Schema.String,
  stages: Schema.Array(PlannedStage),
  /** Faults that we play in our answers, at any stage. */
  faults: Schema.Array(ScenarioFault)
}).annotations({ identifier: "DryRun" })
export type DryRun = typeof DryRun.Type
