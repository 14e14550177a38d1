/** A check about commands that a CPO cannot carry out: each answer is judged, and that none begins a session. */
import type { Finding } from "../../../../findings/Flaw.ts"
import { at } from "../../../../findings/finding.ts"
import { blocked, type Check, inconclusive, type Judgement, noneOf } from "../../../model/Check.ts"
import type { Answered, Evidence } from "../../../model/Evidence.ts"
import { noList } from "../../../model/unreadList.ts"
import { isAnsweredByRouter } from "../../shared/besideOcpi.ts"
import {
  answerOf,
  blockedByLegs,
  callAt,
  isAccepted,
  ofWrongCommand,
  resultIn,
  resultStep,
  unexpectedAnswer
} from "../../shared/commandLegs.ts"
import { stepOf } from "../../shared/stepAnswers.ts"
import { commandsBase, started } from "../commandBase.ts"
import { start } from "../remoteStartsProbes.ts"
import { order } from "../reservations/reservationSteps.ts"
import { unlock } from "../unlockingProbes.ts"
import { begunBy, wrong, wrongStep } from "./wrongCommandsProbes.ts"
import type { Wrong } from "./wrongRequests.ts"

/** Is the command accepted, and not taken back by its result? */
const isUnderWay = (evidence: Evidence, step: string) =>
  isAccepted(evidence, step) && [undefined, "ACCEPTED"].includes(resultIn(callAt(evidence, resultStep(step))))

/**
 * Sessions that commands have begun although each of that kind was refused. Where one was accepted, that is the finding.
 */
const begunAllTheSame = (
  evidence: Evidence,
  kind: Wrong,
  steps: ReadonlyArray<string>
): ReadonlyArray<Finding> =>
  steps.some((step) => isUnderWay(evidence, step))
    ? []
    : begunBy(evidence, kind).map(({ json, pointer, seen }) =>
        at(seen, pointer, "a session of a command that was refused has begun all the same", {
          expected: "no session",
          actual: json["id"]
        })
      )

/**
 * Is it a command that the partner does not offer at all, in either leg? That is its answer to such a command whatever is in it
 * (mod_commands, CommandResponseType and CommandResultType enums). A partner that starts sessions offers START_SESSION.
 */
export const isNotOffered = (seen: Answered, evidence: Evidence, step: string): boolean =>
  seen.exchange.operation !== "START_SESSION" &&
  [answerOf(seen), resultIn(callAt(evidence, resultStep(step)))].includes("NOT_SUPPORTED")

/** By the command, the step that sends a valid one, and the check that reports how it is refused. */
const validStart = { step: started, refused: "CMD-001" }
const validSteps: Readonly<Record<string, typeof validStart>> = {
  START_SESSION: validStart,
  RESERVE_NOW: { step: order, refused: "CMD-028" },
  UNLOCK_CONNECTOR: { step: `${unlock}#first`, refused: "CMD-038" }
}
/** As the rule, except that HTTP 501 and a URL without a route say that the command is not offered, and not what is wrong with it. */
export const ofOffered =
  (rule: WrongCommandRule["judge"]): WrongCommandRule["judge"] =>
  (seen, evidence, step) =>
    seen.response.httpStatus === 501 || hasNoRoute(seen, evidence)
      ? [
          unexpectedAnswer(seen, "NOT_SUPPORTED", {
            strength: "should",
            hint: "Answer a command that you do not offer with HTTP 200, status_code 1000 and result NOT_SUPPORTED."
          })
        ]
      : rule(seen, evidence, step)

/** Nothing is at the URL of that command, as far as is known: a valid one, where one was sent, was answered the same. */
function hasNoRoute(seen: Answered, evidence: Evidence): boolean {
  const name = seen.exchange.operation
  const valid = name === "STOP_SESSION" ? `${start}#stop` : validSteps[name]?.step
  const known = valid === undefined ? undefined : stepOf(evidence, valid)
  return (
    name !== "START_SESSION" && isAnsweredByRouter(seen) && (known === undefined || isAnsweredByRouter(known))
  )
}

/** Their steps, with the results. */
const validLegs = Object.values(validSteps).flatMap(({ step }) => [step, resultStep(step)])

/** The partner does not carry out a valid command of that kind either: that it does not carry out this one proves nothing. */
function unproven(seen: Answered, evidence: Evidence): Judgement | undefined {
  // Of a command that the version does not have there is no valid one.
  const valid = validSteps[seen.exchange.operation] ?? validStart
  return stepOf(evidence, valid.step) === undefined || isUnderWay(evidence, valid.step)
    ? undefined
    : blockedByLegs(evidence, valid.step, { refused: valid.refused })
}

/** How the answer to each wrong command is judged. */
interface WrongCommandRule {
  readonly judge: (seen: Answered, evidence: Evidence, step: string) => ReadonlyArray<Finding>
  /** Why no such command was answered. */
  readonly none: string
  /** Which of our tokens the commands name: the sessions that they have begun all the same are found by those. */
  readonly tokensOf?: Wrong
  /** Any refusal will do, so that it counts only where a valid command of that kind is carried out. */
  readonly anyRefusal?: true
  /** Is this command not judged? */
  readonly leavesOut?: (seen: Answered, evidence: Evidence, step: string) => boolean
}

/** A check about some of the wrong commands, each judged for itself; those that were left out do not count. */
export const wrongCommandCheck = (
  steps: ReadonlyArray<string>,
  check: Omit<Check, "needs" | "judge" | "partial" | keyof typeof commandsBase> &
    Partial<Pick<Check, "versions" | "strength" | "reference" | "requires">>,
  { anyRefusal, judge, leavesOut = () => false, none, tokensOf }: WrongCommandRule
): Check => {
  const ids = steps.map(wrongStep)
  return {
    ...commandsBase,
    ...check,
    partial: true,
    // Needed too: without locations there is no EVSE that a command could be about.
    needs: () => ["locations.list", ...ids.flatMap((id) => [id, resultStep(id)])],
    ifGathered: () => [...(tokensOf === undefined ? [] : [`${wrong}#sessions`]), ...validLegs],
    judge: (evidence) => {
      const answers = ids.flatMap((step) => {
        const seen = stepOf(evidence, step)
        return seen === undefined ? [] : [{ seen, step }]
      })
      const judged = answers.filter(({ seen, step }) => !leavesOut(seen, evidence, step))
      if (judged.length === 0)
        return answers.length === 0
          ? withoutCommand(evidence, none)
          : inconclusive("not_applicable", "the partner does not offer the command: it answers NOT_SUPPORTED")
      const findings = [
        ...judged.flatMap(({ seen, step }) => ofWrongCommand(judge)(seen, evidence, step)),
        ...(tokensOf === undefined ? [] : begunAllTheSame(evidence, tokensOf, ids))
      ]
      const without = anyRefusal === true ? judged.flatMap(({ seen }) => unproven(seen, evidence) ?? []) : []
      return findings.length === 0 && without[0] !== undefined && without.length === judged.length
        ? without[0]
        : noneOf(findings, `${judged.length - without.length} commands looked at`)
    }
  }
}

/** No such command was sent: since the list of locations could not be read, or for the reason given. */
function withoutCommand(evidence: Evidence, reason: string): Judgement {
  const unread = noList("locations", evidence.answered("locations.list")[0])
  return unread === undefined ? inconclusive("unobservable", reason) : blocked(unread)
}
