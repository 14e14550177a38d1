/** Stages of a reservation: making it, seeing it, cancelling it, and its end when it was not used. */
import { dateTimeOf } from "../../../../../schema/ocpi/DateTime.ts"
import { textIn } from "../../../../findings/json.ts"
import { isReservation } from "../../../../ocpi/reservedSession.ts"
import type { ReadBack } from "../../../model/Act.ts"
import type { CleanUp, CleanUpOccasion, JourneyStage } from "../../../model/JourneyTemplate.ts"
import type { NoPlace, Place } from "../../../model/Place.ts"
import { intentOf, type RunHistory } from "../../../model/RunHistory.ts"
import { catchUpOnSession } from "../../charge/catchUps.ts"
import { commandResultsOf, ourSession, syncResultOf } from "../../charge/chargeFacts.ts"
import { referenceOf, tokenOf } from "../../charge/driver.ts"
import { evseStatusesOf } from "../../charge/evseStatus.ts"
import { chosenPlace, type Needed, startedPlace } from "../../charge/place.ts"
import { readStartBack } from "../../charge/readBacks.ts"
import { readsPlaceAgain } from "../../charge/takenBack.ts"
import { awaitResult, claimsEvse, commandAct, refused, unplaced } from "./commandResult.ts"
import { commandRules } from "./commandRules.ts"
import { endedRules, reservedRules } from "./reservationRules.ts"

/** Capabilities for a reservation and a remote start. */
export const forReservation: Needed = ["RESERVABLE", "REMOTE_START_STOP_CAPABLE"]

/** The reservation's id: a number in versions that require one. */
function reservationIdOf({ profile, runId }: RunHistory): number | string {
  const suffix = runId.replace(/[^A-Za-z0-9]/g, "").slice(-20)
  if (profile.reservationId === "text") return `PF-R-${suffix}`
  return [...suffix].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 2_000_000_011, 7)
}

/** Seconds to reserve: those of the inputs, else `otherwise`. */
const reservedSeconds = (history: RunHistory, otherwise: number): number =>
  typeof history.inputs["reservedSeconds"] === "number" ? history.inputs["reservedSeconds"] : otherwise

const isReserved = (history: RunHistory): boolean =>
  history.profile.reservationSession
    ? ourSession(history)?.messages.some(({ after }) => isReservation(after["status"])) === true
    : evseStatusesOf(history).includes("RESERVED")

const readReserveBack: ReadBack = {
  ...readStartBack,
  found: (history, write, answer) =>
    history.profile.reservationSession ? readStartBack.found(history, write, answer) : "undecided",
  proven: (history) => ourSession(history) !== undefined || commandResultsOf(history, "reserve").length > 0
}

/** Stage `reserve`: RESERVE_NOW for so many seconds. */
export const reserve = (seconds: number): JourneyStage => ({
  id: "reserve",
  name: "Reserve the EVSE",
  actor: "us",
  module: "commands",
  description: "Send RESERVE_NOW for the chosen EVSE, with the token, an id and an expiry date.",
  timeoutSeconds: 30,
  act: {
    ...commandAct("RESERVE_NOW", (history, responseUrl, now) => {
      const place = chosenPlace(history, forReservation)
      if ("none" in place) return unplaced(place)
      return {
        response_url: responseUrl,
        token: tokenOf(history),
        expiry_date: dateTimeOf(Date.parse(now) + 1000 * reservedSeconds(history, seconds)),
        reservation_id: reservationIdOf(history),
        location_id: place.locationId,
        evse_uid: place.evseUid,
        ...(history.profile.authorizationDetails ? { authorization_reference: referenceOf(history) } : {})
      }
    }),
    readBack: readReserveBack
  },
  writes: true,
  idempotent: false,
  optionalForLater: false,
  ...claimsEvse(forReservation),
  expect: commandRules("reserve"),
  readsAgain: (history) => readsPlaceAgain(history, "reserve"),
  stopsIf: refused("reserve")
})

/** Stage `reserve-result`: the result of RESERVE_NOW. */
export const reserveResult = awaitResult("reserve-result", "reserve", "The reservation's result")

/** Stage `reserved`: the partner pushes the reservation's session, and the EVSE as RESERVED. */
export const reserved: JourneyStage = {
  id: "reserved",
  name: "The EVSE is kept free",
  actor: "partner",
  module: "sessions",
  description:
    "The partner pushes the EVSE's status as RESERVED and, in versions that have it, a session with status RESERVATION.",
  timeoutSeconds: 60,
  act: {
    act: "await",
    isSentOnce: true,
    instruction: ({ profile }) =>
      `The partner must set the EVSE's status to RESERVED${profile.reservationSession ? ", and PUT a session with status RESERVATION" : ""}.`,
    look: (history) => ({
      found: isReserved(history) && evseStatusesOf(history).includes("RESERVED"),
      nearMisses: []
    })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: reservedRules,
  setOffBy: () => "reserve",
  catchUp: catchUpOnSession
}

/** The reserved EVSE, as the place of a start. */
export function reservedPlace(history: RunHistory): Place | NoPlace {
  const place = startedPlace(history)
  const [locationId, evseUid] = [textIn(place["location_id"]), textIn(place["evse_uid"])]
  if (locationId === undefined || evseUid === undefined) return { none: "Nothing was reserved" }
  const chosen = chosenPlace(history, forReservation)
  return { locationId, evseUid, connectorId: "none" in chosen ? undefined : chosen.connectorId }
}

/** Stage `cancel`: CANCEL_RESERVATION. */
export const cancelReservation: JourneyStage = {
  id: "cancel",
  name: "Cancel the reservation",
  actor: "us",
  module: "commands",
  description: "Send CANCEL_RESERVATION with the id of the reservation.",
  timeoutSeconds: 30,
  act: commandAct("CANCEL_RESERVATION", (history, responseUrl) => ({
    response_url: responseUrl,
    reservation_id: reservationIdOf(history)
  })),
  writes: true,
  idempotent: true,
  optionalForLater: false,
  expect: commandRules("cancel"),
  stopsIf: refused("cancel")
}

/** Stage `cancel-result`: the result of CANCEL_RESERVATION. */
export const cancelResult = awaitResult("cancel-result", "cancel", "The cancellation's result")

/** Seconds that a partner has to end a reservation that has expired, whatever the inputs say. */
const expirySeconds = 15

/** Is it COMPLETED? A session that we have never taken, which the stage before tells, will not be. */
const isEndOfSession = (session: ReturnType<typeof ourSession>): boolean =>
  session === undefined || session.state["status"] === "COMPLETED"

/** Stage `released`: an unused reservation ends, by cancellation or because it expires, after at most `seconds`. */
export const released = (setOffBy: "cancel" | "reserve", seconds: number): JourneyStage => ({
  id: "released",
  name: "The EVSE is free again",
  actor: "partner",
  module: "sessions",
  description:
    "The partner sets the reservation's session, if there is one, to COMPLETED, and the EVSE to AVAILABLE.",
  timeoutSeconds: seconds + 60,
  act: {
    act: "await",
    isSentOnce: true,
    instruction: ({ profile }) =>
      `The partner must set the EVSE's status to AVAILABLE${profile.reservationSession ? ", and the session's to COMPLETED" : ""}.`,
    look: (history) => ({
      found:
        evseStatusesOf(history).at(-1) === "AVAILABLE" &&
        (!history.profile.reservationSession || isEndOfSession(ourSession(history))),
      nearMisses: []
    }),
    seconds: (history) => (setOffBy === "cancel" ? seconds : reservedSeconds(history, seconds)) + 60,
    // Before it expires the reservation stands.
    ...(setOffBy === "cancel"
      ? {}
      : { atLeastSeconds: (history) => reservedSeconds(history, seconds) + expirySeconds })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: endedRules(setOffBy),
  setOffBy: () => setOffBy,
  catchUp: catchUpOnSession
})

const canCancel = ({ profile }: RunHistory): boolean => profile.commands.includes("CANCEL_RESERVATION")

/** As far as we know: was the reservation made, and neither used nor ended? */
function stands(history: RunHistory): boolean {
  const wasMade =
    intentOf(history, "reserve") !== undefined && syncResultOf(history, "reserve") === "ACCEPTED"
  const status = ourSession(history)?.state["status"]
  return wasMade && status !== "COMPLETED" && status !== "ACTIVE" && status !== "INVALID"
}

/** What remains at the partner in versions that cannot cancel a reservation. */
export const reservationStays = (history: RunHistory): ReadonlyArray<string> =>
  stands(history) && !canCancel(history)
    ? [`reservation ${reservationIdOf(history)} until its time is over`]
    : []

/** The clean-up that cancels our reservation if it is still open, in versions that can. */
export function cancelOurReservation(history: RunHistory, occasion: CleanUpOccasion): CleanUp | undefined {
  const tried = history.events.some(
    (event) => event.type === "exchange.intended" && event.exchange.operation === "CANCEL_RESERVATION"
  )
  if (!stands(history) || (tried && occasion !== "decision") || !canCancel(history)) return undefined
  return {
    sends: "POST commands/CANCEL_RESERVATION",
    command: "CANCEL_RESERVATION",
    call: (responseUrl) => ({
      module: "commands",
      interfaceRole: "RECEIVER",
      operation: "CANCEL_RESERVATION",
      method: "POST",
      path: ["CANCEL_RESERVATION"],
      body: { response_url: responseUrl, reservation_id: reservationIdOf(history) }
    })
  }
}
