/** Reservations at a CPO (mod_commands): one that is prolonged and cancelled, and one that is left to expire. */

import { dateTimeMillis, dateTimeOf } from "../../../../../schema/ocpi/DateTime.ts"
import { dataOf } from "../../../../findings/answers.ts"
import { isOfUnsent, pathSegments } from "../../../../findings/calledPath.ts"
import { type JsonObject, keyText, objectIn, objectsIn, sameId } from "../../../../findings/json.ts"
import { parseJson } from "../../../../findings/readJson.ts"
import { isReservation } from "../../../../ocpi/reservedSession.ts"
import type { Answered, Evidence, Observation } from "../../../model/Evidence.ts"
import type { Probe, ProbeRequest, ProbeStep } from "../../../model/Probe.ts"
import { afterResult, commandSteps, unlessAccepted } from "../../shared/commandLegs.ts"
import { stepOf } from "../../shared/stepAnswers.ts"
import {
  endOfSession,
  idOf,
  isAbout,
  type Shown,
  sessionListSteps,
  sessionOf,
  shownAt
} from "../commandSessions.ts"
import {
  atTarget,
  command,
  commandToken,
  endOf,
  evseOf,
  type Target,
  targetFor,
  targetProbes,
  withoutTarget
} from "../commandTargets.ts"
import { cancelling, reservationId } from "../reservationIds.ts"
import { endSteps, endUntaken, takenAt } from "../sessionWaits.ts"

/** Id of the probe that makes a reservation, prolongs it and cancels it. */
export const reserve = "commands.reserve"
/** Id of the probe that makes a reservation and lets it expire. */
export const expire = "commands.expire"

/** Where a reservation cannot be taken back, it is a short one. */
const lastsSeconds = { cancelled: 1200, expires: 300 }
const firstSeconds = { cancelled: 600, expires: 240 }
/** The reservation that is left to expire: long enough for the session to be pushed, short enough for a run that waits. */
const shortSeconds = 20
/** A partner's clock may be ahead of ours by this much; a time that is further ahead is not used. */
const mostAheadMillis = 600_000
/** How long the status of an EVSE, or the session of a reservation, may take to come; and the end of one. */
const tellSeconds = 30
const endSeconds = 300

const numbers = { [reserve]: 8, [expire]: 9 } as const

/** The token of the reservation that is cancelled. */
export const reservingToken = (evidence: Evidence): JsonObject =>
  commandToken(evidence, "reserve", 5, evidence.profile.appToken)
/** The token of the reservation that expires. */
export const expiringToken = (evidence: Evidence): JsonObject =>
  commandToken(evidence, "expire", 6, evidence.profile.appToken)

/** Sent along with RESERVE_NOW; undefined where the version has no such field. */
export const reservedAs = ({ mark, profile }: Evidence): string | undefined =>
  profile.authorizationDetails ? `${mark}-REF-2` : undefined

/** The EVSE of the probe `reserve`. */
export const reserveTarget = (evidence: Evidence) => targetFor(evidence, "a reservation")
const expireTarget = (evidence: Evidence) => targetFor(evidence, "a reservation that expires")

/** The session of the reservation that is cancelled, however it became known. */
export const reservedSession = (evidence: Evidence): Shown | undefined =>
  shownAt(evidence, `${reserve}#session`, [`${reserve}#sessions`], reservingToken(evidence))
/** The session of the reservation that expires, if it was pushed. */
export const expiringSession = (evidence: Evidence): Shown | undefined =>
  shownAt(evidence, `${expire}#session`, [], expiringToken(evidence))

/** The EVSE as the location says that a step has read; undefined when that cannot be read. */
export const statusAt = (evidence: Evidence, step: string, target: Target): unknown => {
  const seen = stepOf(evidence, step)
  const evses = objectsIn(objectIn(seen === undefined ? undefined : dataOf(seen))["evses"])
  return evses.find(({ uid }) => sameId(uid, target.evse["uid"]))?.["status"]
}

/**
 * Is the call about that EVSE, or its location, wherever it came? One that is refused because we have only read the location is as good
 * as taken.
 */
const isAboutEvse = (seen: Observation, target: Target | undefined): boolean => {
  const names = [target?.evse["uid"], target?.location["id"]]
  return (
    isAbout(seen, "locations") &&
    !isOfUnsent(seen.exchange) &&
    pathSegments(seen.exchange.request.url).some((segment) => names.some((name) => sameId(name, segment)))
  )
}

/** Does the push tell that the EVSE has that status? */
const tellsStatus = (seen: Observation, target: Target | undefined, status: string): boolean => {
  const { exchange } = seen
  if (exchange.module !== "locations" || target === undefined) return false
  const body = objectIn(seen.json)
  const isEvse = new URL(exchange.request.url).pathname
    .toUpperCase()
    .includes(`/${encodeURIComponent(keyText(target.evse["uid"])).toUpperCase()}`)
  return isEvse
    ? body["status"] === status
    : objectsIn(body["evses"]).some(
        (evse) => sameId(evse["uid"], target.evse["uid"]) && evse["status"] === status
      )
}

const locationOf = (target: Target): ProbeRequest => ({
  module: "locations",
  interfaceRole: "SENDER",
  operation: "GET location",
  path: [keyText(target.location["id"])]
})

/** Reads the location; the first one is also the script's clock. */
const look = (id: string, target: (evidence: Evidence) => Target | undefined): ProbeStep => ({
  id,
  act: (evidence) => {
    const place = target(evidence)
    return place === undefined ? withoutTarget(evidence, "RESERVABLE") : { send: locationOf(place) }
  }
})

/** The time of an answer by the partner's clock where that is ahead of ours, in milliseconds since 1970. */
const clockOf = (seen: Answered): number => {
  const ours = endOf(seen)
  const theirs = dateTimeMillis(objectIn(seen.json)["timestamp"]) ?? ours
  return theirs > ours && theirs - ours <= mostAheadMillis ? theirs : ours
}

const order = (
  evidence: Evidence,
  probe: typeof reserve | typeof expire,
  given: { readonly token: JsonObject; readonly target: Target; readonly seconds: number }
): ProbeRequest => {
  const clock = stepOf(evidence, `${probe}#look`)
  const reference = probe === reserve ? reservedAs(evidence) : undefined
  return command("RESERVE_NOW", {
    token: given.token,
    reservation_id: reservationId(evidence, numbers[probe]),
    // `look` was answered, or the script would be over.
    expiry_date: dateTimeOf(clockOf(clock!) + given.seconds * 1000),
    ...evseOf(given.target),
    ...(reference === undefined ? {} : { authorization_reference: reference })
  })
}

const reserveNow =
  (
    probe: typeof reserve | typeof expire,
    token: (evidence: Evidence) => JsonObject,
    target: (evidence: Evidence) => Target | undefined,
    seconds: (evidence: Evidence) => number
  ) =>
  (evidence: Evidence) => {
    const place = target(evidence)
    const undo = cancelling(evidence, numbers[probe])
    if (place === undefined) return undefined
    const send = order(evidence, probe, { token: token(evidence), target: place, seconds: seconds(evidence) })
    return { send, ...(undo === undefined ? {} : { undo }) }
  }

/** When the short reservation runs out, in milliseconds since 1970. */
const expiryOf = (evidence: Evidence): number => {
  const sent = objectIn(parseJson(stepOf(evidence, `${expire}#reserve`)?.exchange.request.body ?? ""))
  return dateTimeMillis(sent["expiry_date"]) ?? Date.parse(evidence.startedAt)
}

const isSession = ({ profile }: Evidence) => profile.reservationSession
const lengthOf = (seconds: typeof lastsSeconds) => (evidence: Evidence) =>
  cancelling(evidence, 0) === undefined ? seconds.expires : seconds.cancelled

/** After a refusal no result is due, and no end: a wait for it would make of the refusal a silence that nobody is blamed for. */
const unlessCancelled = (evidence: Evidence) => unlessAccepted(evidence, `${reserve}#cancel`)

/** RESERVE_NOW twice and CANCEL_RESERVATION; RESERVE_NOW for a minute; and the calls of the partner since the run began. */
export const reservingProbes: ReadonlyArray<Probe> = [
  {
    id: reserve,
    after: targetProbes,
    alone: true,
    ...atTarget("a reservation"),
    steps: [
      look("look", reserveTarget),
      ...commandSteps(
        reserve,
        "reserve",
        reserveNow(reserve, reservingToken, reserveTarget, lengthOf(firstSeconds))
      ),
      {
        id: "reserved",
        act: (evidence) =>
          unlessAccepted(evidence, `${reserve}#reserve`) ?? {
            wait: {
              ...afterResult(evidence, `${reserve}#reserve`, tellSeconds),
              kind: "push of an EVSE",
              instruction: "The partner must push the EVSE as RESERVED",
              provoke: "the EVSE was not pushed as RESERVED",
              matches: (seen) => tellsStatus(seen, reserveTarget(evidence), "RESERVED"),
              attempts: (seen) => isAboutEvse(seen, reserveTarget(evidence))
            }
          }
      },
      {
        id: "session",
        act: (evidence) =>
          isSession(evidence)
            ? {
                wait: {
                  ...sessionOf(reservingToken, tellSeconds, isReservation),
                  ...afterResult(evidence, `${reserve}#reserve`, tellSeconds)
                }
              }
            : undefined
      },
      look("look reserved", reserveTarget),
      ...commandSteps(
        reserve,
        "again",
        reserveNow(reserve, reservingToken, reserveTarget, lengthOf(lastsSeconds))
      ),
      ...sessionListSteps(reserve, "sessions"),
      look("look again", reserveTarget),
      ...commandSteps(reserve, "cancel", (evidence) => {
        const send = cancelling(evidence, numbers[reserve])
        return send === undefined ? undefined : { send, undoes: "reserve" }
      }),
      ...endSteps({
        probe: reserve,
        id: "ended",
        after: "cancel",
        known: (now) => idOf(reservedSession(now)),
        token: reservingToken,
        refused: unlessCancelled
      }),
      {
        id: "freed",
        act: (evidence) =>
          cancelling(evidence, 0) === undefined
            ? undefined
            : (unlessCancelled(evidence) ?? {
                wait: {
                  ...afterResult(evidence, `${reserve}#cancel`, tellSeconds),
                  kind: "push of an EVSE",
                  instruction: "The partner must push the EVSE as AVAILABLE",
                  provoke: "the EVSE was not pushed as AVAILABLE",
                  matches: (seen, now) =>
                    Date.parse(seen.exchange.startedAt) >=
                      Date.parse(stepOf(now, `${reserve}#cancel`)?.exchange.startedAt ?? now.startedAt) &&
                    tellsStatus(seen, reserveTarget(now), "AVAILABLE"),
                  attempts: (seen, now) =>
                    Date.parse(seen.exchange.startedAt) >=
                      Date.parse(stepOf(now, `${reserve}#cancel`)?.exchange.startedAt ?? now.startedAt) &&
                    isAboutEvse(seen, reserveTarget(now))
                }
              })
      },
      look("look freed", reserveTarget),
      ...sessionListSteps(reserve, "sessions after")
    ]
  },
  {
    id: expire,
    after: targetProbes,
    alone: true,
    ...atTarget("a reservation that expires"),
    steps: [
      look("look", expireTarget),
      ...commandSteps(
        expire,
        "reserve",
        reserveNow(expire, expiringToken, expireTarget, () => shortSeconds)
      ),
      {
        id: "session",
        act: (evidence) =>
          unlessAccepted(evidence, `${expire}#reserve`) ?? {
            wait: {
              ...sessionOf(expiringToken, tellSeconds, isReservation),
              ...afterResult(evidence, `${expire}#reserve`, tellSeconds)
            }
          }
      },
      {
        id: "expired",
        act: (evidence) =>
          idOf(expiringSession(evidence)) === undefined
            ? undefined
            : {
                wait: {
                  ...endOfSession((now) => idOf(expiringSession(now)), endSeconds),
                  ...(takenAt(evidence, `${expire}#session`) ? {} : endUntaken),
                  from: expiryOf(evidence)
                }
              }
      },
      ...sessionListSteps(expire, "sessions")
    ]
  },
  { id: "commands.reserve-calls", behind: [reserve, expire], source: "inbound.run" }
]
