/**
 * Examples of a partner's messages, as our own CPO would send them: valid in the version, with the values of the run. For
 * `expects`, so that a person can play the partner. Pure.
 */
import { dateTimeOf } from "../../../schema/ocpi/DateTime.ts"
import { type JsonObject, keyText, objectsIn } from "../../findings/json.ts"
import { cdrOf } from "../../party/simulation/chargePoint/cdr.ts"
import {
  type Authorized,
  type ChargingPlace,
  sessionOf
} from "../../party/simulation/chargePoint/chargingObjects.ts"
import type { ExpectedCall } from "./Act.ts"
import type { RunHistory } from "./RunHistory.ts"

/** An ISO 8601 UTC text as an OCPI DateTime. */
const onWire = (now: string) => dateTimeOf(Date.parse(now))

/** The partner, as far as it is known, as the owner of what it sends. */
const senderOf = ({ profile, them = { countryCode: "XX", partyId: "XXX" } }: RunHistory) => ({
  version: profile.version,
  identity: { ...them, name: them.partyId }
})

/** PUT of a new ACTIVE session at that place for that driver. */
export function newSession(
  history: RunHistory,
  place: ChargingPlace,
  authorized: Authorized,
  now: string
): ExpectedCall {
  const sender = senderOf(history)
  const id = `EXAMPLE-${history.runId.replace(/[^A-Za-z0-9]/g, "").slice(-20)}`
  const body = sessionOf(sender, place, { id, status: "ACTIVE", start: onWire(now), authorized })
  return sessionMessage(history, id, "PUT", body)
}

/** A change of a session. `kwh`: how much energy is added. */
export interface SessionProgress {
  readonly kwh: number
  /** The session also ends. */
  readonly over?: true
  /** Sent by PUT of the whole session; default by PATCH. */
  readonly whole?: true
  /** The tariff_id of the added charging period. */
  readonly tariffId?: string
}

/** PATCH, or PUT, of a session with that much more energy. */
export function moreEnergy(
  history: RunHistory,
  session: JsonObject,
  change: SessionProgress,
  now: string
): ExpectedCall {
  const names = history.profile.sessionNames
  const before = typeof session["kwh"] === "number" ? session["kwh"] : 0
  const period = {
    start_date_time: session["last_updated"],
    dimensions: [{ type: "ENERGY", volume: change.kwh }],
    ...(change.tariffId === undefined ? {} : { tariff_id: change.tariffId })
  }
  const changed = {
    ...(change.over === undefined ? {} : { status: "COMPLETED", [names.end]: onWire(now) }),
    kwh: before + change.kwh,
    last_updated: onWire(now)
  }
  const id = keyText(session["id"])
  if (change.whole === undefined)
    return sessionMessage(history, id, "PATCH", { ...changed, charging_periods: [period] })
  const charging_periods = [...objectsIn(session["charging_periods"]), period]
  return sessionMessage(history, id, "PUT", { ...session, ...changed, charging_periods })
}

function sessionMessage(
  history: RunHistory,
  id: string,
  method: "PUT" | "PATCH",
  body: JsonObject
): ExpectedCall {
  const { countryCode, partyId } = senderOf(history).identity
  return { method, module: "sessions", path: [countryCode, partyId, id], body }
}

/** POST of the CDR of a completed session. */
export const cdrAfter = (history: RunHistory, session: JsonObject, place: ChargingPlace): ExpectedCall => ({
  method: "POST",
  module: "cdrs",
  path: [],
  body: cdrOf(senderOf(history), session, place)
})
