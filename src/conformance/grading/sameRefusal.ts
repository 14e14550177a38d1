/**
 * One refusal of every request: a gateway that lets nobody in, endpoints at the wrong address, or a service that is down answers
 * alike whatever it is asked. One check reports it, and what depends on those answers is blocked by that check.
 */
import { statusLine, succeeded } from "../../findings/answers.ts"
import { accepted } from "../../findings/expectations.ts"
import type { Finding } from "../../findings/Flaw.ts"
import { isFunctional } from "../../party/wire/routing.ts"
import { blocked, type Check, type Judgement, probesFor, type SuiteScope } from "../model/Check.ts"
import {
  type Answered,
  asAnswered,
  type Evidence,
  isForWantOf,
  isWithheld,
  type Observation
} from "../model/Evidence.ts"
import { listsOf } from "../modules/shared/lists.ts"
import { judgedSoFar } from "./preconditions.ts"

/** The answer that came to every request to a functional module. */
interface SameRefusal {
  /** `HTTP 403`, or `HTTP 200, status_code 3000`. */
  readonly line: string
  /** The exchanges that were answered so. */
  readonly exchangeIds: ReadonlySet<string>
  /** Those of them that every partner has to accept. */
  readonly due: ReadonlySet<string>
  /** Two modules or more refused what they have to accept: then no refusal proves that a request was looked at. */
  readonly isProven: boolean
}

/** The suite, and the checks of the run. */
interface Run {
  readonly scope: SuiteScope
  readonly checks: ReadonlyArray<Check>
  /** The judgement of a check of the run without regard to such a refusal. */
  readonly judge: (check: Check) => Judgement
}

/** Fewer requests of that kind say nothing of all. */
const fewest = { modules: 2, requests: 3 } as const
/** Says when to come again: the checks have a judgement of their own for it. */
const tooManyRequests = 429

/**
 * The refusal that every request to a functional module was answered with so far; undefined when one of them was answered
 * otherwise, or too few were sent to tell.
 */
const sameRefusalIn = (evidence: Evidence, { checks, scope }: Omit<Run, "judge">) =>
  evidence.once(`same refusal of ${checks.length} checks`, (): SameRefusal | undefined => {
    const seen = answersOf(evidence, [...new Set(checks.flatMap((check) => probesFor(check, scope)))])
    const due = answersOf(evidence, dueIn(checks, scope))
    const lines = new Set([...seen, ...due].map(statusLine))
    const [line] = lines
    const [first] = due
    const modules = new Set(seen.map(({ exchange }) => exchange.module))
    const isSame = lines.size === 1 && line !== undefined && first !== undefined && !succeeded(first)
    if (!isSame || modules.size < fewest.modules || seen.length < fewest.requests) return undefined
    const ids = (answers: ReadonlyArray<Answered>) => new Set(answers.map(({ exchange }) => exchange.id))
    return {
      line,
      exchangeIds: ids([...seen, ...due]),
      due: ids(due),
      isProven: new Set(due.map(({ exchange }) => exchange.module)).size >= fewest.modules
    }
  })

/** The judgement where every request is refused alike: the first check that finds it reports it, and blocks the others. */
export const inLightOfSameRefusal = (
  check: Check,
  judgement: Judgement,
  evidence: Evidence,
  run: Run
): Judgement => {
  const refusal = sameRefusalIn(evidence, run)
  if (refusal === undefined) return judgement
  const reporting = run.checks.find((one) => reports(one, refusal, evidence, run))
  if (reporting === undefined) return judgement
  const [exchangeId] = refusal.due
  const what = `every request to a functional module was answered ${refusal.line}`
  const by = blocked({
    check: reporting.id,
    ...(exchangeId === undefined ? {} : { exchangeId }),
    what
  })
  const is = (id: string | undefined) => id !== undefined && refusal.exchangeIds.has(id)
  if (judgement.is === "fail") {
    const others = judgement.findings.filter((one) => !is(one.exchangeId))
    if (reporting.id === check.id) return { is: "fail", findings: [findingOf(refusal, what), ...others] }
    return others.length > 0 ? { is: "fail", findings: others } : by
  }
  if (reporting.id === check.id) return judgement
  if (judgement.is === "inconclusive" && isBlockedByIt(judgement, refusal, run)) return by
  return refusal.isProven && isUnfounded({ check, judgement }, refusal, evidence, run) ? by : judgement
}

/** Is one of the findings about a request that every partner has to accept? */
const reports = (
  one: Check,
  { due }: SameRefusal,
  evidence: Evidence,
  { checks, judge, scope }: Run
): boolean => {
  const probes = dueIn(checks, scope)
  if (!one.needs(scope).some((id) => probes.includes(id))) return false
  // A check that still waits for other evidence reports it later: the same check is named all along.
  const judgement = judgedSoFar(one, evidence, scope, judge)
  return (
    judgement.is === "fail" &&
    judgement.findings.some(({ exchangeId }) => exchangeId !== undefined && due.has(exchangeId))
  )
}

/** Is the check blocked by a refused request, or by a check that found nothing else? */
function isBlockedByIt(
  { blockedBy }: Extract<Judgement, { readonly is: "inconclusive" }>,
  { exchangeIds }: SameRefusal,
  { checks, judge }: Run
): boolean {
  if (blockedBy?.exchangeId !== undefined) return exchangeIds.has(blockedBy.exchangeId)
  const other = checks.find(({ id }) => id === blockedBy?.check)
  const found = other === undefined ? undefined : judge(other)
  return (
    found?.is === "fail" &&
    found.findings.every(({ exchangeId }) => exchangeId !== undefined && exchangeIds.has(exchangeId))
  )
}

/** Does the judgement rest on nothing but refused requests, and on what was not sent for want of another answer? */
function isUnfounded(
  { check, judgement }: { readonly check: Check; readonly judgement: Judgement },
  { exchangeIds }: SameRefusal,
  evidence: Evidence,
  { scope }: Run
): boolean {
  const gathered = check.needs(scope).map((id) => evidence.gathered(id))
  const isOfRefused = (one: (typeof gathered)[number]) =>
    one !== undefined &&
    !isWithheld(one) &&
    one.seen.length > 0 &&
    one.seen.every(({ exchange }) => exchangeIds.has(exchange.id))
  if (judgement.is === "pass") return gathered.length > 0 && gathered.every(isOfRefused)
  const isForWant =
    judgement.is === "inconclusive" &&
    judgement.outcome === "not_tested" &&
    judgement.attribution === undefined &&
    check.second !== true &&
    check.hub === undefined
  return (
    isForWant &&
    gathered.every((one) => isOfRefused(one) || (one !== undefined && isWithheld(one) && isForWantOf(one)))
  )
}

function findingOf({ due, line }: SameRefusal, message: string): Finding {
  const [exchangeId] = due
  return {
    message,
    expected: "HTTP 200 or 201, status_code 1000 for requests that are valid",
    actual: line,
    hint: "Look for what all these requests have in common: the token, the gateway in front of your service, the addresses in your version details.",
    ...(exchangeId === undefined ? {} : { exchangeId })
  }
}

/** Requests that every partner has to accept: of each list, and those that checks of the run require. */
const dueIn = (checks: ReadonlyArray<Check>, scope: SuiteScope): ReadonlyArray<string> => [
  ...listsOf(scope.profile, scope.role).map((list) => `${list}.list`),
  ...checks
    .flatMap((check) => check.requires?.(scope) ?? [])
    .flatMap((one) => ("answers" in one && (one.rule ?? accepted) === accepted ? [one.answers] : []))
]

/** The answers of functional modules to our requests, each once. */
function answersOf(evidence: Evidence, probes: ReadonlyArray<string>): ReadonlyArray<Answered> {
  const answers = probes.flatMap(evidence.seen).filter(isOfModule).flatMap(asAnswered)
  const byId = new Map(answers.map((one) => [one.exchange.id, one]))
  return [...byId.values()].filter(({ response }) => response.httpStatus !== tooManyRequests)
}

const isOfModule = ({ exchange, followedBy, page }: Observation): boolean =>
  exchange.direction === "outbound" &&
  page !== true &&
  followedBy === undefined &&
  isFunctional(exchange.module)
