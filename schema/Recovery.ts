/** What a caller can decide about an interrupted run. */
import { Schema } from "effect"

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

export const RecoveryOption = Schema.Struct({
  decision: Decision,
  label: Schema.String,
  description: Schema.String,
  recommended: Schema.Boolean,
  /** Requests that will be sent again, e.g. `POST commands/START_SESSION`. */
  repeats: Schema.Array(Schema.String)
}).annotations({ identifier: "RecoveryOption" })
export type RecoveryOption = typeof RecoveryOption.Type
