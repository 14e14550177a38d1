/** Journey templates as the catalogue shows them. */
import { Schema } from "effect"
import { Strength } from "./Assertion.ts"
import { OcpiVersion } from "./ocpi/OcpiVersion.ts"
import { Role } from "./ocpi/Role.ts"
import { Scenario, ScenarioFault } from "./Scenario.ts"

export const Actor = Schema.Literal("us", "partner", "operator", "clock")
export type Actor = typeof Actor.Type

export const StageAssertion = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  strength: Strength,
  reference: Schema.String
})
export type StageAssertion = typeof StageAssertion.Type

export const Stage = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  actor: Actor,
  /** OCPI module id, or null where the stage sends and expects nothing (it judges). */
  module: Schema.NullOr(Schema.String),
  description: Schema.String,
  /** Does it create or change something at the partner? */
  writes: Schema.Boolean,
  timeoutSeconds: Schema.Int,
  assertions: Schema.Array(StageAssertion)
}).annotations({ identifier: "Stage" })
export type Stage = typeof Stage.Type

export const JourneyTemplateView = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  supportedVersions: Schema.Array(OcpiVersion),
  stages: Schema.Array(Stage),
  /** A sentence that says what holds at the end. */
  outcome: Schema.String,
  description: Schema.String,
  ourRole: Role,
  /** How the connection must stand: not registered yet, or with an invitation of ours out. Absent: registered. */
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

export const Pack = Schema.Struct({
  id: Schema.String,
  name: Schema.String,
  description: Schema.String,
  outcome: Schema.String,
  ourRole: Role,
  templateIds: Schema.Array(Schema.String),
  /** In each it has those of its templates that exist there. */
  supportedVersions: Schema.Array(OcpiVersion),
  planVersion: Schema.String,
  runnable: Schema.Boolean,
  reasons: Schema.Array(Schema.String),
  requiredPlan: Schema.String,
  expectedDurationSeconds: Schema.Int,
  /** That we play at the partner meanwhile. */
  faults: Schema.Array(ScenarioFault)
}).annotations({ identifier: "Pack" })
export type Pack = typeof Pack.Type

export const JourneyCatalogue = Schema.Struct({
  templates: Schema.Array(JourneyTemplateView),
  packs: Schema.Array(Pack),
  scenarios: Schema.Array(Scenario)
}).annotations({ identifier: "JourneyCatalogue" })
export type JourneyCatalogue = typeof JourneyCatalogue.Type
