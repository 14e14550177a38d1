/** Journey templates as the catalogue shows them. */
import { Schema } from "effect"
import { Strength } from "./Assertion.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import { Role } from "./ocpi/Role.ts"
import { Scenario, ScenarioFault } from "./Scenario.ts"

/** The actor of a stage: plugfest (`us`), the partner, an operator, or the clock when the stage only waits. */
export const Actor = Schema.Literal("us", "partner", "operator", "clock")
export type Actor = typeof Actor.Type

/** A rule that a stage judges, as the catalogue lists it; `reference` is the OCPI document and section. */
const StageAssertion = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  strength: Strength,
  reference: Schema.String
})

/** A stage of a journey: its actor, its action, its time limit in seconds, and the rules that grade it. */
export const Stage = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  actor: Actor,
  /** OCPI module id, or null where the stage sends and expects nothing (it judges). */
  module: Schema.NullOr(Schema.String),
  description: Schema.String,
  /** The stage creates or changes something at the partner. */
  writes: Schema.Boolean,
  timeoutSeconds: Schema.Int,
  assertions: Schema.Array(StageAssertion)
}).annotations({ identifier: "Stage" })
export type Stage = typeof Stage.Type

/**
 * A journey that can be ordered. `runnable` and `reasons` concern the target of the query; `planVersion`
 * changes with the template and the partner's endpoints.
 */
export const JourneyTemplateView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  supportedVersions: Schema.Array(OcpiVersion),
  stages: Schema.Array(Stage),
  /** One sentence: what holds after the journey. */
  outcome: Schema.String,
  description: Schema.String,
  ourRole: Role,
  /** The state that the connection must be in: not registered, or invited by us. Absent: registered. */
  begins: Schema.optionalWith(Schema.Literal("unregistered", "invited"), { exact: true }),
  planVersion: Schema.String,
  runnable: Schema.Boolean,
  reasons: Schema.Array(Schema.String),
  requiredPlan: Schema.String,
  expectedDurationSeconds: Schema.Int,
  /** JSON Schema of the inputs. */
  inputs: Schema.Record({ key: Schema.String, value: Schema.Unknown })
}).annotations({ identifier: "JourneyTemplate" })
export type JourneyTemplateView = typeof JourneyTemplateView.Type

/** Several templates that are played as one run, in order. */
export const Pack = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: Schema.String,
  outcome: Schema.String,
  ourRole: Role,
  templateIds: Schema.Array(Schema.String),
  /** In each version the pack consists of those of its templates that support it. */
  supportedVersions: Schema.Array(OcpiVersion),
  planVersion: Schema.String,
  runnable: Schema.Boolean,
  reasons: Schema.Array(Schema.String),
  requiredPlan: Schema.String,
  expectedDurationSeconds: Schema.Int,
  /** Faults that plugfest injects on its own side while the pack runs. */
  faults: Schema.Array(ScenarioFault)
}).annotations({ identifier: "Pack" })
export type Pack = typeof Pack.Type

/** Answer to `GET /testing/journeys`; `scenarios` are those of the caller. */
export const JourneyCatalogue = Schema.Struct({
  templates: Schema.Array(JourneyTemplateView),
  packs: Schema.Array(Pack),
  scenarios: Schema.Array(Scenario)
}).annotations({ identifier: "JourneyCatalogue" })
export type JourneyCatalogue = typeof JourneyCatalogue.Type
