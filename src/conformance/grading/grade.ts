/** From evidence to an assertion: transport faults first, then the check's own judgement, then strength and profile. */

import type { Assertion, Strength } from "../../../schema/Assertion.ts"
import type { ExchangeFault } from "../../../schema/Exchange.ts"
import type { Profile } from "../../../schema/Suite.ts"
import type { Finding } from "../../findings/Flaw.ts"
import { finding } from "../../findings/finding.ts"
import { curlLine } from "../../reports/curl.ts"
import type { Check, Judgement, SuiteScope } from "../model/Check.ts"
import { inconclusive } from "../model/Check.ts"
import { type Evidence, hasAnswer, isWithheld, type Observation } from "../model/Evidence.ts"
import { blockedLinkFinding, blockedLinksIn, linkNotFollowed } from "./blockedLinks.ts"

/** How many findings a message lists at most. */
const listed = 10

/** How many exchanges an assertion names at most, where no finding names them: some rules look at every answer of a run. */
const namedExchanges = 100

/** Prefix of the message of a check that passed with findings, because its rule is a `may`. */
export const notedBy = "noted: "

/** The assertion of one check. Pure: the same evidence gives the same assertion. */
export const grade = (check: Check, evidence: Evidence, scope: SuiteScope, profile: Profile): Assertion => {
  const needs = check.needs(scope)
  const judged = needs.flatMap((id) => evidence.seen(id))
  return assertionOf(check, judgementOf(check, evidence, needs, judged), judged, scope, profile)
}

function judgementOf(
  check: Check,
  evidence: Evidence,
  needs: ReadonlyArray<string>,
  judged: ReadonlyArray<Observation>
): Judgement {
  if (needs.length === 0)
    return inconclusive("not_applicable", "this role serves nothing that the check judges")
  const gathered = needs.map((id) => evidence.gathered(id))
  if (gathered.some((result) => result === undefined))
    return inconclusive("not_tested", "the run ended before the evidence was gathered")
  const refusals = gathered.flatMap((result) => (result !== undefined && isWithheld(result) ? [result] : []))
  const [refusal] = refusals
  if (refusal !== undefined && (check.partial !== true || refusals.length === needs.length))
    return inconclusive(refusal.withheld, refusal.reason)
  // What a page on the web does, whose host may be a third party's, the check judges itself.
  const silent = judged.filter(
    (seen) => seen.exchange.direction === "outbound" && seen.page !== true && !hasAnswer(seen)
  )
  const barred = blockedLinksIn(judged)
  const ours = silent.find((seen) => isOurs(seen) && !barred.includes(seen))
  if (ours !== undefined) return inconclusive("error", ourReason(ours))
  const [page] = barred
  if (page !== undefined && barred.length === silent.length && check.ofLinks !== true)
    return inconclusive("not_tested", linkNotFollowed(page))
  const silences = silent
    .filter((seen) => check.ofLinks === true || !barred.includes(seen))
    .map((seen) => (barred.includes(seen) ? blockedLinkFinding(seen) : silence(seen)))
  if (silences.length > 0 && check.partial !== true) return { is: "fail", findings: silences }
  const judgement = withoutUnread(check, judged, check.judge(evidence))
  if (silences.length === 0) return judgement
  return {
    is: "fail",
    findings: judgement.is === "fail" ? [...judgement.findings, ...silences] : silences
  }
}

/** Drops findings about answers that we did not read in full. If nothing else failed, the check is `unobservable`. */
function withoutUnread(check: Check, judged: ReadonlyArray<Observation>, judgement: Judgement): Judgement {
  const unread = judged.filter((seen) => seen.unread !== undefined)
  const [first] = unread
  if (first === undefined || check.ofSize === true || judgement.is !== "fail") return judgement
  const ids = new Set(unread.map(({ exchange }) => exchange.id))
  const findings = judgement.findings.filter(
    ({ exchangeId }) => exchangeId === undefined || !ids.has(exchangeId)
  )
  return findings.length > 0
    ? { is: "fail", findings }
    : inconclusive("unobservable", `too large for us to judge: ${first.unread}`)
}

/** Faults that say nothing about the partner: our egress guard and our name server. */
const ourFaults: ReadonlyArray<ExchangeFault["kind"]> = ["blocked", "dns"]

function isOurs({ exchange }: Observation): boolean {
  return (
    exchange.outcome === "blocked" ||
    exchange.outcome === "unknown" ||
    (exchange.fault !== undefined && ourFaults.includes(exchange.fault.kind))
  )
}

function ourReason({ exchange }: Observation): string {
  const detail = exchange.fault?.message ?? exchange.outcome
  if (exchange.outcome === "blocked") return `config: our egress guard refused the request: ${detail}`
  if (exchange.outcome === "unknown") return "our worker ended before the answer was recorded"
  return `network: the partner's host name could not be resolved from here: ${detail}`
}

function silence({ exchange }: Observation): Finding {
  const what = `${exchange.request.method} ${exchange.module} ${exchange.operation}`
  const fault = exchange.fault
  return finding(
    { exchange },
    `${what} got no HTTP answer: ${fault === undefined ? exchange.outcome : `${fault.kind}, ${fault.message}`}`,
    { expected: "an HTTP answer within the time limit", actual: exchange.outcome }
  )
}

const weaker: Readonly<Record<Strength, number>> = { must: 0, should: 1, may: 2 }

function assertionOf(
  check: Check,
  judgement: Judgement,
  judged: ReadonlyArray<Observation>,
  scope: SuiteScope,
  profile: Profile
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
  if (judgement.is === "inconclusive")
    return { ...shared, outcome: judgement.outcome, reason: judgement.reason, expected: check.passes }
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
  const lenient = profile === "lenient" && check.lenient?.(scope.profile) === true
  const outcome = outcomeOf(strengthOf(worst), lenient)
  const shown = judged.find(({ exchange }) => exchange.id === worst.exchangeId) ?? judged[0]
  const hint =
    worst.hint ?? check.hint ?? `Change it so that this holds: ${check.passes} (${check.reference}).`
  return {
    ...shared,
    outcome,
    expected: worst.expected ?? check.passes,
    actual: worst.actual ?? worst.message,
    ...(worst.pointer === undefined ? {} : { pointer: worst.pointer }),
    ...(worst.exchangeId === undefined ? {} : { exchangeIds: exchangesOf(findings) }),
    message: messageOf(findings, outcome, lenient && strengthOf(worst) === "must"),
    hint,
    ...reproducible(shown)
  }
}

/** The curl command that repeats our request; none for a call of the partner. */
function reproducible(shown: Observation | undefined) {
  return shown === undefined || shown.exchange.direction === "inbound"
    ? {}
    : { curl: curlLine(shown.exchange) }
}

function outcomeOf(strength: Strength, lenient: boolean): Assertion["outcome"] {
  if (strength === "may") return "passed"
  return strength === "must" && !lenient ? "failed" : "warned"
}

function exchangesOf(findings: ReadonlyArray<Finding>): ReadonlyArray<string> {
  return [...new Set(findings.flatMap(({ exchangeId }) => (exchangeId === undefined ? [] : [exchangeId])))]
}

function messageOf(
  findings: ReadonlyArray<Finding>,
  outcome: Assertion["outcome"],
  lenient: boolean
): string {
  const [first, ...others] = findings.map(({ message, pointer }) =>
    pointer === undefined || pointer === "" || message.includes(pointer)
      ? message
      : `${message} (at ${pointer})`
  )
  const more = others.length === 0 ? "" : `; ${others.length} more: ${others.slice(0, listed - 1).join("; ")}`
  const cut = others.length > listed - 1 ? "; …" : ""
  const note =
    outcome === "passed" ? notedBy : lenient ? "lenient profile, a failure in the strict one: " : ""
  return `${note}${first ?? ""}${more}${cut}`
}
