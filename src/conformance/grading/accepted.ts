/** What an accepted deviation changes in the assertion of its check. */
import type { Assertion } from "../../../schema/Assertion.ts"
import type { AcceptedDeviation, Profile } from "../../../schema/Suite.ts"
import { notedBy } from "./assertion.ts"

/**
 * Applies an accepted deviation to an assertion. A failure becomes a warning until the acceptance expires, and stays a
 * failure afterwards. A pass notes that the acceptance can be withdrawn, which is a warning in the strict profile. Other
 * outcomes are left unchanged. Pure.
 *
 * `at`: ISO 8601 UTC; compared with the expiry.
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
  if (isOver(expires, at)) return noted(assertion, `the acceptance by ${owner} ended with ${expires}`)
  return noted(
    { ...assertion, outcome: "warned" },
    `accepted by ${owner} until ${expires} (${reason}), otherwise ${assertion.outcome}`
  )
}

function noted(assertion: Assertion, note: string): Assertion {
  return {
    ...assertion,
    message: assertion.message === undefined ? note : `${note}: ${assertion.message}`,
    note: assertion.note === undefined ? note : `${note}. ${assertion.note}`
  }
}

/** An expiry without a time of day includes the whole day. */
function isOver(expires: string, at: string): boolean {
  return expires.length === "2026-12-31".length
    ? at.slice(0, expires.length) > expires
    : Date.parse(at) > Date.parse(expires)
}
