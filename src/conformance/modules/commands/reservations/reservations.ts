/** Reservations at a CPO (mod_commands): made, prolonged, cancelled, left to expire. */

import { dataOf } from "../../../../findings/answers.ts"
import { success } from "../../../../findings/expectations.ts"
import { finding, unless, when } from "../../../../findings/finding.ts"
import { violations } from "../../../../findings/violations/violations.ts"
import { inWords } from "../../../../findings/words.ts"
import { isReservation } from "../../../../ocpi/reservedSession.ts"
import { type Check, inconclusive, noneOf } from "../../../model/Check.ts"
import { callAt, isDone, legsOf, resultStep } from "../../shared/commandLegs.ts"
import { stepOf } from "../../shared/stepAnswers.ts"
import { isListCut, listedAt, unreadSession } from "../commandSessions.ts"
import { notReserved, order, readStatus, reservationsBase, withSession } from "./reservationSteps.ts"
import { reserve, reservedSession, reservingToken } from "./reservingProbes.ts"

/** Judge RESERVE_NOW: its answer, the EVSE, the session, and the same reservation again (mod_commands, ReserveNow Object). */
export const reservationsChecks: ReadonlyArray<Check> = [
  {
    ...reservationsBase,
    id: "CMD-028",
    consequenceOf: ["CMD-011"],
    title: "RESERVE_NOW: accepted with a reservation_id of the version's type",
    reference: "mod_commands, ReserveNow Object",
    passes: "status_code 1000 and a valid CommandResponse",
    hint: "Take RESERVE_NOW with the fields of the version: reservation_id is a number in 2.1.1 and a text later, evse_uid may be left out, and there is no connector_id.",
    requires: () => [{ check: "CMD-001", orWarned: true }],
    needs: () => [order],
    judge: (evidence) => {
      const seen = stepOf(evidence, order)
      if (seen === undefined) return inconclusive("not_tested", "no answer to RESERVE_NOW is known")
      const status = success(seen)
      const schema = evidence.profile.objects.CommandResponse
      const flaws = schema === undefined ? [] : violations(schema, dataOf(seen), ["data"])
      return noneOf(
        status.length > 0
          ? status
          : flaws
              // Other fields of the CommandResponse are judged by CMD-001 and CMD-002.
              .filter(({ pointer }) => pointer === "/data" || pointer === "/data/result")
              .map((flaw) => ({ ...flaw, exchangeId: seen.exchange.id })),
        legsOf(evidence, order)
      )
    }
  },
  {
    ...reservationsBase,
    id: "CMD-029",
    ofSilence: "push of an EVSE",
    title: "RESERVE_NOW: the EVSE has status RESERVED",
    strength: "should",
    reference: "mod_locations, Status enum",
    passes: "status RESERVED of the EVSE is pushed, or read by GET",
    hint: "Set the status of the EVSE to RESERVED and push it: other drivers rely on it.",
    needs: () => [order, resultStep(order), `${reserve}#reserved`, `${reserve}#look reserved`],
    judge: (evidence) => {
      const read = readStatus(evidence, "look reserved")
      if (notReserved(evidence) !== undefined) return notReserved(evidence)!
      return noneOf(
        unless(callAt(evidence, `${reserve}#reserved`) !== undefined || read === "RESERVED", () =>
          finding(stepOf(evidence, order), "the reserved EVSE is not shown as RESERVED", {
            expected: "RESERVED",
            actual: inWords(read ?? "no push")
          })
        )
      )
    }
  },
  {
    ...reservationsBase,
    id: "CMD-030",
    consequenceOf: ["CMD-020"],
    versions: withSession,
    title: "RESERVE_NOW: a session with status RESERVATION is pushed or listed",
    reference: "mod_sessions, SessionStatus enum, Reservation",
    passes:
      "a session with status RESERVATION is pushed or listed; RESERVED, the other word of the text, counts too",
    hint: "Push a session with status RESERVATION as soon as the reservation is made.",
    needs: () => [order, resultStep(order), `${reserve}#session`, `${reserve}#sessions`],
    judge: (evidence) => {
      if (notReserved(evidence) !== undefined) return notReserved(evidence)!
      const session = reservedSession(evidence)
      if (session === undefined && isListCut(evidence, `${reserve}#sessions`)) return unreadSession
      const status = session?.json["status"]
      return noneOf(
        unless(isReservation(status), () =>
          finding(
            stepOf(evidence, order),
            session === undefined
              ? "the reservation has no session"
              : "the session of the reservation does not have status RESERVATION",
            { expected: "status RESERVATION", actual: inWords(status ?? "no session") }
          )
        )
      )
    }
  },
  {
    ...reservationsBase,
    id: "CMD-031",
    consequenceOf: ["CMD-030", "CMD-029"],
    title: "RESERVE_NOW: a repeated reservation_id replaces the reservation",
    strength: "should",
    reference: "mod_commands, ReserveNow Object",
    sends: "RESERVE_NOW twice with one reservation_id, the second time for longer",
    passes: "ACCEPTED, no second session, and the EVSE stays RESERVED",
    hint: "Replace the reservation when the same reservation_id comes again for the same location.",
    needs: () => [
      order,
      resultStep(order),
      `${reserve}#again`,
      resultStep(`${reserve}#again`),
      `${reserve}#sessions`,
      `${reserve}#look again`
    ],
    judge: (evidence) => {
      if (notReserved(evidence) !== undefined) return notReserved(evidence)!
      const step = `${reserve}#again`
      if (stepOf(evidence, step) === undefined)
        return inconclusive("not_tested", "the reservation was not made again")
      const sessions = listedAt(evidence, `${reserve}#sessions`, reservingToken(evidence))
      const status = readStatus(evidence, "look again")
      return noneOf([
        ...unless(isDone(evidence, step), () =>
          finding(stepOf(evidence, step), "the reservation could not be replaced", {
            expected: "ACCEPTED",
            actual: legsOf(evidence, step)
          })
        ),
        ...when(sessions.length > 1, () =>
          finding(stepOf(evidence, step), "there is a second session of one reservation", {
            expected: "one session",
            actual: sessions.map(({ json }) => inWords(json["id"])).join(", ")
          })
        ),
        ...unless(status === undefined || status === "RESERVED", () =>
          finding(stepOf(evidence, step), "the EVSE is not RESERVED any more", {
            expected: "RESERVED",
            actual: inWords(status)
          })
        )
      ])
    }
  }
]
