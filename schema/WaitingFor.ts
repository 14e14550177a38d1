/** The party that a run waits for, the event that it waits for, and the deadline. */
import { Schema } from "effect"
import { Actor } from "./Journey.ts"

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
  /** What has to happen, as one sentence with the party that has to do it as its subject. */
  instruction: Schema.String,
  deadline: Schema.String,
  /** When the wait began, where the run recorded it; ISO 8601 UTC. */
  since: Schema.optionalWith(Schema.String, { exact: true }),
  /** One sentence for each message that came and almost satisfied the wait: what did not fit. */
  nearMisses: Schema.Array(Schema.String),
  /** The expected request, where it is known beforehand. */
  expects: Schema.optionalWith(ExpectedRequest, { exact: true }),
  /** Of a question to an operator: the answers to choose from. */
  answers: Schema.optionalWith(Schema.Array(Schema.String), { exact: true })
}).annotations({ identifier: "WaitingFor" })
export type WaitingFor = typeof WaitingFor.Type
