/** Two EMSPs of ours at one CPO (mod_commands): the second one's commands about what belongs to the first. */

import { dataOf, named, statusLine, succeeded } from "../../../findings/answers.ts"
import { type JsonObject, keyText, objectsIn, sameId } from "../../../findings/json.ts"
import type { Evidence, NotGathered } from "../../model/Evidence.ts"
import { type Probe, type ProbeRequest, type ProbeStep, withheld, withheldBy } from "../../model/Probe.ts"
import { bySecondEmsp } from "../shared/besideOcpi.ts"
import { commandSteps, unlessAccepted } from "../shared/commandLegs.ts"
import { firstPage } from "../shared/lists.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { idOf, recentSessions, type Shown, sessionListSteps, shownAt } from "./commandSessions.ts"
import {
  allotment,
  atTarget,
  can,
  command,
  commandToken,
  evseOf,
  hasOwnTarget,
  secondsAfter,
  type Target,
  targetFields,
  targetFor,
  targetProbes
} from "./commandTargets.ts"
import { noTarget, sessionSteps, stopSteps } from "./remoteStartsProbes.ts"
import { cancelling, reservationId } from "./reservationIds.ts"
import { statusAt } from "./reservations/reservingProbes.ts"

/** Id of the probe in which a second EMSP stops a session of the first. */
export const strangeStop = "commands.strange-stop"
/** Id of the probe in which two EMSPs use one reservation_id. */
export const sameReservation = "commands.same-reservation"

/** Wait after a command until its effect on the other EMSP would show. */
const settleSeconds = 3
/** Length of both reservations: both are cancelled long before, also at a sandbox partner whose clock runs faster. */
const lastsSeconds = 2400
const reservationNumber = 4

const noSecond = withheld(
  "unobservable",
  "there is no second EMSP of ours at this partner: register another connection there (POST /connections with a Token A of its own and environment test), then run again"
)
const noPlaces = withheld(
  "unobservable",
  "the two EMSPs find no two EVSEs that are AVAILABLE and RESERVABLE: free them, then run again"
)

/** Sends by the second EMSP, and says so in the operation, which reports show. */
const bySecond = (asking: ProbeRequest): ProbeRequest => ({
  ...asking,
  operation: `${asking.operation}, ${bySecondEmsp}`,
  by: "second"
})

/** Why nothing more is done with the second EMSP after its first request, that step: it is not served. */
const unserved = (evidence: Evidence, step: string): NotGathered | undefined => {
  const seen = stepOf(evidence, step)
  return seen === undefined || succeeded(seen)
    ? undefined
    : {
        ...withheldBy({
          exchangeId: seen.exchange.id,
          what: `the partner does not serve the second EMSP of ours, ${evidence.second?.id}: ${named(seen)} was answered ${statusLine(seen)}. Its registration may be of another installation: register that connection anew or delete it, then run again`
        }),
        attribution: "operator"
      }
}

/** Waits until the effect of a command would show, once that step was answered. */
const settled = (id: string, after: string): ProbeStep => ({
  id,
  act: (evidence) =>
    stepOf(evidence, after) === undefined
      ? undefined
      : { pause: settleSeconds, instruction: "The effect of the command on the other EMSP has time to show" }
})

/** The token of the session that the second EMSP tries to stop. */
export const ownersToken = (evidence: Evidence): JsonObject =>
  commandToken(evidence, "owner", 8, evidence.profile.appToken)
/** The session of the first EMSP, however it became known. */
export const ownedSession = (evidence: Evidence): Shown | undefined =>
  shownAt(evidence, `${strangeStop}#session`, [`${strangeStop}#sessions`], ownersToken(evidence))

const firstToken = (evidence: Evidence): JsonObject =>
  commandToken(evidence, "first", 9, evidence.profile.appToken)
/** The second EMSP's token; its contract names that EMSP's party. */
const secondToken = (evidence: Evidence): JsonObject =>
  commandToken(
    { ...evidence, party: evidence.second ?? evidence.party },
    "second",
    0,
    evidence.profile.appToken
  )

const firstPlace = (evidence: Evidence) => targetFor(evidence, "a reservation of the first EMSP")

/**
 * Another EVSE than the first one's, of those that the partner lists to the second EMSP: the one that is kept for it, else
 * one that no script uses.
 */
const secondPlace = (evidence: Evidence): Target | undefined => {
  const first = firstPlace(evidence)
  const used = [...allotment(evidence).values()]
  const isAt = (place: Target, other: Target | undefined) => sameId(place.evse["uid"], other?.evse["uid"])
  const seen = stepOf(evidence, `${sameReservation}#their places`)
  const data = seen === undefined ? undefined : dataOf(seen)
  const places = objectsIn(data)
    .flatMap((location) => objectsIn(location["evses"]).map((evse) => ({ location, evse, connectorId: "" })))
    .filter(
      (place) => place.evse["status"] === "AVAILABLE" && can(place, "RESERVABLE") && !isAt(place, first)
    )
  const kept = targetFor(evidence, "a reservation of the second EMSP")
  return (
    places.find((place) => isAt(place, kept)) ??
    places.findLast((place) => !used.some((one) => isAt(place, one))) ??
    places.at(-1)
  )
}

/** The second EMSP's EVSE as that step has read it. */
export const secondStatus = (evidence: Evidence, step: string): unknown => {
  const place = secondPlace(evidence)
  return place === undefined ? undefined : statusAt(evidence, `${sameReservation}#${step}`, place)
}

const lookThere = (id: string): ProbeStep => ({
  id,
  act: (evidence) => {
    const place = secondPlace(evidence)
    return place === undefined
      ? noPlaces
      : {
          send: bySecond({
            module: "locations",
            interfaceRole: "SENDER",
            operation: "GET location",
            path: [keyText(place.location["id"])]
          })
        }
  }
})

const reserving = (evidence: Evidence, token: JsonObject, place: Target) => {
  const clock = stepOf(evidence, `${sameReservation}#their places`)
  return command("RESERVE_NOW", {
    token,
    reservation_id: reservationId(evidence, reservationNumber),
    // It was answered, or the script would be over.
    expiry_date: secondsAfter(clock!, lastsSeconds),
    ...evseOf(place)
  })
}

/** START_SESSION by one EMSP and STOP_SESSION by another; RESERVE_NOW and CANCEL_RESERVATION by both with one reservation_id. */
export const secondPartyProbes: ReadonlyArray<Probe> = [
  {
    id: strangeStop,
    after: targetProbes,
    alone: true,
    ...atTarget("a session that the other EMSP stops"),
    steps: [
      {
        id: "second asks",
        act: (evidence) =>
          evidence.second === undefined ? noSecond : { send: bySecond(recentSessions(evidence)) }
      },
      ...commandSteps(strangeStop, "start", (evidence) => {
        const refused = unserved(evidence, `${strangeStop}#second asks`)
        if (refused !== undefined) return refused
        const target = targetFor(evidence, "a session that the other EMSP stops")
        if (target === undefined) return noTarget(evidence)
        return {
          send: command("START_SESSION", { token: ownersToken(evidence), ...targetFields(evidence, target) })
        }
      }),
      ...sessionSteps(strangeStop, ownersToken, ownedSession),
      { id: "their sessions", act: (evidence) => ({ send: bySecond(recentSessions(evidence)) }) },
      ...commandSteps(
        strangeStop,
        "strange stop",
        (evidence) => {
          const id = idOf(ownedSession(evidence))
          return id === undefined
            ? undefined
            : { send: bySecond(command("STOP_SESSION", { session_id: id })) }
        },
        "second"
      ),
      settled("settled", `${strangeStop}#strange stop`),
      ...sessionListSteps(strangeStop, "sessions after"),
      ...stopSteps(strangeStop, ownersToken, ownedSession)
    ]
  },
  {
    id: sameReservation,
    after: targetProbes,
    alone: true,
    targets: ["a reservation of the first EMSP", "a reservation of the second EMSP"],
    beside: (evidence) =>
      hasOwnTarget("a reservation of the first EMSP")(evidence) &&
      hasOwnTarget("a reservation of the second EMSP")(evidence),
    steps: [
      {
        id: "their places",
        act: (evidence) => {
          if (evidence.second === undefined) return noSecond
          return firstPlace(evidence) === undefined
            ? noPlaces
            : { send: bySecond(firstPage("locations", evidence)) }
        }
      },
      ...commandSteps(sameReservation, "reserve", (evidence) => {
        const refused = unserved(evidence, `${sameReservation}#their places`)
        if (refused !== undefined) return refused
        const place = firstPlace(evidence)
        const undo = cancelling(evidence, reservationNumber)
        if (place === undefined || secondPlace(evidence) === undefined) return noPlaces
        const send = reserving(evidence, firstToken(evidence), place)
        return { send, ...(undo === undefined ? {} : { undo }) }
      }),
      ...commandSteps(
        sameReservation,
        "second reserve",
        (evidence) => {
          const place = secondPlace(evidence)
          const refused = unlessAccepted(evidence, `${sameReservation}#reserve`)
          const undo = cancelling(evidence, reservationNumber)
          if (refused !== undefined) return refused
          if (place === undefined) return noPlaces
          const send = bySecond(reserving(evidence, secondToken(evidence), place))
          return { send, ...(undo === undefined ? {} : { undo: bySecond(undo) }) }
        },
        "second"
      ),
      settled("reserved", `${sameReservation}#second reserve`),
      lookThere("look before"),
      ...commandSteps(sameReservation, "cancel", (evidence) => {
        const send = cancelling(evidence, reservationNumber)
        const refused = unlessAccepted(evidence, `${sameReservation}#second reserve`)
        return refused ?? (send === undefined ? undefined : { send, undoes: "reserve" })
      }),
      settled("settled", `${sameReservation}#cancel`),
      lookThere("look after"),
      ...commandSteps(
        sameReservation,
        "second cancel",
        (evidence) => {
          const send = cancelling(evidence, reservationNumber)
          return send === undefined ? undefined : { send: bySecond(send), undoes: "second reserve" }
        },
        "second"
      )
    ]
  }
]
