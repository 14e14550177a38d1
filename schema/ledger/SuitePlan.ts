/** The plan of a conformance run: stored with the run and on its first line, so that the ledger alone tells what was ordered. */
import { Schema } from "effect"
import { ConnectionId } from "../Ids.ts"
import { Need } from "../Need.ts"
import { AcceptedDeviation, ModuleNotJudged, Profile, SelectionOrder } from "../Suite.ts"

const optional = <A, I, R>(schema: Schema.Schema<A, I, R>) => Schema.optionalWith(schema, { exact: true })

/** Everything that the suite and the connection do not say. Plans are stored for ever: a new field is optional. */
export const SuitePlan = Schema.Struct({
  /** Stages in grading order: modules, or their phases. */
  stages: Schema.Array(Schema.String),
  /** Ids of the checks that were selected. */
  checks: Schema.Array(Schema.String),
  /** By what the order selected them. Absent: an earlier release did not store it. */
  selection: optional(SelectionOrder),
  /** Absent: lenient, and the report names no profile. */
  profile: optional(Profile),
  /** Absent: test. */
  environment: optional(Schema.Literal("test", "production")),
  /** Ids of the RISK checks that the order asked for. Absent: none. */
  risks: optional(Schema.Array(Schema.String)),
  /** What the partner announces and the suite does not judge. Absent: nothing. */
  notJudged: optional(Schema.Array(ModuleNotJudged)),
  /** Kinds of need that the order asked for. Absent: all. */
  needs: optional(Schema.Array(Need)),
  /** How long the run waits for the partner's traffic. Absent: not at all. */
  listenSeconds: optional(Schema.Number),
  /** Our second connection at the same partner. */
  secondConnectionId: optional(ConnectionId),
  /** Accepted deviations of the partner. Absent: none. */
  accept: optional(Schema.Array(AcceptedDeviation))
})
export type SuitePlan = typeof SuitePlan.Type

/** Decodes a stored plan. Who needs one field decodes `SuitePlan.pick` of it: the others may be of a later release. */
export const decodeSuitePlan = Schema.decodeUnknownEither(SuitePlan)
