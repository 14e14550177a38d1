/** Grades a stage: each of its rules becomes one assertion. Pure. */

import type { Assertion, Attribution, Outcome, Strength } from "../../../schema/Assertion.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import { uninvited } from "../../findings/calledPath.ts"
import { partnerWords } from "../../findings/partnerWords.ts"
import { hintOfRefusal } from "../../findings/refusalReadings.ts"
import { inWords } from "../../findings/words.ts"
import { curlLine } from "../../reports/curl.ts"
import { awayReason, awaySince, stageAway, waitBroken } from "../model/absence.ts"
import type { JourneyStage, Rule, Ruling } from "../model/JourneyTemplate.ts"
import {
  exchangesOf,
  inboundOf,
  lastOfWaits,
  type RunHistory,
  unreadIn,
  whyNotBegun
} from "../model/RunHistory.ts"
import { notLookedAtIn } from "../model/rulings.ts"
import { callIn, hintOfMissed, type Missed, missedIn, saysTheSameAgain } from "./missedMessage.ts"

/** Why a stage cannot be graded: it was not carried out, or we lost its outcome. */
export interface Gap {
  readonly outcome: "not_tested" | "unobservable"
  readonly reason: string
  /** Whose act that is; undefined: as `usualAttribution` says. */
  readonly attribution?: Attribution
  /** Later stages can run all the same. */
  readonly goesOn?: true
  /** No later stage can run. */
  readonly ends?: true
}

/**
 * The gap as it is when we were away since the request that triggers what the stage needs: what is missing may have been sent
 * then, so that the partner is not named for it.
 */
export function gapAfterAbsence(stage: JourneyStage, history: RunHistory, gap?: Gap): Gap | undefined {
  const absence = gap?.attribution === "partner" ? stageAway(history, stage) : undefined
  return gap === undefined || absence === undefined
    ? gap
    : { ...gap, attribution: "ours", reason: `${awayReason(absence)}. ${gap.reason}` }
}

/** The assertions of a stage, in the order of its rules. A rule that throws yields the outcome `error`. */
export function gradeStage(stage: JourneyStage, history: RunHistory, gap?: Gap): ReadonlyArray<Assertion> {
  const exchanges = exchangesOf(history, stage.id)
  const exchangeIds = exchanges.map(({ id }) => id)
  const almost = nearMissesOf(stage, history)
  const shown = exchanges.at(-1) ?? callIn(stage, history)
  const missed = missedIn(stage, history)
  return stage.expect.map((rule) => ({
    id: rule.id,
    ...(rule.checkId === undefined ? {} : { checkId: rule.checkId }),
    title: rule.title,
    strength: rule.strength,
    reference: rule.reference,
    ...(stage.module === null ? {} : { module: stage.module }),
    ...(exchangeIds.length === 0 ? {} : { exchangeIds }),
    ...actionable(
      rule,
      { shown, missed },
      attributed(
        gap === undefined
          ? excused(stage, rule, history, naming(almost, history, outcomeOf(rule, history)))
          : {
              outcome: gap.outcome,
              reason: gap.reason,
              ...(gap.attribution === undefined ? {} : { attribution: gap.attribution })
            },
        exchanges
      )
    )
  }))
}

/** Adds to a failure or warning what its rule requires, what to change, and a request to repeat it with. */
function actionable(
  { title }: Rule,
  { missed, shown }: { readonly missed: Missed | undefined; readonly shown: Exchange | undefined },
  graded: Graded
): Graded {
  if (graded.outcome !== "failed" && graded.outcome !== "warned") return graded
  const repeated = missed?.refused ?? (missed?.curl === undefined ? shown : undefined)
  const curl = repeated === undefined ? missed?.curl : curlLine(repeated)
  return {
    ...graded,
    expected: graded.expected ?? title,
    hint: graded.hint ?? hintOf(shown) ?? hintOfMissed(missed) ?? hintOfField(graded, title),
    ...(curl === undefined ? {} : { curl })
  }
}

/** The field to change, and what it has to be, where the flaw is in one. */
const hintOfField = ({ expected, pointer = "" }: Graded, title: string): string => {
  const field = pointer.replace(/^\/(?:data\/)?/, "").replaceAll("/", ".")
  return field === "" || expected === undefined || expected === title
    ? `Change it so that this holds: ${title}.`
    : `Send in ${field} what is expected there, ${expected}, so that this holds: ${title}.`
}

/** What a refusal of the partner's is likely to mean. */
const hintOf = (shown: Exchange | undefined): string | undefined =>
  shown?.direction === "outbound" && shown.response !== null ? hintOfRefusal(shown.response) : undefined

/** Adds whose act the outcome is, and to a failure or warning the words of the partner's last refusal in the stage. */
function attributed(graded: Graded, exchanges: ReadonlyArray<Exchange>): Graded {
  const attribution = graded.attribution ?? usualAttribution[graded.outcome]
  if (attribution === undefined) return graded
  const said =
    attribution === "partner"
      ? exchanges
          .filter(({ direction }) => direction === "outbound")
          .flatMap(({ response }) => partnerWords(response) ?? [])
          .at(-1)
      : undefined
  return { ...graded, attribution, ...(said === undefined ? {} : { partnerSaid: said }) }
}

/**
 * The attribution of an outcome that names none. What could not be observed was lost while we were away, or is larger than what
 * we keep; what was not tested follows from what the partner sent, answered or has.
 */
const usualAttribution: Readonly<Partial<Record<Outcome, Attribution>>> = {
  failed: "partner",
  warned: "partner",
  unobservable: "ours",
  not_tested: "partner",
  error: "ours"
}

type Graded = Partial<Assertion> & { readonly outcome: Outcome }

/** The near misses of the stage's last wait, if it expired. */
function nearMissesOf({ id }: JourneyStage, history: RunHistory): ReadonlyArray<string> {
  const last = lastOfWaits(history, id)
  return last?.type === "wait.expired" ? [...new Set(last.data?.nearMisses)] : []
}

/** How many near misses a message names. */
const mostNamed = 5

/** Adds the near misses to the message of a failure or warning. */
function naming(almost: ReadonlyArray<string>, history: RunHistory, graded: Graded): Graded {
  if (almost.length === 0 || (graded.outcome !== "failed" && graded.outcome !== "warned")) return graded
  const shown = almost.filter((miss) => !saysTheSameAgain(miss, history)).slice(-mostNamed)
  const strays = inboundOf(history).map((exchange) => uninvited(exchange, history.profile))
  return {
    ...(shown.some((miss) => strays.includes(miss)) ? { hint: toOfferedUrls } : {}),
    ...graded,
    message: `${graded.message ?? "No such message came in time"}. Almost: ${shown.join("; ")}`
  }
}

const toOfferedUrls =
  "Take the URL of each endpoint from our version details, and append to it only what the module says."

const isFlawed = ({ outcome }: Graded): boolean => outcome === "failed" || outcome === "warned"

/** Outcomes that a missing message can cause. */
const missing: ReadonlyArray<Outcome> = ["failed", "warned", "not_tested"]

/**
 * What the partner did not look at is not judged. A missing message is `unobservable` if the partner may have sent it while we were
 * away, or in a body too large for us.
 */
function excused(stage: JourneyStage, rule: Rule, history: RunHistory, graded: Graded): Graded {
  const unseen =
    graded.outcome === "failed" || graded.outcome === "warned" ? notLookedAtIn(history, stage.id) : undefined
  // What could not be seen for want of a connection leaves the verdict open.
  if (unseen !== undefined)
    return { outcome: unseen.attribution === "network" ? "unobservable" : "not_tested", ...unseen }
  const setOffBy =
    graded.outcome === "failed" || graded.outcome === "warned"
      ? rule.setOffBy?.(history)
      : graded.outcome === "not_tested" && stage.act.act === "await"
        ? stage.setOffBy?.(history)
        : undefined
  const notBegun = rule.begunByPerson === true && isFlawed(graded) ? whyNotBegun(stage, history) : undefined
  const absence =
    setOffBy !== undefined
      ? awaySince(history, setOffBy)
      : stage.setOffBy === undefined && missing.includes(graded.outcome)
        ? waitBroken(history, stage.id)
        : undefined
  const unread =
    absence === undefined && missing.includes(graded.outcome) ? unreadIn(history, stage) : undefined
  if (absence === undefined && unread === undefined)
    return notBegun === undefined
      ? graded
      : { outcome: "unobservable", reason: notBegun, attribution: "operator" }
  const found = graded.message ?? graded.reason
  const reason = absence === undefined ? `Too large for us to judge: ${unread}` : awayReason(absence)
  return { outcome: "unobservable", reason: found === undefined ? reason : `${reason}. ${found}` }
}

/** A scenario may have weakened the rule further than its weaker part. */
const weakest = (...strengths: ReadonlyArray<Strength>): Strength =>
  (["may", "should"] as const).find((one) => strengths.includes(one)) ?? "must"

function outcomeOf(rule: Rule, history: RunHistory): Graded {
  let ruling: Ruling
  try {
    ruling = rule.judge(history)
  } catch (cause) {
    return {
      outcome: "error",
      message: `Our rule failed: ${cause instanceof Error ? cause.message : inWords(cause)}`
    }
  }
  if (ruling === undefined) return { outcome: "passed" }
  if ("unobservable" in ruling) {
    const { attribution, unobservable } = ruling
    return {
      outcome: "unobservable",
      reason: unobservable,
      ...(attribution === undefined ? {} : { attribution })
    }
  }
  if ("notTested" in ruling) return { outcome: "not_tested", reason: ruling.notTested }
  if ("notApplicable" in ruling) return { outcome: "not_applicable", reason: ruling.notApplicable }
  // A broken `may` is noted, and passes.
  const outcomes = { must: "failed", should: "warned", may: "passed" } as const
  const strength = weakest(rule.strength, ruling.strength ?? rule.strength)
  return { ...ruling, outcome: outcomes[strength], strength }
}
