/** One judgement about exchanges, and the counts and the verdict of a run. */
import { Schema } from "effect"
import { Need } from "./Need.ts"

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

/**
 * Whose act decides what comes of an assertion that did not pass. `partner`: what the partner did. `ours`: a fault or a limit of
 * ours. `network`: a connection, a name server or a host of a third party. `operator`: an act that nobody did, such as a charge,
 * a second registration, or an order that names the check. `ambiguous`: the OCPI text can be read in two ways.
 */
export const Attribution = Schema.Literal("partner", "ours", "network", "operator", "ambiguous").annotations({
  identifier: "Attribution"
})
export type Attribution = typeof Attribution.Type

/**
 * Why a check could not be judged: a precondition that was not met. At least one of `check` and `exchangeId` is given.
 */
export const BlockedBy = Schema.Struct({
  /** Id of the check that reports the same. */
  check: Schema.optionalWith(Schema.String, { exact: true }),
  /** The exchange that shows it. */
  exchangeId: Schema.optionalWith(Schema.String, { exact: true }),
  /** What was needed and what came, in words: `PUT token was answered HTTP 422`. */
  what: Schema.String
}).annotations({ identifier: "BlockedBy" })
export type BlockedBy = typeof BlockedBy.Type

/** Two ways to read the OCPI text, and the document and section that leave it open. */
export const Ambiguity = Schema.Struct({
  readings: Schema.Tuple(Schema.String, Schema.String),
  section: Schema.String
}).annotations({ identifier: "Ambiguity" })
export type Ambiguity = typeof Ambiguity.Type

/** One place at which something is wrong. */
export const FindingPlace = Schema.Struct({
  /** JSON Pointer into the judged body; empty string = the whole. */
  pointer: Schema.optionalWith(Schema.String, { exact: true }),
  /** The ids of the object and of its parts around the place: `LOC1`, or `LOC1, EVSE 3256`. */
  object: Schema.optionalWith(Schema.String, { exact: true }),
  /** Where it is another one than that of the kind. */
  expected: Schema.optionalWith(Schema.String, { exact: true }),
  actual: Schema.optionalWith(Schema.String, { exact: true }),
  exchangeId: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "FindingPlace" })
export type FindingPlace = typeof FindingPlace.Type

/** Findings of one kind: one sentence, and each place of which it is true. */
export const FindingKind = Schema.Struct({
  /** The sentence, of the first place. */
  message: Schema.String,
  strength: Strength,
  expected: Schema.optionalWith(Schema.String, { exact: true }),
  /** What the partner has to change, where it is another thing than for the check. */
  hint: Schema.optionalWith(Schema.String, { exact: true }),
  /** A curl command that repeats the request of the first place. */
  curl: Schema.optionalWith(Schema.String, { exact: true }),
  /** How many findings of this kind there are. */
  count: Schema.Int,
  /** All of them, unless those of the check have more than 8 MiB: then the first 8 MiB of the check, and three of each kind. */
  places: Schema.Array(FindingPlace)
}).annotations({ identifier: "FindingKind" })
export type FindingKind = typeof FindingKind.Type

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
  /** What decides the outcome beside the findings: the lenient profile, an accepted deviation, a text with two readings. */
  note: Schema.optionalWith(Schema.String, { exact: true }),
  /** Why the check was not tested or could not be observed. */
  reason: Schema.optionalWith(Schema.String, { exact: true }),
  /** Absent in runs of earlier releases, and where nothing has to be attributed: `passed` and `not_applicable`. */
  attribution: Schema.optionalWith(Attribution, { exact: true }),
  /** With `not_tested`: the precondition that was not met. */
  blockedBy: Schema.optionalWith(BlockedBy, { exact: true }),
  /** With the attribution `ambiguous`: both readings. */
  ambiguity: Schema.optionalWith(Ambiguity, { exact: true }),
  /** What the partner's refusal says of itself, at most 300 characters: its own words, not ours. */
  partnerSaid: Schema.optionalWith(Schema.String, { exact: true }),
  /** Every finding, grouped by kind, the weightiest first. */
  findings: Schema.optionalWith(Schema.Array(FindingKind), { exact: true }),
  /** Ids of other checks: where one of them failed too, this failure is a consequence of that. */
  consequenceOf: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /** Of a check that was not judged: what it needs that was not there. */
  need: Schema.optionalWith(Need, { exact: true }),
  /** The order left that need out: the check does not count for the verdict. */
  notAskedFor: Schema.optionalWith(Schema.Literal(true), { exact: true }),
  /** How the partner can fix it. */
  hint: Schema.optionalWith(Schema.String, { exact: true }),
  module: Schema.optionalWith(Schema.String, { exact: true }),
  /** Ids of the exchanges that were judged. */
  exchangeIds: Schema.optionalWith(Schema.Array(Schema.String), { exact: true }),
  /**
   * A curl command that repeats the request, ours or the partner's; a shell variable stands for the secret, and a file named
   * after the exchange for a body of more than 2000 characters.
   */
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

/**
 * Begins the reason of each check of a run that could not begin: the partner accepted the token of the registration before, and
 * knows it no more. Only a new registration helps.
 */
export const registrationForgotten = "The partner has lost the registration"

/** Begins the reason of a check that does not apply because the partner's version details have no such endpoint. */
export const unlistedInterface = "The partner's version details list no"
