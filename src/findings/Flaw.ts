/** What is wrong, in words that someone new to OCPI understands. */
import type { Ambiguity, Strength } from "../../schema/Assertion.ts"

/** One thing that is wrong, with the place in the body and the expected and actual values, all as text. */
export interface Flaw {
  /** A whole sentence's worth: what is wrong, where. */
  readonly message: string
  /** JSON Pointer (RFC 6901) into the JSON body that was judged; empty string = the whole. Absent: not about the body. */
  readonly pointer?: string
  readonly expected?: string
  readonly actual?: string
}

/** One thing that is wrong, and where it was seen. */
export interface Finding extends Flaw {
  /** What to change, where it is more telling than the rule's own hint. */
  readonly hint?: string
  /** The exchange that shows it. */
  readonly exchangeId?: string
  /** Where the OCPI text about this can be read in two ways: the finding warns at most in the lenient profile. */
  readonly ambiguous?: Ambiguity
  /** Where a rule has a stronger and a weaker part; absent = the rule's own. */
  readonly strength?: Strength
  /** The request was wrong, and was accepted: that is so whatever is done with a valid one. */
  readonly isWronglyAccepted?: true
}
