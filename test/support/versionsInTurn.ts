import { Array } from "effect"

/** What is tried in every version by command (`PROOF_VERSIONS=all npm test`), and in one of them otherwise. */
export const playsAllVersions = process.env["PROOF_VERSIONS"] === "all"

/** One of each group, which is the same case in several versions: the first group gives its first, the second its second. */
export function versionsInTurn<A>(cases: ReadonlyArray<A>, groupOf: (one: A) => string): ReadonlyArray<A> {
  if (playsAllVersions) return cases
  return Object.values(Array.groupBy(cases, groupOf)).map((group, turn) => group[turn % group.length]!)
}
