/** Judging a stage: each of its rules becomes one assertion. Pure. */
import type { Assertion, Outcome } from "../../../schema/Assertion.ts"
import { awayReason, awaySince, waitBroken } from "../model/absence.ts"
import type { JourneyStage, Rule, Ruling } from "../model/JourneyTemplate.ts"
import { exchangesOf, type RunHistory, unreadIn } from "../model/RunHistory.ts"

/** Why nothing can be said: it was never done, or what came of it was lost on our side. */
export interface Gap {
  readonly outcome: "not_tested" | "unobservable"
  readonly reason: string
  /** Later stages do not depend on what is missing here. */
  readonly goesOn?: true
}

/** Assertions of a stage, in the order of its rules. A rule that throws is our fault and says so. */
export function gradeStage(stage: JourneyStage, history: RunHistory, gap?: Gap): ReadonlyArray<Assertion> {
  const exchangeIds = exchangesOf(history, stage.id).map(({ id }) => id)
  const almost = nearMissesOf(stage, history)
  return stage.expect.map((rule) => ({
    id: rule.id,
    ...(rule.checkId === undefined ? {} : { checkId: rule.checkId }),
    title: rule.title,
    strength: rule.strength,
    reference: rule.reference,
    ...(stage.module === null ? {} : { module: stage.module }),
    ...(exchangeIds.length === 0 ? {} : { exchangeIds }),
    ...(gap === undefined
      ? excused(stage, rule, history, naming(almost, outcomeOf(rule, history)))
      : { outcome: gap.outcome, reason: gap.reason })
  }))
}

type Graded = Partial<Assertion> & { readonly outcome: Outcome }

/** What almost fit, where the stage's wait ended without what it was for. */
function nearMissesOf({ id }: JourneyStage, { events }: RunHistory): ReadonlyArray<string> {
  const last = events.findLast(({ stageId, type }) => stageId === id && type.startsWith("wait."))
  const misses = last?.type === "wait.expired" ? last.data?.["nearMisses"] : undefined
  return Array.isArray(misses) ? [...new Set(misses.map(String))] : []
}

/** More than these say no more. */
const mostNamed = 5

/** What did not come in time says what came instead. */
function naming(almost: ReadonlyArray<string>, graded: Graded): Graded {
  if (almost.length === 0 || (graded.outcome !== "failed" && graded.outcome !== "warned")) return graded
  const named = almost.slice(-mostNamed).join("; ")
  return { ...graded, message: `${graded.message ?? "It did not come in time"}. Almost: ${named}` }
}

/** Outcomes of a rule that did not find what it looks for. */
const missing: ReadonlyArray<Outcome> = ["failed", "warned", "not_tested"]

/** What the partner may have sent while we were away, or what we could not read, is neither missed nor held against it. */
function excused(stage: JourneyStage, rule: Rule, history: RunHistory, graded: Graded): Graded {
  const setOffBy =
    graded.outcome === "failed" || graded.outcome === "warned"
      ? rule.setOffBy?.(history)
      : graded.outcome === "not_tested" && stage.act.act === "await"
        ? stage.setOffBy?.(history)
        : undefined
  const absence =
    setOffBy !== undefined
      ? awaySince(history, setOffBy)
      : stage.setOffBy === undefined && missing.includes(graded.outcome)
        ? waitBroken(history, stage.id)
        : undefined
  const unread =
    absence === undefined && missing.includes(graded.outcome) ? unreadIn(history, stage) : undefined
  if (absence === undefined && unread === undefined) return graded
  const found = graded.message ?? graded.reason
  const reason = absence === undefined ? `Too large for us to judge: ${unread}` : awayReason(absence)
  return { outcome: "unobservable", reason: found === undefined ? reason : `${reason}. ${found}` }
}

function outcomeOf(rule: Rule, history: RunHistory): Graded {
  let ruling: Ruling
  try {
    ruling = rule.judge(history)
  } catch (cause) {
    return { outcome: "error", message: `Our rule failed: ${String(cause)}` }
  }
  if (ruling === undefined) return { outcome: "passed" }
  if ("unobservable" in ruling) return { outcome: "unobservable", reason: ruling.unobservable }
  if ("notTested" in ruling) return { outcome: "not_tested", reason: ruling.notTested }
  // What may be otherwise is noted, and counts for nothing.
  const outcomes = { must: "failed", should: "warned", may: "passed" } as const
  return { outcome: outcomes[rule.strength], ...ruling }
}
