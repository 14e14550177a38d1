/** Judging what the partner sent by itself: the calls that a rule is about, or why there are none. */
import { uninvited } from "../../findings/calledPath.ts"
import type { Finding } from "../../findings/Flaw.ts"
import { inconclusive, type Judgement, noneOf } from "./Check.ts"
import type { Evidence, Observation } from "./Evidence.ts"
import type { Source } from "./Probe.ts"

/** An OBS rule: the calls that it is about, and what is wrong with them. */
interface Observing {
  readonly source: Source
  /** Is the rule about this call? */
  readonly matches: (seen: Observation, evidence: Evidence) => boolean
  /** A near miss: what was wrong with a call that almost matched, in a sentence. */
  readonly nearMiss?: (seen: Observation, evidence: Evidence) => string | undefined
  /** What the operator can do so that it can be observed. */
  readonly provoke: string
  /** What is wrong with the calls; all of them match. */
  readonly findings: (seen: ReadonlyArray<Observation>, evidence: Evidence) => ReadonlyArray<Finding>
}

/** Near misses that a reason names. */
const namedMisses = 3

/** The `judge` of an OBS check: unobservable with what to do and what almost was, or graded on all calls that match. */
export const observed =
  ({ findings, matches, nearMiss, provoke, source }: Observing) =>
  (evidence: Evidence): Judgement => {
    const calls = evidence.seen(source)
    const inbound = calls.filter(({ exchange }) => exchange.direction === "inbound")
    const fitting = inbound.filter((seen) => matches(seen, evidence))
    if (fitting.length > 0) return noneOf(findings(fitting, evidence), `${fitting.length} calls looked at`)
    const misses = inbound.flatMap((seen) => missOf(seen, evidence, nearMiss))
    return inconclusive("unobservable", `${provoke}${missed(misses)}`)
  }

/** Why a call was not the awaited one: by its rule, or because it came where no call can be. */
export const missOf = (
  seen: Observation,
  evidence: Evidence,
  nearMiss: Observing["nearMiss"]
): ReadonlyArray<string> => {
  const miss = nearMiss?.(seen, evidence) ?? uninvited(seen.exchange, evidence.profile)
  return miss === undefined ? [] : [miss]
}

/** The end of a reason: the near misses; empty when there are none. */
export const missed = (misses: ReadonlyArray<string>): string =>
  misses.length === 0 ? "" : `. Near misses: ${[...new Set(misses)].slice(0, namedMisses).join("; ")}`
