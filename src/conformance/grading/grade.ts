/**
 * From evidence to an assertion: preconditions and transport faults first, then the check's own judgement, then strength and
 * profile.
 */

import type { Assertion, Attribution, BlockedBy, Strength } from "../../../schema/Assertion.ts"
import type { ExchangeFault } from "../../../schema/Exchange.ts"
import type { Profile } from "../../../schema/Suite.ts"
import { requestName } from "../../findings/answers.ts"
import type { Finding } from "../../findings/Flaw.ts"
import { finding } from "../../findings/finding.ts"
import { kindsInWords, kindsOf } from "../../findings/kinds.ts"
import { objectNameAt } from "../../findings/objectNames.ts"
import { partnerWords } from "../../findings/partnerWords.ts"
import { curlLine } from "../../reports/curl.ts"
import {
  blocked,
  type Check,
  inconclusive,
  type Judgement,
  probesFor,
  type SuiteScope
} from "../model/Check.ts"
import {
  type Evidence,
  hasAnswer,
  isWithheld,
  type NotGathered,
  type Observation
} from "../model/Evidence.ts"
import { unreadListOf } from "../model/unreadList.ts"
import { blockedLinkFinding, blockedLinksIn, linkNotFollowed } from "./blockedLinks.ts"
import { unmet } from "./preconditions.ts"

/** How many exchanges an assertion names at most, where no finding names them: some rules look at every answer of a run. */
const namedExchanges = 100

/** Prefix of the message of a check that passed with findings, because its rule is a `may`. */
export const notedBy = "noted: "

/** How a check is graded, beside the evidence. */
export interface GradingRules {
  readonly scope: SuiteScope
  readonly profile: Profile
  /** The checks of the run: those that another check requires are judged for it, too. */
  readonly checks?: ReadonlyArray<Check>
}

/** The assertion of one check. Pure: the same evidence gives the same assertion. */
export const grade = (check: Check, evidence: Evidence, rules: GradingRules): Assertion => {
  const judged = observationsOf(check, evidence, rules.scope)
  return assertionOf(check, judgementOf(check, evidence, rules), judged, evidence, rules)
}

const observationsOf = (check: Check, evidence: Evidence, scope: SuiteScope) =>
  check.needs(scope).flatMap((id) => evidence.seen(id))

/** The judgement; a check that had nothing to judge because a list could not be read is blocked by that. */
function judgementOf(check: Check, evidence: Evidence, rules: GradingRules): Judgement {
  const judgement = judgementAsGathered(check, evidence, rules)
  const isUnjudged = judgement.is === "inconclusive" && judgement.outcome === "not_tested"
  if (!isUnjudged || judgement.blockedBy !== undefined) return judgement
  const by = unreadListOf(check.needs(rules.scope), evidence)
  return by === undefined ? judgement : blocked(by)
}

function judgementAsGathered(check: Check, evidence: Evidence, rules: GradingRules): Judgement {
  const { scope } = rules
  const needs = check.needs(scope)
  const judged = observationsOf(check, evidence, scope)
  if (needs.length === 0)
    return inconclusive("not_applicable", "this role serves nothing that the check judges")
  const gathered = needs.map((id) => evidence.gathered(id))
  if (gathered.some((result) => result === undefined))
    return inconclusive("not_tested", "the run ended before the evidence was gathered")
  const refusals = gathered.flatMap((result) => (result !== undefined && isWithheld(result) ? [result] : []))
  const [refusal] = refusals
  const isRefused = refusal !== undefined && (check.partial !== true || refusals.length === needs.length)
  if (isRefused && refusal.blockedBy !== undefined) return blocked(refusal.blockedBy)
  const cause = isRefused && !isForWantOf(refusal) ? undefined : unmetBy(check, evidence, rules)
  if (cause !== undefined) return cause
  if (isRefused) return inconclusive(refusal.withheld, refusal.reason, refusal.attribution)
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
    return blocked(linkNotFollowed(page))
  const unreached = silent.filter((seen) => isUnreached(seen) && !barred.includes(seen))
  if (unreached[0] !== undefined && (check.partial !== true || unreached.length === outbound.length))
    return blocked({ exchangeId: unreached[0].exchange.id, what: unreachedReason(unreached[0]) }, "network")
  const silences = silent
    .filter((seen) => !unreached.includes(seen) && (check.ofLinks === true || !barred.includes(seen)))
    .map((seen) => (barred.includes(seen) ? blockedLinkFinding(seen) : silence(seen)))
  if (silences.length > 0 && check.partial !== true) return { is: "fail", findings: silences }
  const judgement = withoutLimited(limited, withoutUnread(check, judged, check.judge(evidence)))
  const givenUp = refusals.find((refused) => refused.givenUp !== undefined)
  const isSilence = check.ofSilence !== undefined && givenUp?.givenUp?.silence === check.ofSilence
  if (judgement.is === "fail" && givenUp !== undefined && !isSilence)
    return inconclusive(givenUp.withheld, givenUp.reason)
  if (silences.length === 0) return judgement
  return {
    is: "fail",
    findings: judgement.is === "fail" ? [...judgement.findings, ...silences] : silences
  }
}

/** Was there nothing to send, for a reason that may be what a precondition tells? */
const isForWantOf = ({ attribution, givenUp, withheld }: NotGathered): boolean =>
  withheld === "not_tested" && attribution === undefined && givenUp === undefined

const unmetBy = (check: Check, evidence: Evidence, rules: GradingRules): Judgement | undefined =>
  unmet(check.requires?.(rules.scope) ?? [], evidence, (id) => {
    const other = rules.checks?.find((one) => one.id === id)
    return other === undefined ? undefined : { check: other, judgement: judgementOf(other, evidence, rules) }
  })

/** Drops findings about answers that we did not read in full. If nothing else failed, the check is `unobservable`. */
function withoutUnread(check: Check, judged: ReadonlyArray<Observation>, judgement: Judgement): Judgement {
  const unread = judged.filter((seen) => seen.unread !== undefined)
  const [first] = unread
  if (first === undefined || check.ofSize === true || judgement.is !== "fail") return judgement
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

/** The findings that are not about these exchanges. */
function findingsBeside(seen: ReadonlyArray<Observation>, findings: ReadonlyArray<Finding>) {
  const ids = new Set(seen.map(({ exchange }) => exchange.id))
  return findings.filter(({ exchangeId }) => exchangeId === undefined || !ids.has(exchangeId))
}

/** Did the partner ask us to slow down, and not answer the request? */
const isLimited = ({ exchange }: Observation) =>
  exchange.direction === "outbound" && exchange.response?.httpStatus === 429

function limitedReason({ exchange }: Observation): string {
  const wait = exchange.response?.headers["retry-after"]
  return `${requestName(exchange)} was answered HTTP 429 (too many requests)${wait === undefined ? "" : `, Retry-After: ${wait.slice(0, 40)}`}`
}

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

/** Faults before the partner's service is reached: they say nothing about how it answers. */
const networkFaults: ReadonlyArray<ExchangeFault["kind"]> = ["dns", "refused"]

const isUnreached = ({ exchange: { fault } }: Observation) =>
  fault !== undefined && networkFaults.includes(fault.kind)

function unreachedReason({ exchange }: Observation): string {
  const { fault, request } = exchange
  const host = URL.canParse(request.url) ? new URL(request.url).host : request.url
  const why =
    fault?.kind === "dns"
      ? `the name of the host ${host} could not be resolved from here`
      : `${host} refused the connection`
  return `${requestName(exchange)} was not delivered: ${why} (${fault?.message ?? exchange.outcome})`
}

function silence({ exchange }: Observation): Finding {
  const fault = exchange.fault
  return finding(
    { exchange },
    `${requestName(exchange)} got no HTTP answer: ${fault === undefined ? exchange.outcome : `${fault.kind}, ${fault.message}`}`,
    { expected: "an HTTP answer within the time limit", actual: exchange.outcome }
  )
}

const weaker: Readonly<Record<Strength, number>> = { must: 0, should: 1, may: 2 }

function assertionOf(
  check: Check,
  judgement: Judgement,
  judged: ReadonlyArray<Observation>,
  evidence: Evidence,
  { profile, scope }: GradingRules
): Assertion {
  const shared = {
    id: check.id,
    checkId: check.id,
    title: check.title,
    strength: check.strength,
    reference: check.reference,
    module: check.module,
    exchangeIds: [...new Set(judged.map(({ exchange }) => exchange.id))].slice(0, namedExchanges)
  }
  if (judgement.is === "inconclusive") {
    const { blockedBy, outcome, reason } = judgement
    const attribution = judgement.attribution ?? usualAttribution[outcome]
    return {
      ...shared,
      outcome,
      reason,
      expected: check.passes,
      ...(attribution === undefined ? {} : { attribution }),
      ...(blockedBy === undefined ? {} : { blockedBy, ...wordsOf(blockedBy, check, evidence, scope) })
    }
  }
  if (judgement.is === "pass")
    return {
      ...shared,
      outcome: "passed",
      expected: check.passes,
      ...reproducible(judged[0]),
      ...(judgement.actual === undefined ? {} : { actual: judgement.actual }),
      ...(judgement.message === undefined ? {} : { message: judgement.message })
    }

  const strengthOf = (finding: Finding) => finding.strength ?? check.strength
  const findings = judgement.findings.toSorted((a, b) => weaker[strengthOf(a)] - weaker[strengthOf(b)])
  const worst = findings[0] ?? { message: "a finding without a message" }
  const ambiguity = worst.ambiguous ?? check.ambiguous
  const lenient =
    profile === "lenient" && (ambiguity !== undefined || check.lenient?.(scope.profile) === true)
  const outcome = outcomeOf(strengthOf(worst), lenient)
  const seenBy = (one: Finding) => judged.find(({ exchange }) => exchange.id === one.exchangeId)
  const shown = seenBy(worst) ?? judged[0]
  const said = seenBy(worst) === undefined ? undefined : wordsIn(seenBy(worst))
  const hintOf = (one: Pick<Finding, "hint">) => one.hint ?? check.hint ?? `Make this true: ${check.passes}.`
  const hint = hintOf(worst)
  const kinds = kindsOf(findings, check.strength, (one) => objectOf(one, seenBy(one))).map(
    ({ hint: _, ...kind }, index, all) => ({
      ...kind,
      ...(hintOf(all[index]!) === hint ? {} : { hint: hintOf(all[index]!) }),
      ...reproducible(judged.find(({ exchange }) => exchange.id === kind.places[0]?.exchangeId))
    })
  )
  const note = noteOf(outcome, lenient && strengthOf(worst) === "must", ambiguity)
  return {
    ...shared,
    outcome,
    expected: worst.expected ?? check.passes,
    actual: worst.actual ?? worst.message,
    ...(worst.pointer === undefined ? {} : { pointer: worst.pointer }),
    ...(worst.exchangeId === undefined ? {} : { exchangeIds: exchangesOf(findings) }),
    message: `${outcome === "passed" ? notedBy : ""}${note === "" ? "" : `${note}: `}${kindsInWords(kinds)}`,
    ...(note === "" ? {} : { note }),
    ...(outcome === "passed" ? {} : { attribution: ambiguity === undefined ? "partner" : "ambiguous" }),
    ...(ambiguity === undefined ? {} : { ambiguity }),
    ...(said === undefined ? {} : { partnerSaid: said }),
    findings: kinds,
    hint,
    ...reproducible(shown)
  }
}

/** The attribution of an outcome whose judgement names none. */
const usualAttribution: Readonly<Partial<Record<Assertion["outcome"], Attribution>>> = {
  error: "ours",
  not_tested: "operator",
  unobservable: "operator"
}

/** The partner's words in the exchange that blocks a check. */
function wordsOf({ exchangeId }: BlockedBy, check: Check, evidence: Evidence, scope: SuiteScope) {
  const seen = probesFor(check, scope)
    .flatMap((id) => evidence.seen(id))
    .find(({ exchange }) => exchange.id === exchangeId)
  const said = seen === undefined ? undefined : wordsIn(seen)
  return said === undefined ? {} : { partnerSaid: said }
}

/** What the partner says of its refusal; a call of the partner is answered by us. */
const wordsIn = (seen: Observation | undefined): string | undefined =>
  seen === undefined || seen.exchange.direction === "inbound"
    ? undefined
    : partnerWords(seen.exchange.response)

/** The object that the finding is in: by its ids, or by its place in a page. */
function objectOf({ pointer = "" }: Finding, seen: Observation | undefined): string | undefined {
  if (seen === undefined || pointer === "") return undefined
  const name = objectNameAt(seen.json, pointer)
  const [, index] = /^\/data\/(\d+)/.exec(pointer) ?? []
  if (name !== undefined || index === undefined || !URL.canParse(seen.exchange.request.url)) return name
  const { pathname, search } = new URL(seen.exchange.request.url)
  return `entry ${Number(index) + 1} of ${pathname}${search}`.slice(0, 200)
}

/** The curl command that repeats a request, ours or the partner's. */
function reproducible(shown: Observation | undefined) {
  return shown === undefined ? {} : { curl: curlLine(shown.exchange) }
}

function outcomeOf(strength: Strength, lenient: boolean): Assertion["outcome"] {
  if (strength === "may") return "passed"
  return strength === "must" && !lenient ? "failed" : "warned"
}

function exchangesOf(findings: ReadonlyArray<Finding>): ReadonlyArray<string> {
  return [...new Set(findings.flatMap(({ exchangeId }) => (exchangeId === undefined ? [] : [exchangeId])))]
}

/** What decides the outcome beside the findings; empty: nothing. */
function noteOf(
  outcome: Assertion["outcome"],
  isSoftened: boolean,
  ambiguity: Assertion["ambiguity"]
): string {
  return [
    ...(ambiguity === undefined
      ? []
      : [
          `the OCPI text can be read in two ways (${ambiguity.section}): ${ambiguity.readings.join("; or ")}`
        ]),
    ...(isSoftened && outcome !== "passed"
      ? ["a warning in the lenient profile, a failure in the strict one"]
      : [])
  ].join(". ")
}
