/** The commands that a CPO cannot carry out (mod_commands), as they are sent. */
import { dayMillis } from "../../../../../schema/fields/durations.ts"
import { dateTimeOf } from "../../../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../../../findings/json.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import type { ProbeRequest, StepAct } from "../../../model/Probe.ts"
import { unknownEvse } from "../../shared/unknownEvse.ts"
import {
  can,
  command,
  commandToken,
  connectorRequired,
  evseOf,
  spareTargets,
  type Target,
  targetFields,
  targetFor,
  targetsIn
} from "../commandTargets.ts"
import { cancelling, reservationId } from "../reservationIds.ts"

/** The tokens of the wrong commands, by what is wrong: a session says by its token which of them has begun it. */
const tokenMarks = { location: "A", part: "B", body: "C", connector: "D", capability: "E", other: 4 } as const
/** What is wrong with a command. */
export type Wrong = keyof typeof tokenMarks
/** All of them. */
export const kindsOfWrong = Object.keys(tokenMarks) as ReadonlyArray<Wrong> // the keys of `tokenMarks`

/** The token of the wrong commands of that kind. */
export const tokenOf = (evidence: Evidence, kind: Wrong = "other"): JsonObject =>
  commandToken(evidence, `wrong-${tokenMarks[kind]}`.toLowerCase(), tokenMarks[kind])
const later = (evidence: Evidence, millis: number) => dateTimeOf(Date.parse(evidence.startedAt) + millis)

const reservation = (evidence: Evidence, number: number, expiry: string, kind?: Wrong): JsonObject => ({
  token: tokenOf(evidence, kind),
  expiry_date: expiry,
  reservation_id: reservationId(evidence, number)
})

const unknownLocation = "an unknown location"
const unknownPlace = { location_id: "TST-NO-SUCH-LOCATION" }

/**
 * The first EVSE that fits; rather a free one that no script has for itself, at a location where others are free as well: a partner
 * that carries the command out occupies the EVSE, or one of the location's.
 */
const first = (evidence: Evidence, fits: (target: Target) => boolean): Target | undefined => {
  const spare = spareTargets(evidence)
  let best: Target | undefined
  for (const target of targetsIn(evidence)) {
    if (!fits(target)) continue
    if (best === undefined || (spare.get(target) ?? 0) > (spare.get(best) ?? 0)) best = target
  }
  return best
}

type Send = (evidence: Evidence) => Extract<StepAct, { readonly send: ProbeRequest }> | undefined

const sent =
  (make: (evidence: Evidence) => ProbeRequest | undefined): Send =>
  (evidence) => {
    const send = make(evidence)
    return send === undefined ? undefined : { send }
  }

const at =
  (
    fits: (target: Target, evidence: Evidence) => boolean,
    make: (target: Target, evidence: Evidence) => ProbeRequest
  ) =>
  (evidence: Evidence): ProbeRequest | undefined => {
    const target = first(evidence, (one) => fits(one, evidence))
    return target === undefined ? undefined : make(target, evidence)
  }
const anywhere = () => true

/** A command without `response_url`, and so without a result. */
const bare = (name: string, body: JsonObject, about: string): ProbeRequest => {
  const { resultOf: _, ...asking } = command(name, body, {
    about,
    wrongOnPurpose: { body: "response_url is missing" }
  })
  return asking
}
const without = (capability: string) => (target: Target) => !can(target, capability)

/** Commands by the id of their step; one is left out when the partner has no EVSE that it could be about. */
export const wrongRequests: Readonly<Record<string, Send>> = {
  "start at an unknown location": sent((evidence) =>
    command(
      "START_SESSION",
      { token: tokenOf(evidence, "location"), ...unknownPlace },
      { about: unknownLocation }
    )
  ),
  "reserve at an unknown location": sent((evidence) =>
    command(
      "RESERVE_NOW",
      { ...reservation(evidence, 1, later(evidence, dayMillis), "location"), ...unknownPlace },
      { about: unknownLocation }
    )
  ),
  "unlock at an unknown location": sent(() =>
    command(
      "UNLOCK_CONNECTOR",
      { ...unknownPlace, evse_uid: unknownEvse, connector_id: "1" },
      { about: unknownLocation }
    )
  ),
  "stop an unknown session": sent(() =>
    command("STOP_SESSION", { session_id: "TST-NO-SUCH-SESSION" }, { about: "an unknown session" })
  ),
  "an unknown EVSE": sent(
    at(anywhere, ({ location }, evidence) =>
      command(
        "START_SESSION",
        { token: tokenOf(evidence, "part"), location_id: location["id"], evse_uid: unknownEvse },
        { about: "an unknown EVSE" }
      )
    )
  ),
  "an unknown connector": sent(
    at(anywhere, (target) =>
      command(
        "UNLOCK_CONNECTOR",
        { ...evseOf(target), connector_id: "TST-NO-SUCH-CONNECTOR" },
        { about: "an unknown connector" }
      )
    )
  ),
  "an unknown command": sent((evidence) =>
    command(
      "FOO",
      { token: tokenOf(evidence), ...unknownPlace },
      {
        about: "a command that OCPI does not have",
        wrongOnPurpose: { target: "a command that OCPI does not have" }
      }
    )
  ),
  "a command of a later version": sent((evidence) =>
    evidence.profile.commands.includes("CANCEL_RESERVATION")
      ? undefined
      : command(
          "CANCEL_RESERVATION",
          { reservation_id: reservationId(evidence, 2) },
          {
            about: "a command of a later version",
            wrongOnPurpose: { target: "a command of a later version" }
          }
        )
  ),
  "an unknown reservation": sent((evidence) => cancelling(evidence, 3)),
  "without response_url": sent(
    at(anywhere, (target, evidence) =>
      bare("START_SESSION", { token: tokenOf(evidence, "body"), ...evseOf(target) }, "without response_url")
    )
  ),
  "without token": sent(
    at(anywhere, (target) =>
      command("START_SESSION", evseOf(target), {
        about: "without token",
        wrongOnPurpose: { body: "token is missing" }
      })
    )
  ),
  "without location_id": sent((evidence) =>
    command(
      "START_SESSION",
      { token: tokenOf(evidence, "body") },
      { about: "without location_id", wrongOnPurpose: { body: "location_id is missing" } }
    )
  ),
  "a wrong expiry_date": sent(
    at(anywhere, (target, evidence) =>
      command(
        "RESERVE_NOW",
        { ...reservation(evidence, 5, "tomorrow", "body"), ...evseOf(target) },
        { about: "expiry_date is no DateTime", wrongOnPurpose: { body: "expiry_date is no DateTime" } }
      )
    )
  ),
  "a connector without an EVSE": sent(
    at(
      (_, { profile }) => profile.startSessionConnector,
      ({ connectorId, location }, evidence) =>
        command(
          "START_SESSION",
          { token: tokenOf(evidence, "connector"), location_id: location["id"], connector_id: connectorId },
          {
            about: "connector_id without evse_uid",
            wrongOnPurpose: { body: "connector_id without evse_uid" }
          }
        )
    )
  ),
  "no connector where one is due": sent(
    at(
      (target, { profile }) => profile.startSessionConnector && can(target, connectorRequired),
      (target, evidence) =>
        command(
          "START_SESSION",
          { token: tokenOf(evidence, "connector"), ...evseOf(target) },
          { about: "without connector_id" }
        )
    )
  ),
  "start where it cannot": sent(
    at(without("REMOTE_START_STOP_CAPABLE"), (target, evidence) =>
      command(
        "START_SESSION",
        { token: tokenOf(evidence, "capability"), ...targetFields(evidence, target) },
        { about: "at an EVSE without REMOTE_START_STOP_CAPABLE" }
      )
    )
  ),
  "reserve where it cannot": (evidence) => {
    const target = first(evidence, without("RESERVABLE"))
    const undo = cancelling(evidence, 6)
    if (target === undefined) return undefined
    const body = { ...reservation(evidence, 6, later(evidence, dayMillis), "capability"), ...evseOf(target) }
    return {
      send: command("RESERVE_NOW", body, { about: "at an EVSE without RESERVABLE" }),
      ...(undo === undefined ? {} : { undo })
    }
  },
  "unlock where it cannot": sent(
    at(without("UNLOCK_CAPABLE"), (target) =>
      command(
        "UNLOCK_CONNECTOR",
        { ...evseOf(target), connector_id: target.connectorId },
        { about: "at an EVSE without UNLOCK_CAPABLE" }
      )
    )
  ),
  "reserve until yesterday": (evidence) => {
    const target = targetFor(evidence, "a reservation until yesterday")
    const undo = cancelling(evidence, 7)
    if (target === undefined) return undefined
    const body = { ...reservation(evidence, 7, later(evidence, -dayMillis)), ...evseOf(target) }
    return {
      send: command("RESERVE_NOW", body, { about: "an expiry_date in the past" }),
      ...(undo === undefined ? {} : { undo })
    }
  }
}
