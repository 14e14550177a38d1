/** Deviations that are agreed for a time: what they make of a graded check. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { AcceptedDeviation, Profile } from "../../../schema/Suite.ts"
import { notedBy } from "./grade.ts"

/**
 * The assertion in the light of an agreement about it. A failure counts as a warning until the agreement expires, and
 * in full afterwards; a rule that is kept is told to be kept, which in the strict profile is a warning: an agreement about
 * nothing is to be taken back. What was not graded stays as it is. Pure.
 *
 * `at`: when the run judges, ISO 8601 UTC.
 */
export const inLightOf = (
  assertion: Assertion,
  accepted: AcceptedDeviation | undefined,
  at: string,
  profile: Profile = "lenient"
): Assertion => {
  if (accepted === undefined) return assertion
  const { expires, owner, reason } = accepted
  if (assertion.outcome === "passed" && assertion.message?.startsWith(notedBy) === true) return assertion
  if (assertion.outcome === "passed")
    return noted(
      profile === "strict" ? { ...assertion, outcome: "warned" } : assertion,
      "the accepted deviation no longer happens; it can be taken back"
    )
  if (assertion.outcome !== "failed" && assertion.outcome !== "warned") return assertion
  if (isOver(expires, at)) return noted(assertion, `its acceptance by ${owner} ended with ${expires}`)
  return noted(
    { ...assertion, outcome: "warned" },
    `accepted by ${owner} until ${expires} (${reason}), otherwise ${assertion.outcome}`
  )
}

function noted(assertion: Assertion, note: string): Assertion {
  return {
    ...assertion,
    message: assertion.message === undefined ? note : `${note}: ${assertion.message}`
  }
}

/** A day lasts until its end. */
function isOver(expires: string, at: string): boolean {
  return expires.length === "2026-12-31".length
    ? at.slice(0, expires.length) > expires
    : Date.parse(at) > Date.parse(expires)
}
