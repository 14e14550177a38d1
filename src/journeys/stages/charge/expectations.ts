/** The messages of the partner that a charge waits for, as examples with the values of the run. */
import { type JsonObject, objectIn, objectsIn, sameId } from "../../../findings/json.ts"
import {
  type Authorized,
  authorizedBy,
  type Place,
  placeIn
} from "../../../party/simulation/chargePoint/chargingObjects.ts"
import type { AwaitAct } from "../../model/Act.ts"
import { cdrAfter, moreEnergy, newSession, type Progress } from "../../model/examplePushes.ts"
import { answerOf, dataOf, intentOf, jsonOf, type Memory } from "../../model/Memory.ts"
import { ourSession, responseUrlOf } from "./chargeFacts.ts"
import { authorizationsOf, givenReference, tokenOf } from "./driver.ts"
import { startedPlace } from "./place.ts"

type Expects = NonNullable<AwaitAct["expects"]>

/** The EVSE of the command, in the location that was read. */
function place(memory: Memory): Place | undefined {
  const command = startedPlace(memory)
  const data = dataOf(answerOf(memory, "read-locations"))
  const location = [Array.isArray(data) ? objectsIn(data) : objectIn(data)]
    .flat()
    .find(({ id }) => sameId(id, command["location_id"]))
  return location === undefined
    ? undefined
    : placeIn(memory.profile, location, [], command["evse_uid"], command["connector_id"])
}

/** Our driver, as our command says or as one who shows a card. */
function authorized(memory: Memory): Authorized {
  const command = ["start-session", "reserve"].find((id) => intentOf(memory, id) !== undefined)
  return command === undefined
    ? {
        token: tokenOf(memory, { kind: "card", whitelist: "NEVER" }),
        method: authorizationsOf(memory).length > 0 ? "AUTH_REQUEST" : "WHITELIST",
        reference: givenReference(memory)
      }
    : authorizedBy(memory.profile, objectIn(jsonOf(intentOf(memory, command)?.request)))
}

/** The result of that command, or what `example` gives in its place. */
export const expectsResult =
  (command: string, example: (now: string) => JsonObject = () => ({ result: "ACCEPTED" })): Expects =>
  (memory, now) => {
    const url = responseUrlOf(memory, command)
    return url === undefined
      ? undefined
      : { method: "POST", module: "commands", path: [], url, body: example(now) }
  }

export const expectsActive: Expects = (memory, now) => {
  const where = place(memory)
  return where === undefined ? undefined : newSession(memory, where, authorized(memory), now)
}

/** An update that shows one kWh more. */
export const expectsUpdate =
  (change: (memory: Memory) => Omit<Progress, "kwh"> = () => ({})): Expects =>
  (memory, now) => {
    const session = ourSession(memory)?.state
    return session === undefined ? undefined : moreEnergy(memory, session, { kwh: 1, ...change(memory) }, now)
  }

export const expectsCdr: Expects = (memory) => {
  const session = ourSession(memory)?.state
  const where = place(memory)
  return session === undefined || where === undefined ? undefined : cdrAfter(memory, session, where)
}
