/** Whose turn it is after a run that did not pass, and for how many checks. Pure. */
import type { Assertion, Attribution, Verdict } from "../../schema/Assertion.ts"
import { attributionOf, isRequired } from "./unjudged.ts"

/** What one party has to look at. */
export interface Turn {
  readonly party: Attribution
  /** Checks that failed by what it did. */
  readonly failed: number
  /** Checks of must rules that could not be judged for a reason of its. */
  readonly unjudged: number
  /** All of it in one sentence. */
  readonly words: string
}

/** In the order in which they are named where they have the same number of checks. */
const parties: ReadonlyArray<readonly [Attribution, who: string]> = [
  ["partner", "It is the partner's turn"],
  ["ours", "It is plugfest's turn"],
  ["network", "It is the turn of a third host or the network"],
  ["operator", "It is the turn of whoever runs the test"],
  ["ambiguous", "It is nobody's turn, because the text of OCPI has two readings"]
]

/** The turns, that with most failures first. None for a run that passed or goes on. */
export function turnsOf(checks: ReadonlyArray<Assertion>, verdict: Verdict | null): ReadonlyArray<Turn> {
  if (verdict !== "fail" && verdict !== "inconclusive") return []
  const turns = parties
    .map(([party, who]) => {
      const its = checks.filter((check) => attributionOf(check) === party)
      const failed = its.filter(({ outcome }) => outcome === "failed").length
      const unjudged = its.filter(isRequired).length
      return { party, failed, unjudged, words: `${who}: ${inWords(failed, unjudged)}` }
    })
    .filter(({ failed, unjudged }) => failed + unjudged > 0)
    .toSorted((a, b) => b.failed - a.failed || b.unjudged - a.unjudged)
  return turns.length > 0
    ? turns
    : [
        {
          party: "operator",
          failed: 0,
          unjudged: 0,
          words: "It is the turn of whoever runs the test: run it again"
        }
      ]
}

const inWords = (failed: number, unjudged: number): string =>
  [
    ...(failed === 0 ? [] : [`${failed} ${failed === 1 ? "check" : "checks"} failed`]),
    ...(unjudged === 0 ? [] : [`${unjudged} must ${unjudged === 1 ? "rule" : "rules"} could not be judged`])
  ].join(", ")
