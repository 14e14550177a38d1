/** The two legs of a command as a script saw them: the answer, and the result that came to the response_url. */

import type { BlockedBy } from "../../../../schema/Assertion.ts"
import {
  authorizationIn,
  authorizationOf,
  dataOf,
  named,
  requestName,
  statusLine,
  succeeded,
  undelivered
} from "../../../findings/answers.ts"
import { mismatches } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { isObject, textIn } from "../../../findings/json.ts"
import { answerLeg, resultLeg } from "../../../party/wire/commandLegs.ts"
import { blocked, inconclusive, type Judgement, notGathered } from "../../model/Check.ts"
import {
  type Answered,
  type Evidence,
  isWithheld,
  type NotGathered,
  type Observation,
  probeOf
} from "../../model/Evidence.ts"
import type { ProbeRule } from "../../model/expects.ts"
import {
  type Awaiting,
  type ProbeRequest,
  type ProbeStep,
  type StepAct,
  withheld,
  withheldBy
} from "../../model/Probe.ts"
import { resultAt, stepOf } from "./stepAnswers.ts"

/** Seconds for a result in versions whose CommandResponse has no timeout. */
const usualSeconds = 60
/** Seconds to wait beyond the timeout, so that a late result is told from none. */
const graceSeconds = 10
/** Longest timeout that is waited for, in seconds. */
const longestPromise = 120
/** Seconds to wait for a result after a refusal, when none is due. */
const quietSeconds = 2

/** Word of the answer to a command (or of a request about a charging profile); undefined when it has none. */
export const answerOf = (seen: Answered | undefined): string | undefined =>
  seen === undefined || !succeeded(seen) ? undefined : textIn(answerLeg(dataOf(seen)).said?.["result"])

/** The finding that a command was not answered as expected; `actual` is the result, or else HTTP status and status_code. */
export const unexpectedAnswer = (
  seen: Answered,
  expected: string,
  more: Pick<Finding, "hint" | "strength"> = {}
): Finding => {
  const actual = answerOf(seen) ?? statusLine(seen)
  return finding(seen, `${named(seen)} was answered ${actual}, and ${expected} is due`, {
    expected,
    actual,
    ...more
  })
}

/** The answer to a command is `expected` when `holds`. */
export const answersWith =
  (expected: string, holds: (seen: Answered) => boolean): ProbeRule =>
  (seen) =>
    unless(holds(seen), () => unexpectedAnswer(seen, expected))

/** As `ofWrong`, of a command: it was accepted where the answer says so in its word. */
export const ofWrongCommand =
  <C extends ReadonlyArray<unknown>>(rule: (seen: Answered, ...context: C) => ReadonlyArray<Finding>) =>
  (seen: Answered, ...context: C): ReadonlyArray<Finding> =>
    rule(seen, ...context).map(({ isWronglyAccepted: _, ...one }) =>
      answerOf(seen) === "ACCEPTED" ? { ...one, isWronglyAccepted: true } : one
    )

/** The answer is one of these words. */
export const isWord =
  (...words: ReadonlyArray<string>) =>
  (seen: Answered): boolean =>
    words.includes(answerOf(seen) ?? "")

/** Word of the result that a call brought. */
export const resultIn = (seen: Observation | undefined): string | undefined =>
  seen === undefined ? undefined : textIn(resultLeg(seen.json).said?.["result"])

/** Did the result come with a token that is not ours? */
export const isTurnedAway = ({ exchange }: Observation): boolean => exchange.response?.httpStatus === 401

/** Was it turned away unread? Only of a caller that we know is the body kept. */
export const isUnread = (seen: Observation): boolean =>
  isTurnedAway(seen) && seen.exchange.request.body === null

/** The finding that a call came without our token. `what`: the result, or the call. */
export const strangeToken = (call: Observation, what: string): Finding =>
  finding(call, `${what} came ${withoutOurs(authorizationIn(call))}`, {
    expected: "our token of the registration",
    actual: authorizationOf(call)
  })

function withoutOurs(authorization: string | undefined): string {
  if (authorization === undefined) return "without an Authorization header"
  return /^Token\s*$/.test(authorization)
    ? "without a token in its Authorization header"
    : "with another token than the one that we issued for such calls"
}

/** The step in which the result of a command is waited for. */
export const resultStep = (step: string): string => `${step} result`

/** Was the command of that step answered with ACCEPTED? */
export const isAccepted = (evidence: Evidence, step: string): boolean =>
  answerOf(stepOf(evidence, step)) === "ACCEPTED"

/** Words of an answer after which no result is due. */
const refusals = ["NOT_SUPPORTED", "REJECTED", "TIMEOUT", "TOO_OFTEN", "UNKNOWN_SESSION"]

/**
 * Was the command of that step refused, so that no result is due? What is answered with success and with none of its words may have
 * been accepted: other checks tell of that.
 */
export const isRefused = (evidence: Evidence, step: string): boolean => {
  const seen = stepOf(evidence, step)
  return seen !== undefined && (!succeeded(seen) || refusals.includes(answerOf(seen) ?? ""))
}

/** Accepted on both legs. */
export const isDone = (evidence: Evidence, step: string): boolean =>
  isAccepted(evidence, step) && resultIn(callAt(evidence, resultStep(step))) === "ACCEPTED"

/** Was the result of the accepted command waited for in vain? A wait that was not made says nothing. */
export const isUnheard = (evidence: Evidence, step: string): boolean => {
  const waited = evidence.gathered(resultStep(step))
  return (
    isAccepted(evidence, step) &&
    waited !== undefined &&
    isWithheld(waited) &&
    waited.withheld === "unobservable"
  )
}

/** The call that a wait was for; undefined when it did not come. */
export const callAt = (evidence: Evidence, step: string): Observation | undefined => {
  const gathered = evidence.gathered(step)
  return gathered === undefined || isWithheld(gathered) ? undefined : gathered.seen[0]
}

/** What is wrong with the result of a command; CMD-008 reports one that was turned away unread. */
export function resultFlaws(evidence: Evidence, step: string): ReadonlyArray<Finding> {
  const call = callAt(evidence, resultStep(step))
  return call === undefined || isUnread(call)
    ? []
    : mismatches(call, evidence.profile.objects.CommandResult, resultLeg(call.json).said ?? call.json)
}

/**
 * A request of the same script that the partner did not take after it had accepted that command: it was away for a while, and what it
 * had accepted may be lost with it, or its result may have found no way to us.
 */
export const awayAfter = (evidence: Evidence, step: string): BlockedBy | undefined => {
  const answered = stepOf(evidence, step)?.exchange
  const later = evidence.seen(probeOf(step)).find(({ exchange }) => {
    const isLater = Date.parse(exchange.startedAt) >= Date.parse(answered?.startedAt ?? "")
    return exchange.direction === "outbound" && isLater && undelivered(exchange) !== undefined
  })
  return later === undefined
    ? undefined
    : {
        exchangeId: later.exchange.id,
        what: `no result came, and ${requestName(later.exchange)} after that ${undelivered(later.exchange)}`
      }
}

/** Seconds within which the result of that command is due: as the partner promised, or as usual. */
export const dueSeconds = (seen: Answered | undefined): number => {
  const data = seen === undefined ? undefined : dataOf(seen)
  const timeout = isObject(data) ? data["timeout"] : undefined
  return typeof timeout === "number" && timeout > 0 ? Math.min(timeout, longestPromise) : usualSeconds
}

/** `ACCEPTED, then FAILED`, or `ACCEPTED, then no result` where one was awaited; for readers. */
export const legsOf = (evidence: Evidence, step: string): string => {
  const seen = stepOf(evidence, step)
  const withoutWord = (seen: Answered) => `${statusLine(seen)}${succeeded(seen) ? " and no result" : ""}`
  const answer = seen === undefined ? "nothing" : (answerOf(seen) ?? withoutWord(seen))
  const call = callAt(evidence, resultStep(step))
  if (call !== undefined && isUnread(call))
    return `${answer}, then a result ${authorizationIn(call) === undefined ? "without a token" : "with a token that is not ours"}, which was refused with HTTP 401`
  if (call !== undefined) return `${answer}, then ${resultIn(call) ?? "a result with an unknown value"}`
  const isOwed = isAccepted(evidence, step) && evidence.gathered(resultStep(step)) !== undefined
  return isOwed ? `${answer}, then no result` : answer
}

/**
 * Two steps: the command, and its result: as long as promised, or for a moment when none is due. `by`: to whom the result
 * comes.
 */
export const commandSteps = (
  probe: string,
  id: string,
  send: (evidence: Evidence) => Extract<StepAct, { readonly send: ProbeRequest }> | NotGathered | undefined,
  by?: ProbeRequest["by"]
): ReadonlyArray<ProbeStep> => [{ id, act: send }, resultOfStep(probe, id, by)]

/** The same two steps, for a command that is sent only when a check of the run needs it. */
export const onlyForChecks: typeof commandSteps = (probe, id, send, by) => {
  const [order, ...result] = commandSteps(probe, id, send, by)
  return order === undefined ? [] : [{ ...order, forChecks: true }, ...result]
}

/** The step in which the result of the command of another step is waited for. */
export const resultOfStep = (probe: string, id: string, by?: ProbeRequest["by"]): ProbeStep => ({
  id: resultStep(id),
  act: (evidence) => {
    const step = `${probe}#${id}`
    const seen = stepOf(evidence, step)
    if (seen === undefined) return undefined
    const { exchange } = seen
    // Counted from the answer: several commands may be open at a time.
    const due = {
      ...resultAt(step, dueSeconds(seen) + graceSeconds),
      from: Date.parse(exchange.startedAt) + exchange.durationMs,
      kind: seen.exchange.module === "chargingprofiles" ? "result about a charging profile" : "command result"
    } as const
    const wait = isAccepted(evidence, step) ? due : resultAt(step, quietSeconds)
    return { wait: { ...wait, ...(by === undefined ? {} : { by }) } }
  }
})

/** How long is waited for what follows from a command whose result did not come, or is not ACCEPTED, in seconds. */
const unheardSeconds = 10

/**
 * How long to wait for what follows from the command of that step: `seconds` when both legs are ACCEPTED; else a moment,
 * and when no result came, nothing that is missing is held against the partner.
 */
export const afterResult = (
  evidence: Evidence,
  step: string,
  seconds: number
): Pick<Awaiting, "seconds" | "shortBecause"> => {
  if (isDone(evidence, step)) return { seconds }
  return callAt(evidence, resultStep(step)) === undefined
    ? {
        seconds: unheardSeconds,
        shortBecause: `no result of the command came (${step}), so that what it leads to was awaited for ${unheardSeconds} s only`
      }
    : { seconds: unheardSeconds }
}

/** Ids of the checks that report a command whose answer has no known word, and one that was accepted and got no result. */
export interface LegChecks {
  readonly refused?: string
  readonly unheard?: string
}

/** How the command of that step was answered, as what blocks a check; undefined when no answer to it is known. */
const legsBlock = (
  evidence: Evidence,
  step: string,
  { refused, unheard }: LegChecks
): BlockedBy | undefined => {
  const seen = stepOf(evidence, step)
  if (seen === undefined) return undefined
  const result = callAt(evidence, resultStep(step))
  const isTold = result !== undefined && isUnread(result) && seen.exchange.module === "commands"
  const isUnheard = isAccepted(evidence, step) && result === undefined
  const check = answerOf(seen) === undefined ? refused : isTold ? "CMD-008" : isUnheard ? unheard : undefined
  return {
    ...(check === undefined ? {} : { check }),
    exchangeId: (isTold ? result : seen).exchange.id,
    what: `the partner answered ${named(seen)} with ${legsOf(evidence, step)}`
  }
}

const unknownAnswer = "the request that has to come before it was not sent"

/** Why the command of that step was not sent; undefined when it was, or when that is not known. */
const notSent = (evidence: Evidence, step: string): NotGathered | undefined => {
  const gathered = evidence.gathered(step)
  return gathered !== undefined && isWithheld(gathered) ? gathered : undefined
}

/** No judgement of what follows from the command of that step, because of how it was answered. */
export const blockedByLegs = (evidence: Evidence, step: string, checks: LegChecks = {}): Judgement => {
  const by = legsBlock(evidence, step, checks)
  if (by !== undefined) return blocked(by)
  const unsent = notSent(evidence, step)
  return unsent === undefined ? inconclusive("not_tested", unknownAnswer) : notGathered(unsent)
}

/** Why a step is left out that needs an accepted command; undefined when it was accepted. */
export const unlessAccepted = (
  evidence: Evidence,
  step: string,
  checks: LegChecks = {}
): NotGathered | undefined => {
  if (isAccepted(evidence, step)) return undefined
  const by = legsBlock(evidence, step, checks)
  return by === undefined
    ? (notSent(evidence, step) ?? withheld("not_tested", unknownAnswer))
    : withheldBy(by)
}

/** Why a step is left out that needs what the command of that step leads to: `missing`, and how the command was answered. */
export const withoutOutcome = (evidence: Evidence, step: string, missing: string): NotGathered => {
  const by = legsBlock(evidence, step, {})
  return by === undefined
    ? (notSent(evidence, step) ?? withheld("not_tested", unknownAnswer))
    : withheldBy({ ...by, what: `${missing}: ${by.what}` })
}
