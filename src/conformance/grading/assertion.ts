/** From a judgement to an assertion: strength and profile, whose act it is, and what a partner's developer is told. */

import type { Assertion, Attribution, BlockedBy, FindingKind, Strength } from "../../../schema/Assertion.ts"
import type { Finding } from "../../findings/Flaw.ts"
import { kindsInWords, kindsOf } from "../../findings/kinds.ts"
import { objectNameAt } from "../../findings/objectNames.ts"
import { partnerWords } from "../../findings/partnerWords.ts"
import { hintOfRefusal } from "../../findings/refusalReadings.ts"
import { curlLine } from "../../reports/curl.ts"
import { type Check, type Judgement, probesFor, type SuiteScope } from "../model/Check.ts"
import { type Evidence, type Observation, probeOf } from "../model/Evidence.ts"
import { isTooLargeList } from "../model/unreadList.ts"
import { everyObservationOf, type GradingRules } from "./judgement.ts"

/** How many exchanges an assertion names at most, where no finding names them: some rules look at every answer of a run. */
const namedExchanges = 100

/** Prefix of the message of a check that passed with findings, because its rule is a `may`. */
export const notedBy = "noted: "

const weaker: Readonly<Record<Strength, number>> = { must: 0, should: 1, may: 2 }

/** A check with its judgement, or one kind of it. */
interface JudgedCheck<Is extends Judgement["is"] = Judgement["is"]> {
  readonly check: Check
  readonly judgement: Extract<Judgement, { readonly is: Is }>
  /** What it was graded on. */
  readonly judged: ReadonlyArray<Observation>
}

/** The assertion that says a judgement, in the profile of the run. */
export function assertionOf(
  { check, judged, judgement }: JudgedCheck,
  evidence: Evidence,
  rules: GradingRules
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
    const isOurLimit = blockedBy !== undefined && isTooLargeList(blockedBy, evidence)
    const attribution = isOurLimit ? "ours" : (judgement.attribution ?? usualAttribution[outcome])
    return {
      ...shared,
      outcome,
      reason,
      expected: check.passes,
      ...(attribution === undefined ? {} : { attribution }),
      ...(blockedBy === undefined ? {} : { blockedBy, ...wordsOf(blockedBy, check, evidence, rules.scope) })
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
  return { ...shared, ...partsOfFailure({ check, judged, judgement }, evidence, rules) }
}

/** What an assertion says of findings, the worst of which decides its outcome. */
function partsOfFailure(
  { check, judged, judgement }: JudgedCheck<"fail">,
  evidence: Evidence,
  { profile, scope }: GradingRules
): Omit<Assertion, "id" | "title" | "strength" | "reference"> {
  const strengthOf = (finding: Finding) => finding.strength ?? check.strength
  // Among equally strong ones, what the text says plainly comes before what can be read in two ways.
  const findings = judgement.findings.toSorted(
    (a, b) =>
      weaker[strengthOf(a)] - weaker[strengthOf(b)] ||
      Number(a.ambiguous !== undefined) - Number(b.ambiguous !== undefined)
  )
  const worst = findings[0] ?? { message: "a finding without a message" }
  const ambiguity = worst.ambiguous ?? check.ambiguous
  const lenient =
    profile === "lenient" && (ambiguity !== undefined || check.lenient?.(scope.profile) === true)
  const outcome = outcomeOf(strengthOf(worst), lenient)
  const every = everyObservationOf(check, evidence, scope)
  const seenAt = (exchangeId: string | undefined) => every.find(({ exchange }) => exchange.id === exchangeId)
  const seenBy = (one: Finding) => seenAt(one.exchangeId)
  const shown = seenBy(worst) ?? judged[0]
  const said = seenBy(worst) === undefined ? undefined : wordsIn(seenBy(worst))
  const usual = (one: Pick<Finding, "hint">) =>
    one.hint ?? check.hint ?? `Change it so that this holds: ${check.passes}.`
  const hintOf = (one: HintedFinding) => {
    const first = hintOfAnswer(
      one,
      judged.find(({ exchange }) => exchange.id === (one.exchangeId ?? one.places?.[0]?.exchangeId))
    )
    return first === undefined ? usual(one) : `${first} ${usual(one)}`
  }
  const hint = hintOf(worst)
  const kinds = kindsOf(findings, check.strength, (one) => objectOf(one, seenBy(one))).map(
    ({ hint: _, ...kind }, index, all) => ({
      ...kind,
      ...(hintOf(all[index]!) === hint ? {} : { hint: hintOf(all[index]!) }),
      ...reproducible(seenAt(kind.places[0]?.exchangeId))
    })
  )
  const note = noteOf(outcome, lenient && strengthOf(worst) === "must", ambiguity)
  return {
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
    ...(check.consequenceOf === undefined ? {} : { consequenceOf: check.consequenceOf }),
    hint,
    ...reproducible(shown)
  }
}

/**
 * The attribution of an outcome whose judgement names none. A check is `unobservable` when nobody did what it waits for, which
 * a person at the partner can do. A check is `not_tested` because of what the partner answered or has; every other reason has its
 * attribution in the judgement.
 */
const usualAttribution: Readonly<Partial<Record<Assertion["outcome"], Attribution>>> = {
  error: "ours",
  not_tested: "partner",
  unobservable: "operator"
}

/** The partner's words in the exchange that blocks a check. */
function wordsOf({ exchangeId }: BlockedBy, check: Check, evidence: Evidence, scope: SuiteScope) {
  // A step may be blocked by another one of its script.
  const seen = probesFor(check, scope)
    .flatMap((id) => [...evidence.seen(id), ...evidence.seen(probeOf(id))])
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

/** A finding, or a kind of them. */
type HintedFinding = Pick<Finding, "expected" | "exchangeId" | "hint"> & Partial<Pick<FindingKind, "places">>

/** The answer to POST and PUT credentials has the token in it (credentials, POST and PUT Methods). */
const notLater =
  "Carry out a request about credentials before you answer it: there is no second answer, so that HTTP 202 hands over no token and ends nothing that we could see."

/** What an expectation says that only an accepted request fulfils. */
const ofSuccess = /^(HTTP 20\d|success|status_code 1\d{3})/

/** Where a request is refused that was to be accepted: what the HTTP status means, before what the check says in general. */
const hintOfAnswer = (
  { expected = "" }: HintedFinding,
  seen: Observation | undefined
): string | undefined => {
  const response = seen?.exchange.direction === "outbound" ? seen.exchange.response : null
  if (response === null || !ofSuccess.test(expected)) return undefined
  if (response.httpStatus === 202 && seen?.exchange.module === "credentials") return notLater
  return response.httpStatus < 300 ? undefined : hintOfRefusal(response)
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
