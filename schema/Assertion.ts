/** One judgement about exchanges, and how judgements add up. */
import { Schema } from "effect"

export const Strength = Schema.Literal("must", "should", "may").annotations({ identifier: "Strength" })
export type Strength = typeof Strength.Type

/** `error` is ours and never counts against the partner. */
export const Outcome = Schema.Literal(
  "passed",
  "failed",
  "warned",
  "unobservable",
  "not_tested",
  "not_applicable",
  "error"
).annotations({ identifier: "Outcome" })
export type Outcome = typeof Outcome.Type

export const Assertion = Schema.Struct({
  /** Unique in the run: `<stage>.<rule>` in journeys, the check id in conformance. */
  id: Schema.String,
  checkId: Schema.optionalWith(Schema.String, { exact: true }),
  title: Schema.String,
  outcome: Outcome,
  strength: Strength,
  /** OCPI document and section, e.g. `mod_sessions, Session Object`. */
  reference: Schema.String,
  /** JSON Pointer into the judged body; empty string = the whole. */
  pointer: Schema.optionalWith(Schema.String, { exact: true }),
  expected: Schema.optionalWith(Schema.String, { exact: true }),
  actual: Schema.optionalWith(Schema.String, { exact: true }),
  message: Schema.optionalWith(Schema.String, { exact: true }),
  /** Why it was not tested or could not be observed. */
  reason: Schema.optionalWith(Schema.String, { exact: true }),
  /** How the partner can mend it. */
  hint: Schema.optionalWith(Schema.String, { exact: true }),
  module: Schema.optionalWith(Schema.String, { exact: true }),
  /** Exchanges that were judged. */
  exchangeIds: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** A line to reproduce; the secret is a variable's name. */
  curl: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "Assertion" })
export type Assertion = typeof Assertion.Type

/** `total` = passed + failed + warned; the others are told apart from what was graded. */
export const Summary = Schema.Struct({
  total: Schema.Int,
  passed: Schema.Int,
  failed: Schema.Int,
  warned: Schema.Int,
  unobservable: Schema.Int,
  notTested: Schema.Int,
  notApplicable: Schema.Int,
  errored: Schema.Int
}).annotations({ identifier: "Summary" })
export type Summary = typeof Summary.Type

export const Verdict = Schema.Literal("pass", "warn", "fail", "inconclusive").annotations({
  identifier: "Verdict"
})
export type Verdict = typeof Verdict.Type
