/** What a fault is told as: the causes of the report, and the findings beside them. */
import type { Assertion } from "../../schema/Assertion.ts"
import { causesOf } from "../../src/reports/causes.ts"

/** The checks that failed or warned, by the cause of the report that each is part of; one that stands alone is its own. */
export const toldApart = (assertions: ReadonlyArray<Assertion>): ReadonlyArray<ReadonlyArray<string>> => {
  const causes = causesOf(assertions)
    .map(({ found }) => found)
    .filter(({ length }) => length > 0)
  const joined = new Set(causes.flat())
  const alone = assertions
    .filter(({ id, outcome }) => (outcome === "failed" || outcome === "warned") && !joined.has(id))
    .map(({ id }) => [id])
  return [...causes, ...alone]
}
