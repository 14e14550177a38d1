/** Examples of the messages that a charge awaits, with the values of the run. */
import { type JsonObject, objectIn, sameId } from "../../../findings/json.ts"
import {
  type Authorized,
  authorizedBy,
  type ChargingPlace,
  placeIn
} from "../../../party/simulation/chargePoint/chargingObjects.ts"
import type { AwaitAct } from "../../model/Act.ts"
import { cdrAfter, moreEnergy, newSession, type SessionProgress } from "../../model/examplePushes.ts"
import { intentOf, jsonOf, type RunHistory } from "../../model/RunHistory.ts"
import { ourSession, responseUrlOf } from "./chargeFacts.ts"
import { authorizationsOf, givenReference, tokenOf } from "./driver.ts"
import { readPlaces, startedPlace } from "./place.ts"

type Expects = NonNullable<AwaitAct["expects"]>

/** The EVSE of the command, in the location that was read; undefined: it is not there. */
function place(history: RunHistory): ChargingPlace | undefined {
  const command = startedPlace(history)
  const location = readPlaces(history).find(({ id }) => sameId(id, command["location_id"]))
  return location === undefined
    ? undefined
    : placeIn(history.profile, location, {
        evse: command["evse_uid"],
        connector: command["connector_id"]
      })
}

/** How the run's driver is authorized: by our START_SESSION, or by a card at the charge point. */
function authorized(history: RunHistory): Authorized {
  const command = ["start-session", "reserve"].find((id) => intentOf(history, id) !== undefined)
  return command === undefined
    ? {
        token: tokenOf(history, { kind: "card", whitelist: "NEVER" }),
        method: authorizationsOf(history).length > 0 ? "AUTH_REQUEST" : "WHITELIST",
        reference: givenReference(history)
      }
    : authorizedBy(history.profile, objectIn(jsonOf(intentOf(history, command)?.request)))
}

/** An example of the command's result; `example` makes its body. */
export const expectsResult =
  (command: string, example: (now: string) => JsonObject = () => ({ result: "ACCEPTED" })): Expects =>
  (history, now) => {
    const url = responseUrlOf(history, command)
    return url === undefined
      ? undefined
      : { method: "POST", module: "commands", path: [], url, body: example(now) }
  }

/** An example of the session's first PUT. */
export const expectsActive: Expects = (history, now) => {
  const where = place(history)
  return where === undefined ? undefined : newSession(history, where, authorized(history), now)
}

/** An example of an update with one kWh more. */
export const expectsUpdate =
  (change: (history: RunHistory) => Omit<SessionProgress, "kwh"> = () => ({})): Expects =>
  (history, now) => {
    const session = ourSession(history)?.state
    return session === undefined
      ? undefined
      : moreEnergy(history, session, { kwh: 1, ...change(history) }, now)
  }

/** An example of the session's CDR. */
export const expectsCdr: Expects = (history) => {
  const session = ourSession(history)?.state
  const where = place(history)
  return session === undefined || where === undefined ? undefined : cdrAfter(history, session, where)
}
