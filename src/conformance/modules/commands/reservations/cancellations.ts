/** How reservations end (mod_commands). */

import { finding, unless, when } from "../../../../findings/finding.ts"
import { objectIn, sameId } from "../../../../findings/json.ts"
import { inWords } from "../../../../findings/words.ts"
import { sessionStatus } from "../../../../ocpi/sessionStatus.ts"
import { type Check, inconclusive, noneOf } from "../../../model/Check.ts"
import type { Observation } from "../../../model/Evidence.ts"
import { onAllCalls } from "../../shared/allCalls.ts"
import {
  blockedByLegs,
  callAt,
  isAccepted,
  isDone,
  legsOf,
  resultFlaws,
  resultIn,
  resultStep
} from "../../shared/commandLegs.ts"
import { sessionIdOf } from "../../shared/sessionIdOf.ts"
import { isResultOf, stepOf } from "../../shared/stepAnswers.ts"
import { idOf, isListCut, listedAt, unreadSession } from "../commandSessions.ts"
import { notReserved, order, readStatus, reservationsBase, withSession } from "./reservationSteps.ts"
import {
  expire,
  expiringSession,
  expiringToken,
  reserve,
  reservedSession,
  reservingToken
} from "./reservingProbes.ts"

const cancel = `${reserve}#cancel`

/**
 * Judge how reservations end: cancelled by the EMSP, expired, or cancelled by the CPO (mod_commands, CancelReservation
 * Object; mod_sessions, SessionStatus enum).
 */
export const cancellationsChecks: ReadonlyArray<Check> = [
  {
    ...reservationsBase,
    id: "CMD-033",
    consequenceOf: ["CMD-030", "CMD-026", "CMD-034"],
    versions: withSession,
    title: "CANCEL_RESERVATION: the session is COMPLETED, and the EVSE is not RESERVED",
    reference: "mod_commands, CancelReservation Object; mod_sessions, SessionStatus enum",
    sends: "CANCEL_RESERVATION of a reservation that was made",
    passes: "ACCEPTED in CommandResponse and CommandResult, the session COMPLETED, the EVSE not RESERVED",
    hint: "Free the EVSE, complete the session, and push both.",
    needs: () => [
      order,
      resultStep(order),
      cancel,
      resultStep(cancel),
      `${reserve}#ended`,
      `${reserve}#freed`,
      `${reserve}#look freed`,
      `${reserve}#sessions after`
    ],
    // A result that has no word of its type says nothing of the reservation.
    requires: () => [{ check: "CMD-007", unless: (evidence) => resultFlaws(evidence, cancel).length === 0 }],
    judge: (evidence) => {
      if (notReserved(evidence) !== undefined) return notReserved(evidence)!
      if (stepOf(evidence, cancel) === undefined)
        return inconclusive("not_tested", "the reservation was not cancelled")
      const id = idOf(reservedSession(evidence))
      const listed = listedAt(evidence, `${reserve}#sessions after`, reservingToken(evidence)).find(
        ({ json }) => sameId(json["id"], id)
      )
      const isEnded =
        callAt(evidence, `${reserve}#ended`) !== undefined || sessionStatus(listed?.json) === "COMPLETED"
      const status = readStatus(evidence, "look freed")
      const isUnread =
        id !== undefined &&
        !isEnded &&
        listed === undefined &&
        isListCut(evidence, `${reserve}#sessions after`)
      const findings = [
        ...unless(isDone(evidence, cancel), () =>
          finding(stepOf(evidence, cancel), "the reservation was not cancelled", {
            expected: "ACCEPTED, then ACCEPTED",
            actual: legsOf(evidence, cancel)
          })
        ),
        ...unless(id === undefined || isEnded || isUnread, () =>
          finding(stepOf(evidence, cancel), "the session of the cancelled reservation is not COMPLETED", {
            expected: "COMPLETED",
            actual: inWords(listed?.json["status"] ?? "no push")
          })
        ),
        ...when(status === "RESERVED" && callAt(evidence, `${reserve}#freed`) === undefined, () =>
          finding(stepOf(evidence, cancel), "the EVSE of the cancelled reservation is still RESERVED", {
            expected: "AVAILABLE",
            actual: "RESERVED"
          })
        )
      ]
      return isUnread && findings.length === 0 ? unreadSession : noneOf(findings)
    }
  },
  {
    ...reservationsBase,
    id: "CMD-035",
    consequenceOf: ["CMD-033", "CMD-026"],
    versions: withSession,
    title: "RESERVE_NOW: the session is COMPLETED within 5 minutes after expiry_date",
    reference: "mod_sessions, SessionStatus enum",
    sends: "RESERVE_NOW for 20 seconds",
    passes: "the session is COMPLETED within 5 minutes after expiry_date",
    hint: "Complete the session of a reservation when its expiry_date is over.",
    needs: () => [
      `${expire}#reserve`,
      resultStep(`${expire}#reserve`),
      `${expire}#session`,
      `${expire}#expired`,
      `${expire}#sessions`
    ],
    judge: (evidence) => {
      const step = `${expire}#reserve`
      const none = notReserved(evidence, step)
      if (none !== undefined) return none
      const id = idOf(expiringSession(evidence))
      if (id === undefined) return inconclusive("not_tested", "the reservation has no session")
      const listed = listedAt(evidence, `${expire}#sessions`, expiringToken(evidence)).find(({ json }) =>
        sameId(json["id"], id)
      )
      const isEnded =
        callAt(evidence, `${expire}#expired`) !== undefined || sessionStatus(listed?.json) === "COMPLETED"
      if (!isEnded && listed === undefined && isListCut(evidence, `${expire}#sessions`)) return unreadSession
      return noneOf(
        unless(isEnded, () =>
          finding(stepOf(evidence, step), "the session of an expired reservation is not COMPLETED", {
            expected: "COMPLETED",
            actual: "not COMPLETED"
          })
        )
      )
    }
  },
  {
    ...reservationsBase,
    id: "CMD-037",
    versions: withSession,
    mode: "OBS",
    title: "CANCELED_RESERVATION: posted when the CPO cancels a reservation",
    reference: "mod_commands, CommandResultType enum",
    sends: "no request: the check looks at what comes to the response_url of RESERVE_NOW",
    passes: "CANCELED_RESERVATION comes to the response_url of RESERVE_NOW, and the session is COMPLETED",
    hint: "POST CANCELED_RESERVATION when the operator cancels, and complete the session.",
    needs: () => [order, resultStep(order), "commands.reserve-calls"],
    judge: onAllCalls("commands.reserve-calls", ["sessions"], (evidence) => {
      const calls = evidence.seen("commands.reserve-calls")
      const cancelled = calls.filter(
        (call) =>
          resultIn(call) === "CANCELED_RESERVATION" &&
          [order, `${reserve}#again`, `${expire}#reserve`].some((step) => isResultOf(call, evidence, step))
      )
      if (cancelled.length === 0)
        return isAccepted(evidence, order)
          ? inconclusive(
              "unobservable",
              "the partner cancelled no reservation: cancel one at the CPO while the run goes on"
            )
          : blockedByLegs(evidence, order, { refused: "CMD-028" })
      // Only cancellations before our own CANCEL_RESERVATION are the CPO's; their session must then be COMPLETED.
      const asked = Date.parse(stepOf(evidence, cancel)?.exchange.startedAt ?? evidence.startedAt)
      const isBefore = ({ exchange }: Observation) => Date.parse(exchange.startedAt) < asked
      // The end of another session, such as one that was started and stopped, says nothing of that of the reservation.
      const isOver = (id: string) => calls.some((call) => isBefore(call) && isEndOf(call, id))
      const ofTheirs = cancelled.filter(isBefore).flatMap((call) => {
        const isOfExpiring = isResultOf(call, evidence, `${expire}#reserve`)
        const id = idOf(isOfExpiring ? expiringSession(evidence) : reservedSession(evidence))
        return id === undefined ? [] : [{ call, id }]
      })
      return noneOf(
        ofTheirs
          .filter(({ id }, index) => ofTheirs.findIndex((one) => one.id === id) === index && !isOver(id))
          .map(({ call: { exchange } }) =>
            finding({ exchange }, "the session of a reservation that the CPO cancelled is not COMPLETED", {
              expected: "the session COMPLETED",
              actual: "no such push"
            })
          )
      )
    })
  }
]

/** Does the call push that session as COMPLETED? */
function isEndOf(call: Observation, id: string): boolean {
  return (
    call.exchange.module === "sessions" &&
    sessionStatus(objectIn(call.json)) === "COMPLETED" &&
    sameId(sessionIdOf(call), id)
  )
}
