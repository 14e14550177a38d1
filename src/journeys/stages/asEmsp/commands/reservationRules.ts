/** Rules for a reservation: while it is open, when it is used, and when it ends unused. */

import { inWords } from "../../../../findings/words.ts"
import { isReservation } from "../../../../ocpi/reservedSession.ts"
import type { Rule, Ruling } from "../../../model/JourneyTemplate.ts"
import { orLeftToRead, type SeenSession } from "../../../model/partnerPushes.ts"
import type { RunHistory } from "../../../model/RunHistory.ts"
import { driverSessions, ourSession } from "../../charge/chargeFacts.ts"
import { differs, tokenDiffers } from "../../charge/driver.ts"
import { evseStatusesOf } from "../../charge/evseStatus.ts"

const must = { strength: "must" } as const
const should = { strength: "should" } as const

const noSuchSession: Ruling = { notApplicable: "In this version a reservation has no session" }

/** Judges the reservation's session, in versions that have one; not tested while there is none. */
const ofReservation =
  (judge: (session: SeenSession, history: RunHistory) => Ruling) =>
  (history: RunHistory): Ruling => {
    if (!history.profile.reservationSession) return noSuchSession
    const session = ourSession(history)
    return session === undefined
      ? { notTested: "The partner pushed no session of ours that we could accept" }
      : judge(session, history)
  }

const wasReservation = ({ messages }: SeenSession) =>
  messages.some(({ after }) => isReservation(after["status"]))

/** Rules of stage `reserved`. */
export const reservedRules: ReadonlyArray<Rule> = [
  {
    id: "reserved.session",
    title: "The partner pushes the reservation as a session with status RESERVATION",
    ...must,
    reference: "mod_sessions, SessionStatus enum, Reservation",
    setOffBy: () => "reserve",
    judge: orLeftToRead(
      (history) => ourSession(history)?.readings.some(({ status }) => isReservation(status)) === true,
      (history) => {
        if (!history.profile.reservationSession) return noSuchSession
        const session = ourSession(history)
        return session !== undefined && wasReservation(session)
          ? undefined
          : {
              message: "The partner pushed no session of the reservation in time",
              expected: "RESERVATION",
              actual: inWords(session?.state["status"] ?? "no session")
            }
      }
    )
  },
  {
    id: "reserved.token",
    title: "The reservation's session names the command's token",
    ...must,
    reference: "mod_sessions, Session Object",
    checkId: "JRN-003",
    judge: ofReservation(({ state }, history) => tokenDiffers("the session's token", state, history))
  },
  {
    id: "reserved.evse",
    title: "The partner pushes the EVSE's status as RESERVED",
    ...should,
    reference: "mod_locations, Status enum",
    checkId: "JRN-004",
    setOffBy: () => "reserve",
    judge: (history) => {
      const told = evseStatusesOf(history)
      return told.includes("RESERVED")
        ? undefined
        : {
            message: "The partner did not push the EVSE's status as RESERVED in time",
            expected: "RESERVED",
            actual: told.at(-1) ?? "nothing"
          }
    }
  }
]

/** Rules for a used reservation: one session from RESERVATION through ACTIVE to COMPLETED. */
export const usedRules: ReadonlyArray<Rule> = [
  {
    id: "one-session.same",
    title: "The reservation's session becomes the session of the charge",
    ...must,
    reference: "mod_sessions, SessionStatus enum",
    checkId: "JRN-006",
    setOffBy: () => "reserve",
    judge: ofReservation((session, history) => {
      const ids = driverSessions(history).map(({ id }) => id)
      if (ids.length > 1)
        return {
          message: "Reservation and charge are two sessions with different ids",
          pointer: "/id",
          expected: "one session",
          actual: ids.join(", ")
        }
      const statuses = session.messages.map(({ after }) => after["status"])
      if (!statuses.some(isReservation))
        return { notTested: "The partner pushed no session of the reservation" }
      const order = [
        statuses.findIndex(isReservation),
        ...["ACTIVE", "COMPLETED"].map((status) => statuses.indexOf(status))
      ]
      return order.every((at, index) => at >= 0 && (index === 0 || at > order[index - 1]!))
        ? undefined
        : {
            message: "The session did not pass through RESERVATION, ACTIVE and COMPLETED",
            pointer: "/status",
            expected: "RESERVATION, ACTIVE, COMPLETED",
            actual: [...new Set(statuses)].join(", ")
          }
    })
  }
]

/** Rules for the end of an unused reservation. `setOffBy`: the stage that ends it. */
export const endedRules = (setOffBy: string): ReadonlyArray<Rule> => [
  {
    id: "released.session",
    title: "The session of an unused reservation ends as COMPLETED",
    ...should,
    reference: "mod_sessions, SessionStatus enum",
    checkId: "JRN-007",
    setOffBy: () => setOffBy,
    judge: ofReservation(({ state }) => differs("The status", "/status", state["status"], "COMPLETED"))
  },
  {
    id: "released.energy",
    title: "The session of an unused reservation has no energy",
    ...should,
    reference: "mod_sessions, Session Object",
    checkId: "JRN-007",
    judge: ofReservation(({ state }) =>
      state["status"] !== "COMPLETED"
        ? { notTested: "The session was not completed" }
        : differs("kwh", "/kwh", state["kwh"], 0)
    )
  },
  {
    id: "released.evse",
    title: "The partner pushes the EVSE's status as AVAILABLE again",
    ...should,
    reference: "mod_locations, Status enum",
    checkId: "JRN-004",
    setOffBy: () => setOffBy,
    judge: (history) => {
      const told = evseStatusesOf(history)
      if (told.at(-1) === "AVAILABLE") return undefined
      // What tells that the reservation goes on, or that no status is pushed, is a rule of its own.
      if (told.length === 0) return { notTested: "The partner pushed no status of the EVSE" }
      const session = history.profile.reservationSession ? ourSession(history) : undefined
      return session !== undefined && session.state["status"] !== "COMPLETED"
        ? { notTested: "The partner has not ended the reservation's session" }
        : {
            message: "The partner did not push the EVSE's status as AVAILABLE in time",
            expected: "AVAILABLE",
            actual: told.at(-1) ?? "nothing"
          }
    }
  }
]
