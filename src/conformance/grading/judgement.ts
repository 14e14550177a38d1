/** From evidence to a judgement: preconditions and transport faults first, then the check's own judgement. */

import type { BlockedBy } from "../../../schema/Assertion.ts"
import type { Exchange } from "../../../schema/Exchange.ts"
import type { Profile } from "../../../schema/Suite.ts"
import { limitedAnswer, requestName, undelivered } from "../../findings/answers.ts"
import type { Finding } from "../../findings/Flaw.ts"
import { finding } from "../../findings/finding.ts"
import {
  blocked,
  type Check,
  inconclusive,
  type Judgement,
  notGathered,
  type Precondition,
  pass,
  type SuiteScope
} from "../model/Check.ts"
import { type Evidence, hasAnswer, isForWantOf, isWithheld, type Observation } from "../model/Evidence.ts"
import { reportsList, unreadListOf } from "../model/unreadList.ts"
import { blockedLinkFinding, blockedLinksIn, linkNotFollowed } from "./blockedLinks.ts"
import { judgedSoFar, unmet } from "./preconditions.ts"
import { inLightOfSameRefusal } from "./sameRefusal.ts"
import { inLightOfSilence, isUnanswered } from "./sameSilence.ts"

/** How a check is graded, beside the evidence. */
export interface GradingRules {
  readonly scope: SuiteScope
  readonly profile: Profile
  /** The checks of the run: those that another check requires are judged for it, too. */
  readonly checks?: ReadonlyArray<Check>
}

/** What the probes have seen that the check is graded on. */
export const observationsOf = (check: Check, evidence: Evidence, scope: SuiteScope) =>
  check.needs(scope).flatMap((id) => evidence.seen(id))

/** Of those probes, and of those that are judged where they were gathered. */
export const everyObservationOf = (check: Check, evidence: Evidence, scope: SuiteScope) => [
  ...observationsOf(check, evidence, scope),
  ...(check.ifGathered?.(scope) ?? []).flatMap((id) => evidence.seen(id))
]

/** The judgement; where the partner refuses every request alike, one check reports that and blocks the others. */
export function judgementOf(check: Check, evidence: Evidence, rules: GradingRules): Judgement {
  const { checks = [], scope } = rules
  const judge = (one: Check) => judgementOfOne(one, evidence, rules)
  const judgement = unlessUnread(check, judge(check), evidence, rules)
  const run = { checks, scope, judge }
  return inLightOfSilence(check, inLightOfSameRefusal(check, judgement, evidence, run), evidence, run)
}

/** The judgement by itself; a check that had nothing to judge because a list could not be read is blocked by that. */
function judgementOfOne(check: Check, evidence: Evidence, rules: GradingRules): Judgement {
  const judgement = judgementAsGathered(check, evidence, rules)
  return judgement.is === "inconclusive" && judgement.outcome === "not_tested"
    ? blockedByList(check, judgement, evidence, rules)
    : judgement
}

/**
 * A list that could not be read looks like one that has nothing of the kind: the check is blocked by it. What requires this check goes
 * on all the same, since it has not failed.
 */
const unlessUnread = (check: Check, judgement: Judgement, evidence: Evidence, rules: GradingRules) =>
  judgement.is === "inconclusive" &&
  judgement.outcome === "unobservable" &&
  judgement.attribution === undefined &&
  check.second !== true &&
  check.hub === undefined
    ? blockedByList(check, judgement, evidence, rules)
    : judgement

function blockedByList(
  check: Check,
  judgement: Extract<Judgement, { readonly is: "inconclusive" }>,
  evidence: Evidence,
  rules: GradingRules
): Judgement {
  const by = judgement.blockedBy ?? unreadListOf(check.needs(rules.scope), evidence)
  if (by === undefined) return judgement
  const cause = by.check === check.id ? undefined : causeOfUnread(by, evidence, rules)
  return cause ?? (judgement.blockedBy === undefined ? blocked(by) : judgement)
}

/** By what the check that reports a list is blocked itself; undefined when it is not, or is none of a list. */
function causeOfUnread({ check: id }: BlockedBy, evidence: Evidence, rules: GradingRules) {
  const other = reportsList(id) ? rules.checks?.find((one) => one.id === id) : undefined
  const judgement = other === undefined ? undefined : judgementAsGathered(other, evidence, rules)
  return judgement?.is === "inconclusive" && judgement.blockedBy !== undefined ? judgement : undefined
}

function judgementAsGathered(check: Check, evidence: Evidence, rules: GradingRules): Judgement {
  const { scope } = rules
  const needs = check.needs(scope)
  const judged = observationsOf(check, evidence, scope)
  if (needs.length === 0)
    return inconclusive("not_applicable", "this role serves nothing that the check judges")
  const gathered = needs.map((id) => evidence.gathered(id))
  if (gathered.some((result) => result === undefined))
    return inconclusive("not_tested", "the run ended before the evidence was gathered", "ours")
  const refusals = gathered.flatMap((result) => (result !== undefined && isWithheld(result) ? [result] : []))
  const [refusal] = refusals
  const isRefused = refusal !== undefined && (check.partial !== true || refusals.length === needs.length)
  // What was not sent, because of a request that was not answered, tells nothing more than that request.
  const unanswered = isRefused && check.partial !== true ? judged.filter(isUnanswered) : []
  if (unanswered.length > 0) return { is: "fail", findings: unanswered.map(noAnswerFinding) }
  if (isRefused && refusal.blockedBy !== undefined) return notGathered(refusal)
  const cause = isRefused && !isForWantOf(refusal) ? undefined : unmetBy(check, evidence, rules)
  if (cause !== undefined) return cause
  if (isRefused) return notGathered(refusal)
  const limited = check.ofLimits === true ? [] : judged.filter(isLimited)
  const outbound = judged.filter(({ exchange }) => exchange.direction === "outbound")
  if (limited[0] !== undefined && (check.partial !== true || limited.length === outbound.length))
    return blocked({ exchangeId: limited[0].exchange.id, what: limitedReason(limited[0]) })
  // What a page on the web does, whose host may be a third party's, the check judges itself.
  const silent = outbound.filter((seen) => seen.page !== true && !hasAnswer(seen))
  const barred = blockedLinksIn(judged)
  const ours = silent.find((seen) => isOurs(seen) && !barred.includes(seen))
  if (ours !== undefined) return inconclusive("error", ourReason(ours))
  const [page] = barred
  if (page !== undefined && barred.length === silent.length && check.ofLinks !== true)
    return linkNotFollowed(page)
  const unreached = silent.filter(
    (seen) => undelivered(seen.exchange) !== undefined && !barred.includes(seen)
  )
  if (unreached[0] !== undefined && (check.partial !== true || unreached.length === outbound.length))
    return blocked({ exchangeId: unreached[0].exchange.id, what: unreachedReason(unreached[0]) }, "network")
  const silences = silent
    .filter((seen) => !unreached.includes(seen) && (check.ofLinks === true || !barred.includes(seen)))
    .map((seen) => (barred.includes(seen) ? blockedLinkFinding(seen) : noAnswerFinding(seen)))
  if (silences.length > 0 && check.partial !== true) return { is: "fail", findings: silences }
  const every = everyObservationOf(check, evidence, scope)
  const judgement = withoutMended(
    needs.includes("inbound") ? evidence.seen("inbound") : [],
    evidence,
    withoutLimited(limited, withoutUnread(every, check.judge(evidence)))
  )
  const unoffered = judgement.is === "inconclusive" ? unofferedTo(check, needs, evidence) : undefined
  if (unoffered !== undefined) return notGathered(unoffered)
  // What a check of several requests misses may be in those that were not gathered because of us, or not waited for long enough.
  const givenUp = refusals.find(({ attribution, givenUp }) => givenUp !== undefined || attribution === "ours")
  const isSilence = check.ofSilence !== undefined && givenUp?.givenUp?.silence === check.ofSilence
  if (judgement.is === "fail" && givenUp !== undefined && !isSilence) return notGathered(givenUp)
  if (silences.length === 0) return judgement
  return {
    is: "fail",
    findings: judgement.is === "fail" ? [...judgement.findings, ...silences] : silences
  }
}

/** Why nothing of the check's own module was sent: the partner has no such endpoint. What was read of other modules proves nothing. */
function unofferedTo({ module }: Check, needs: ReadonlyArray<string>, evidence: Evidence) {
  const own = needs.filter((id) => id.startsWith(`${module}.`)).map((id) => evidence.gathered(id))
  const withheld = own.flatMap((one) => (one !== undefined && isWithheld(one) ? [one] : []))
  return withheld.length === own.length
    ? withheld.find((one) => one.withheld === "not_applicable")
    : undefined
}

/** By what the check is blocked; undefined: by nothing. What was wrong and is accepted all the same needs less to be judged. */
function unmetBy(check: Check, evidence: Evidence, rules: GradingRules): Judgement | undefined {
  const required = check.requires?.(rules.scope) ?? []
  const cause = unmetOf(required, check, evidence, rules)
  const others = required.filter((one) => !("answers" in one && one.ofRefusals === true))
  if (cause === undefined || others.length === required.length) return cause
  const judgement = check.judge(evidence)
  const findings =
    judgement.is === "fail" ? judgement.findings.filter((one) => one.isWronglyAccepted === true) : []
  if (findings.length === 0) return cause
  return unmetOf(others, check, evidence, rules) ?? { is: "fail", findings }
}

const unmetOf = (
  required: ReadonlyArray<Precondition>,
  check: Check,
  evidence: Evidence,
  rules: GradingRules
): Judgement | undefined =>
  unmet(
    required,
    evidence,
    (id) => {
      const other = rules.checks?.find((one) => one.id === id)
      return other === undefined
        ? undefined
        : (soFar) => {
            const judge = (one: Check) => judgementOfOne(one, evidence, rules)
            return {
              check: other,
              judgement: soFar === true ? judgedSoFar(other, evidence, rules.scope, judge) : judge(other)
            }
          }
    },
    check.id
  )

/** Drops findings about answers that we did not read in full. If nothing else failed, the check is `unobservable`. */
function withoutUnread(judged: ReadonlyArray<Observation>, judgement: Judgement): Judgement {
  const unread = judged.filter((seen) => seen.unread !== undefined)
  const [first] = unread
  if (first === undefined || judgement.is !== "fail") return judgement
  const findings = findingsBeside(unread, judgement.findings)
  return findings.length > 0
    ? { is: "fail", findings }
    : inconclusive("unobservable", `too large for us to judge: ${first.unread}`, "ours")
}

/** Drops findings about rate-limited answers. If nothing else failed, the check is blocked by the first of them. */
function withoutLimited(limited: ReadonlyArray<Observation>, judgement: Judgement): Judgement {
  const [first] = limited
  if (first === undefined || judgement.is !== "fail") return judgement
  const findings = findingsBeside(limited, judgement.findings)
  return findings.length > 0
    ? { is: "fail", findings }
    : blocked({ exchangeId: first.exchange.id, what: limitedReason(first) })
}

/**
 * Drops findings about calls from before the run where a later call of the same kind is right: the partner has mended what was wrong
 * with it, and need not fill all that we look back on with new calls first.
 */
function withoutMended(
  called: ReadonlyArray<Observation>,
  { startedAt }: Evidence,
  judgement: Judgement
): Judgement {
  if (judgement.is !== "fail" || called.length === 0) return judgement
  const wrong = new Set(judgement.findings.map(({ exchangeId }) => exchangeId))
  const calls = called.map(({ exchange }) => exchange)
  const lastRight = new Map<string, number>()
  for (const call of calls)
    if (!wrong.has(call.id))
      lastRight.set(kindOf(call), Math.max(Date.parse(call.startedAt), lastRight.get(kindOf(call)) ?? 0))
  const mended = new Set(
    calls.flatMap((call) => {
      const at = Date.parse(call.startedAt)
      return at < Date.parse(startedAt) && at < (lastRight.get(kindOf(call)) ?? 0) ? [call.id] : []
    })
  )
  const findings = judgement.findings.filter(
    ({ exchangeId }) => exchangeId === undefined || !mended.has(exchangeId)
  )
  return findings.length > 0
    ? { is: "fail", findings }
    : pass("what was wrong in calls from before the run is right in later ones")
}

const kindOf = ({ module, operation, request }: Exchange): string =>
  `${request.method} ${module} ${operation}`

/** The findings that are not about these exchanges. */
function findingsBeside(seen: ReadonlyArray<Observation>, findings: ReadonlyArray<Finding>) {
  const ids = new Set(seen.map(({ exchange }) => exchange.id))
  return findings.filter(({ exchangeId }) => exchangeId === undefined || !ids.has(exchangeId))
}

/** Did the partner ask us to slow down, and not answer the request? */
const isLimited = ({ exchange }: Observation) =>
  exchange.direction === "outbound" && exchange.response?.httpStatus === 429

const limitedReason = ({ exchange }: Observation): string =>
  `${requestName(exchange)} ${limitedAnswer(exchange)}`

/** Nothing was sent, or we do not know what came of it. */
function isOurs({ exchange }: Observation): boolean {
  return (
    exchange.outcome === "blocked" || exchange.outcome === "unknown" || exchange.fault?.kind === "blocked"
  )
}

function ourReason({ exchange }: Observation): string {
  const detail = exchange.fault?.message ?? exchange.outcome
  return exchange.outcome === "unknown"
    ? "our worker ended before the answer was recorded"
    : `config: our egress guard refused the request: ${detail}`
}

const unreachedReason = ({ exchange }: Observation): string =>
  `${requestName(exchange)} ${undelivered(exchange)}`

function noAnswerFinding({ exchange }: Observation): Finding {
  const { fault, outcome } = exchange
  const what = outcome === "timed_out" ? "hangs: it got no HTTP answer" : "got no HTTP answer"
  return finding(
    { exchange },
    `${requestName(exchange)} ${what}${fault === undefined ? ` (${outcome})` : `: ${fault.kind}, ${fault.message}`}`,
    {
      expected: "an HTTP answer within the time limit",
      actual: exchange.outcome,
      hint: "Look for this request in your logs, by its time and URL: your service took it and sent no answer. Answer each request, also one that is wrong or fails, and carry out later what takes long."
    }
  )
}
