/** What changed between two runs of one kind, check by check. */
import { Schema } from "effect"
import { Outcome, Strength } from "./Assertion.ts"
import { RunReport } from "./RunReport.ts"

/** One check in both runs; null where a run has no result for it. */
export const CheckChange = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  module: Schema.optionalWith(Schema.String, { exact: true }),
  strength: Strength,
  before: Schema.NullOr(Outcome),
  after: Schema.NullOr(Outcome),
  /** What the later run says about it, or why it says nothing. */
  message: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "CheckChange" })
export type CheckChange = typeof CheckChange.Type

/** Graded = passed, failed or warned. A check is in one list at the most; what is in none is as it was. */
export const RunComparison = Schema.Struct({
  before: RunReport,
  after: RunReport,
  /** Failed now, and not before: graded better then, or not graded at all. */
  newlyFailing: Schema.Array(CheckChange),
  /** Failed before; passed or warned now. */
  fixed: Schema.Array(CheckChange),
  stillFailing: Schema.Array(CheckChange),
  /** Graded before, a failure too; nobody knows now. */
  noLongerGraded: Schema.Array(CheckChange),
  /** Not graded before; passed or warned now. */
  newlyGraded: Schema.Array(CheckChange),
  /** Checks that are in none of the lists. */
  unchanged: Schema.Int
}).annotations({ identifier: "RunComparison" })
export type RunComparison = typeof RunComparison.Type
