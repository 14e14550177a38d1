/** The differences between two runs of one kind, check by check. */
import { Schema } from "effect"
import { Outcome, Strength } from "../Assertion.ts"
import { RunReport } from "../RunReport.ts"

/** One check in both runs; null where a run has no result for it. */
export const CheckChange = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  module: Schema.optionalWith(Schema.String, { exact: true }),
  strength: Strength,
  before: Schema.NullOr(Outcome),
  after: Schema.NullOr(Outcome),
  /** The message of the later run, or why it has no result. */
  message: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "CheckChange" })
export type CheckChange = typeof CheckChange.Type

/** Graded = passed, failed or warned. A check is in one list at most; a check in none is unchanged. */
export const RunComparison = Schema.Struct({
  before: RunReport,
  after: RunReport,
  /** Failed now; passed, warned or not graded before. */
  newlyFailing: Schema.Array(CheckChange),
  /** Failed before; passed or warned now. */
  fixed: Schema.Array(CheckChange),
  stillFailing: Schema.Array(CheckChange),
  /** Graded before, also as failed; not graded now. */
  noLongerGraded: Schema.Array(CheckChange),
  /** Not graded before; passed or warned now. */
  newlyGraded: Schema.Array(CheckChange),
  /** Checks that are in none of the lists. */
  unchanged: Schema.Int
}).annotations({ identifier: "RunComparison" })
export type RunComparison = typeof RunComparison.Type
