/** What a CPO lets one EMSP do to the sessions and reservations of another (mod_commands). */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { objectIn, sameId } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import type { Party } from "../../../store/parties/Party.ts"
import { type Check, inconclusive, type Judgement, noneOf, notGathered } from "../../model/Check.ts"
import { type Evidence, isWithheld } from "../../model/Evidence.ts"
import {
  answerOf,
  blockedByLegs,
  callAt,
  isAccepted,
  isDone,
  legsOf,
  resultIn,
  resultStep
} from "../shared/commandLegs.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { commandsBase } from "./commandBase.ts"
import { idOf, listedAt, namesToken } from "./commandSessions.ts"
import { ownedSession, ownersToken, sameReservation, secondStatus, strangeStop } from "./secondPartyProbes.ts"

const cancels = versionsWhere(({ commands }) => commands.includes("CANCEL_RESERVATION"))

const strangeStopStep = `${strangeStop}#strange stop`
const [firstOrder, secondOrder, cancel, secondCancel] = [
  `${sameReservation}#reserve`,
  `${sameReservation}#second reserve`,
  `${sameReservation}#cancel`,
  `${sameReservation}#second cancel`
]

/** Results that refuse a command about an object of another EMSP, or that say that it does not exist. */
const refusals: ReadonlyArray<string | undefined> = [
  "REJECTED",
  "FAILED",
  "UNKNOWN_SESSION",
  "UNKNOWN_RESERVATION"
]

/**
 * Do the two registrations show different parties? A partner that knows its EMSPs by country code and party id may take
 * two with the same one for one. Our own sandbox knows them by their registration.
 */
export const areTwo = (party: Party, second: Party | undefined, trusted: ReadonlyArray<string>): boolean =>
  second !== undefined &&
  (!sameId(party.identity.partyId, second.identity.partyId) ||
    !sameId(party.identity.countryCode, second.identity.countryCode) ||
    trusted.some((prefix) => party.counterpart.versionsUrl.startsWith(prefix)))

/** Findings count only when the partner can tell the two EMSPs apart; otherwise the check is unobservable. */
const found = (evidence: Evidence, findings: ReadonlyArray<Finding>, actual: string): Judgement => {
  const { party, second, trustedPrefixes } = evidence
  const [first] = findings
  if (first === undefined || areTwo(party, second, trustedPrefixes)) return noneOf(findings, actual)
  const { countryCode, partyId } = party.identity
  return inconclusive(
    "unobservable",
    `${first.message}; but both connections show the party ${countryCode}-${partyId}, and the partner may take them for one EMSP`
  )
}

const about = (evidence: Evidence, step: string) => {
  const seen = stepOf(evidence, step)
  return seen === undefined ? {} : { exchangeId: seen.exchange.id }
}

/** Had the session ended before its own EMSP stopped it? */
const endedBefore = (evidence: Evidence): boolean => {
  const id = idOf(ownedSession(evidence))
  const listed = listedAt(evidence, `${strangeStop}#sessions after`, ownersToken(evidence)).find(({ json }) =>
    sameId(json["id"], id)
  )
  const pushed = callAt(evidence, `${strangeStop}#completed`)
  const stopped = stepOf(evidence, `${strangeStop}#stop`)
  return (
    sessionStatus(listed?.json) === "COMPLETED" ||
    (pushed !== undefined &&
      stopped !== undefined &&
      Date.parse(pushed.exchange.startedAt) < Date.parse(stopped.exchange.startedAt))
  )
}

/** Is a session of that id listed to the second EMSP, of another driver? Then that is the one that it has stopped. */
const isItsOwn = (evidence: Evidence): boolean => {
  const seen = stepOf(evidence, `${strangeStop}#their sessions`)
  const data = seen === undefined ? undefined : dataOf(seen)
  const id = idOf(ownedSession(evidence))
  return (
    Array.isArray(data) &&
    data.some(
      (json) => sameId(objectIn(json)["id"], id) && !namesToken(json, ownersToken(evidence), evidence)
    )
  )
}

/**
 * Judge what a CPO lets one EMSP do to sessions and reservations of another (mod_commands, StopSession and ReserveNow
 * Objects).
 */
export const secondPartyChecks: ReadonlyArray<Check> = [
  {
    ...commandsBase,
    id: "CMD-027",
    second: true,
    title: "STOP_SESSION: refused for a session of another EMSP",
    strength: "should",
    reference: "mod_commands, StopSession Object",
    sends: "STOP_SESSION by a second EMSP of ours for a session of the first",
    passes: "REJECTED or UNKNOWN_SESSION, and the session goes on",
    hint: "Look the session up among those of the EMSP whose token came with the command.",
    partial: true,
    needs: () => [
      strangeStopStep,
      resultStep(strangeStopStep),
      `${strangeStop}#their sessions`,
      `${strangeStop}#sessions after`,
      `${strangeStop}#stop`,
      `${strangeStop}#completed`
    ],
    judge: (evidence) => {
      if (stepOf(evidence, strangeStopStep) === undefined) {
        const gathered = evidence.gathered(strangeStopStep)
        return gathered !== undefined && isWithheld(gathered)
          ? notGathered(gathered)
          : inconclusive("not_tested", "the second EMSP has sent no STOP_SESSION")
      }
      if (isItsOwn(evidence))
        return inconclusive("not_tested", "the second EMSP has a session with that id, too")
      const legs = legsOf(evidence, strangeStopStep)
      const isTaken =
        isAccepted(evidence, strangeStopStep) &&
        !refusals.includes(resultIn(callAt(evidence, resultStep(strangeStopStep))))
      return found(
        evidence,
        [
          ...(endedBefore(evidence)
            ? [
                {
                  message: "STOP_SESSION of one EMSP ended the session of another",
                  expected: "REJECTED or UNKNOWN_SESSION, and the session goes on",
                  actual: `${legs}, and the session is COMPLETED`,
                  ...about(evidence, strangeStopStep)
                }
              ]
            : []),
          ...(isTaken
            ? [
                {
                  message: "STOP_SESSION for the session of another EMSP was accepted",
                  expected: "REJECTED or UNKNOWN_SESSION",
                  actual: legs,
                  ...about(evidence, strangeStopStep)
                }
              ]
            : [])
        ],
        legs
      )
    }
  },
  {
    ...commandsBase,
    id: "CMD-036",
    second: true,
    versions: cancels,
    title: "RESERVE_NOW: two EMSPs can use the same reservation_id",
    reference: "mod_commands, ReserveNow Object",
    sends:
      "RESERVE_NOW by two EMSPs of ours at two EVSEs with one reservation_id, CANCEL_RESERVATION by the first, then by the second",
    passes: "the second EMSP's EVSE stays RESERVED, and its reservation can be cancelled",
    hint: "Identify reservations by EMSP and reservation_id together.",
    partial: true,
    needs: () => [
      firstOrder,
      resultStep(firstOrder),
      secondOrder,
      resultStep(secondOrder),
      `${sameReservation}#look before`,
      cancel,
      resultStep(cancel),
      `${sameReservation}#look after`,
      secondCancel,
      resultStep(secondCancel)
    ],
    judge: (evidence) => {
      const undone = [firstOrder, secondOrder, cancel].find((step) => !isDone(evidence, step))
      if (undone !== undefined) return blockedByLegs(evidence, undone)
      const [before, after] = [secondStatus(evidence, "look before"), secondStatus(evidence, "look after")]
      const isFreed = before === "RESERVED" && after !== undefined && after !== "RESERVED"
      const result = resultIn(callAt(evidence, resultStep(secondCancel)))
      const isGone =
        answerOf(stepOf(evidence, secondCancel)) === "REJECTED" || result === "UNKNOWN_RESERVATION"
      if (!isFreed && !isGone && after !== "RESERVED" && !isDone(evidence, secondCancel))
        return inconclusive(
          "unobservable",
          `the EVSE is not shown as RESERVED, and the second cancellation was answered ${legsOf(evidence, secondCancel)}`
        )
      return found(
        evidence,
        [
          ...(isFreed
            ? [
                {
                  message: "the EVSE of the second EMSP was freed when the first one cancelled",
                  expected: "RESERVED",
                  actual: inWords(after),
                  ...about(evidence, `${sameReservation}#look after`)
                }
              ]
            : []),
          ...(isGone
            ? [
                {
                  message: "the second EMSP's reservation is gone since the first one cancelled its own",
                  expected: "ACCEPTED, then ACCEPTED",
                  actual: legsOf(evidence, secondCancel),
                  ...about(evidence, secondCancel)
                }
              ]
            : [])
        ],
        legsOf(evidence, secondCancel)
      )
    }
  }
]
