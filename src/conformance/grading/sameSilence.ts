/**
 * One trouble of the partner's service that many requests meet: a method that hangs, connections that break now and then, a service that
 * is down for a while. One check reports it, and blocks the others.
 */
import { requestName, undelivered } from "../../findings/answers.ts"
import { blocked, type Check, type Judgement, probesFor, type SuiteScope } from "../model/Check.ts"
import { type Evidence, hasAnswer, type Observation } from "../model/Evidence.ts"
import { isApart } from "../model/isApart.ts"
import { isBlockedLink } from "../model/isBlockedLink.ts"
import { stageOf, stagesOf } from "../model/stages.ts"
import { judgedSoFar } from "./preconditions.ts"

/** The suite, and the checks of the run. */
interface Run {
  readonly scope: SuiteScope
  readonly checks: ReadonlyArray<Check>
  /** The judgement of a check of the run without regard to such a trouble. */
  readonly judge: (check: Check) => Judgement
}

/** A request of ours that the partner did not answer, or as a service that is down. */
interface Silence {
  readonly seen: Observation
  /** What it is one of. */
  readonly group: string
}

/** By the id of the exchange. */
type Silences = ReadonlyMap<string, Silence>

const broken = "connections that break"
const down = "a service that is down"
/** HTTP 502, 503 and 504: nobody looked at the request. */
const downStatuses: ReadonlyArray<number> = [502, 503, 504]
/** So many requests, to so many modules or to one that answered others, are more than a request that a module fails at. */
const mostlyDown = { requests: 4, modules: 2 } as const

/** So many connections that break at requests which are wrong on purpose, and at no others, are each a finding of their own. */
const mostAlone = 2

/** Did the partner take our request, and sent no answer? What did not reach it, and pages on the web, say nothing about that. */
export const isUnanswered = (seen: Observation): boolean => {
  const { direction, fault, outcome } = seen.exchange
  return (
    direction === "outbound" &&
    seen.page !== true &&
    !hasAnswer(seen) &&
    outcome !== "blocked" &&
    outcome !== "unknown" &&
    fault?.kind !== "blocked" &&
    undelivered(seen.exchange) === undefined &&
    !isBlockedLink(seen)
  )
}

const isDown = ({ exchange: { direction, response }, followedBy, page }: Observation): boolean =>
  direction === "outbound" &&
  page !== true &&
  followedBy === undefined &&
  downStatuses.includes(response?.httpStatus ?? 0)

const silencesIn = (evidence: Evidence, { checks, scope }: Omit<Run, "judge">): Silences =>
  evidence.once(`silences of ${checks.length} checks`, () => {
    const seen = [...new Set(checks.flatMap((check) => probesFor(check, scope)))].flatMap(evidence.seen)
    const answered = seen.filter(
      (one) => one.exchange.direction === "outbound" && !isApart(one.exchange.module) && hasAnswer(one)
    )
    const methods = new Set(answered.map(({ exchange }) => exchange.request.method))
    const groupOf = ({ exchange: { module, outcome, request } }: Observation) => {
      if (outcome !== "timed_out") return broken
      return methods.has(request.method) ? `${request.method} ${module}` : request.method
    }
    const ofDown = isDownForAWhile(answered) ? seen.filter(isDown) : []
    return new Map([
      ...seen
        .filter(isUnanswered)
        .map((one): readonly [string, Silence] => [one.exchange.id, { seen: one, group: groupOf(one) }]),
      ...ofDown.map((one): readonly [string, Silence] => [one.exchange.id, { seen: one, group: down }])
    ])
  })

/** Were modules down, and was something else answered? That all is refused alike is what `sameRefusal` is about. */
function isDownForAWhile(answered: ReadonlyArray<Observation>): boolean {
  const of = answered.filter(isDown)
  const others = answered.filter((one) => !isDown(one))
  const modules = new Set(of.map(({ exchange }) => exchange.module))
  const requests = new Set(of.map(({ exchange }) => exchange.id))
  const isElsewhere =
    modules.size >= mostlyDown.modules || others.some(({ exchange }) => modules.has(exchange.module))
  const isAtRightOnes = of.some(({ isUnusual }) => isUnusual !== true)
  return requests.size >= mostlyDown.requests && others.length > 0 && isElsewhere && isAtRightOnes
}

/**
 * The judgement where the partner's service was in trouble: of each group one check reports it, and the others are blocked by that.
 */
export const inLightOfSilence = (
  check: Check,
  judgement: Judgement,
  evidence: Evidence,
  run: Run
): Judgement => {
  if (judgement.is === "pass") return judgement
  const silences = silencesIn(evidence, run)
  if (silences.size === 0) return judgement
  const elsewhere = (exchangeId: string | undefined) => {
    const silence = exchangeId === undefined ? undefined : silences.get(exchangeId)
    const reporter = silence === undefined ? undefined : reporterOf(silence.group, evidence, run)
    if (silence === undefined || reporter === undefined || reporter.id === check.id) return undefined
    const reports =
      reporter.isOfWrong && silence.seen.isUnusual !== true
        ? `although nothing is wrong with it; ${reporter.id} reports the same of a request that is wrong on purpose`
        : `which ${reporter.id} reports`
    return blocked({
      check: reporter.id,
      exchangeId: silence.seen.exchange.id,
      what: `${whatOf(silence.seen)}, ${reports}`
    })
  }
  if (judgement.is === "inconclusive") {
    const { blockedBy } = judgement
    return (
      (blockedBy?.check === undefined || blockedBy.check !== check.id
        ? elsewhere(blockedBy?.exchangeId)
        : undefined) ?? judgement
    )
  }
  const own = judgement.findings.filter(({ exchangeId }) => elsewhere(exchangeId) === undefined)
  return own.length > 0
    ? { is: "fail", findings: own }
    : (elsewhere(judgement.findings[0]?.exchangeId) ?? judgement)
}

/** What became of the request, in a sentence. */
const whatOf = ({ exchange }: Observation): string =>
  exchange.response === null
    ? `${requestName(exchange)} got no HTTP answer (${exchange.fault?.kind ?? exchange.outcome})`
    : `${requestName(exchange)} was answered HTTP ${exchange.response.httpStatus}`

/**
 * The check that reports a group: the first one that is graded, of a must rule before others. `isOfWrong`: it has met the trouble at
 * nothing but requests that are wrong on purpose.
 */
const reporterOf = (group: string, evidence: Evidence, run: Run) =>
  evidence.once(`check that reports ${group} of ${run.checks.length} checks`, () => {
    const ofGroup = [...silencesIn(evidence, run).values()].filter((one) => one.group === group)
    const isOfWrongOnes = ofGroup.every(({ seen }) => seen.isUnusual === true)
    if (group === broken && isOfWrongOnes && ofGroup.length <= mostAlone) return undefined
    const ids = new Set(ofGroup.map(({ seen }) => seen.exchange.id))
    const reports = (check: Check): boolean => {
      const needs = check.needs(run.scope)
      if (!needs.some((id) => evidence.seen(id).some(({ exchange }) => ids.has(exchange.id)))) return false
      const judgement = judgedSoFar(check, evidence, run.scope, run.judge)
      return (
        judgement.is === "fail" &&
        judgement.findings.some(({ exchangeId }) => exchangeId !== undefined && ids.has(exchangeId))
      )
    }
    const stages = stagesOf(run.checks)
    const inOrder = run.checks.toSorted((a, b) => stages.indexOf(stageOf(a)) - stages.indexOf(stageOf(b)))
    const reporter =
      inOrder.find((check) => check.strength === "must" && reports(check)) ??
      inOrder.find((check) => check.strength !== "must" && reports(check))
    if (reporter === undefined) return undefined
    const met = reporter.needs(run.scope).flatMap(evidence.seen)
    const isOfWrong = met.every(({ exchange, isUnusual }) => isUnusual === true || !ids.has(exchange.id))
    return { id: reporter.id, isOfWrong }
  })
