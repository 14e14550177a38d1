/** The decisions that a caller can make about an interrupted run. */
import { Schema } from "effect"

/** How an interrupted run goes on or ends; only decisions that are offered for the run are accepted. */
export const Decision = Schema.Literal(
  "resume",
  "verify_and_resume",
  "retry_stage",
  "skip_stage",
  "restart_as_new",
  "finish",
  "abandon"
).annotations({ identifier: "Decision" })
export type Decision = typeof Decision.Type

/** A decision that is offered for a run now. */
export const RecoveryOption = Schema.Struct({
  decision: Decision,
  label: Schema.String,
  description: Schema.String,
  recommended: Schema.Boolean,
  /** Requests that will be sent again, e.g. `POST commands/START_SESSION`. */
  repeats: Schema.Array(Schema.String)
}).annotations({ identifier: "RecoveryOption" })
export type RecoveryOption = typeof RecoveryOption.Type
