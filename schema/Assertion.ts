/** One judgement about exchanges, and the counts and the verdict of a run. */
import { Schema } from "effect"

/** How binding a rule is: a broken `must` is `failed`, a broken `should` is `warned`, a broken `may` is only noted. */
export const Strength = Schema.Literal("must", "should", "may").annotations({ identifier: "Strength" })
export type Strength = typeof Strength.Type

/** Outcome of an assertion. `error` is a fault of ours and never counts against the partner. */
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

/** The result of one check or one of a journey's rules, as it stands in the ledger and in reports. */
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
  /** Why the check was not tested or could not be observed. */
  reason: Schema.optionalWith(Schema.String, { exact: true }),
  /** How the partner can fix it. */
  hint: Schema.optionalWith(Schema.String, { exact: true }),
  module: Schema.optionalWith(Schema.String, { exact: true }),
  /** Ids of the exchanges that were judged. */
  exchangeIds: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** A curl command that repeats the request; a shell variable stands for the secret. */
  curl: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "Assertion" })
export type Assertion = typeof Assertion.Type

/** Counts of assertions. `total` = passed + failed + warned; the other counts were not graded. */
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

/**
 * Result of a run: `fail` with any failure; `inconclusive` when too little was graded; `warn` with any warning; else
 * `pass`.
 */
export const Verdict = Schema.Literal("pass", "warn", "fail", "inconclusive").annotations({
  identifier: "Verdict"
})
export type Verdict = typeof Verdict.Type
