/** Saved scenarios: a journey template with inputs, limits and faults, as a file that can be kept in a repository. */
import { Schema } from "effect"
import { Strength } from "./Assertion.ts"
import { fields, maxInt32, Name } from "./fields/bounds.ts"

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

/** The faults that a scenario can inject into our own answers and requests. */
const ScenarioFaultId = Schema.Literal("late-answer", "server-error", "wrong-status", "duplicate-push")

/** A fault to inject: which, where and how often. */
export const ScenarioFault = Schema.Struct({
  fault: ScenarioFaultId,
  /** For faults of answers: the OCPI module that the partner calls, e.g. `commands` for results; default: any. */
  module: optional(Name),
  /** `duplicate-push` only: the stage whose request is sent twice; default: every stage whose write may be repeated. */
  stageId: optional(Name),
  /** `late-answer` only: the delay in seconds. */
  seconds: optional(Schema.Int.pipe(Schema.between(1, 120))),
  /** `wrong-status` only: the OCPI status code that we answer with instead. */
  statusCode: optional(Schema.Int.pipe(Schema.between(2000, 4999))),
  /** How many times the fault is injected; default 1. */
  times: optional(Schema.Int.pipe(Schema.between(1, 1000)))
}).annotations({ identifier: "ScenarioFault" })
export type ScenarioFault = typeof ScenarioFault.Type

/** The strength of an assertion in this scenario; `off`: it is not judged. */
const AssertionOverride = Schema.Union(Strength, Schema.Literal("off"))

/** The fields by which a scenario departs from its template. */
export const Overrides = {
  /** By stage id: the stage's time limit in seconds. */
  limits: optional(fields(Schema.Int.pipe(Schema.between(1, 86_400)), 500)),
  /** New strengths by assertion id. */
  assertions: optional(fields(AssertionOverride, 500)),
  faults: optional(Schema.Array(ScenarioFault).pipe(Schema.maxItems(500)))
}

/** The content of a scenario file. `templateId` names a template or a pack. */
export const ScenarioDraft = Schema.Struct({
  name: Schema.NonEmptyString.pipe(Schema.maxLength(200)),
  templateId: Name,
  inputs: optional(fields(Schema.Unknown, 500)),
  ...Overrides
}).annotations({ identifier: "ScenarioDraft" })
export type ScenarioDraft = typeof ScenarioDraft.Type

/** Body of the PUT of a scenario. `version` must be the current one, so that no change by others is overwritten. */
export const ScenarioChange = Schema.Struct({
  ...ScenarioDraft.fields,
  version: Schema.Int.pipe(Schema.between(0, maxInt32))
}).annotations({ identifier: "ScenarioChange" })
export type ScenarioChange = typeof ScenarioChange.Type

/** A saved scenario of the caller; its times are ISO 8601 UTC. */
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

/** Largest scenario file, in UTF-16 units. */
export const longestScenarioFile = 65_536

/** A scenario file as YAML or JSON text. */
export const ScenarioFile = Schema.Struct({
  file: Schema.String.pipe(Schema.maxLength(longestScenarioFile))
}).annotations({ identifier: "ScenarioFile" })

/** One error in a scenario file; lines and columns count from 1. */
export const ScenarioProblem = Schema.Struct({
  line: Schema.Int,
  column: Schema.Int,
  /** Path of field names, e.g. `faults.0.seconds`; empty: the file as a whole. */
  path: Schema.String,
  message: Schema.String
}).annotations({ identifier: "ScenarioProblem" })
export type ScenarioProblem = typeof ScenarioProblem.Type

/** Whether a scenario file is valid, and all its problems. */
export const ScenarioValidation = Schema.Struct({
  valid: Schema.Boolean,
  problems: Schema.Array(ScenarioProblem),
  /** The decoded scenario; null when there are problems. */
  scenario: Schema.NullOr(ScenarioDraft)
}).annotations({ identifier: "ScenarioValidation" })
export type ScenarioValidation = typeof ScenarioValidation.Type

/** A stage of a dry run: what it would do. */
export const PlannedStage = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  actor: Schema.Literal("us", "partner", "operator", "clock"),
  /** The action in short, e.g. `POST commands/START_SESSION`. */
  does: Schema.String,
  writes: Schema.Boolean,
  timeoutSeconds: Schema.Int,
  /** The request that would be sent; null where there is none, or where it depends on an earlier answer. */
  request: Schema.NullOr(
    Schema.Struct({
      method: Schema.String,
      url: Schema.String,
      body: Schema.optionalWith(Schema.Unknown, { exact: true })
    })
  ),
  /** What the request depends on, when `request` is null for that reason; otherwise null. */
  dependsOn: Schema.NullOr(Schema.String),
  assertions: Schema.Array(Schema.Struct({ id: Schema.String, strength: Strength })),
  /** Faults that are injected at this stage. */
  faults: Schema.Array(ScenarioFaultId)
}).annotations({ identifier: "PlannedStage" })
export type PlannedStage = typeof PlannedStage.Type

/** What a run would do, with no request sent. `reasons` say why it is not `runnable`. */
export const DryRun = Schema.Struct({
  templateId: Schema.String,
  runnable: Schema.Boolean,
  reasons: Schema.Array(Schema.String),
  planVersion: Schema.String,
  stages: Schema.Array(PlannedStage),
  /** Faults of our answers, which can occur at any stage. */
  faults: Schema.Array(ScenarioFault)
}).annotations({ identifier: "DryRun" })
export type DryRun = typeof DryRun.Type
