/** A charge at one of our places in steps: the session after each, and the CDR at its end. Pure. */

import { dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { JsonObject } from "../../../findings/json.ts"
import { keyText } from "../../../findings/json.ts"
import { cdrOf, costSoFar } from "../../../party/simulation/chargePoint/cdr.ts"
import {
  type Authorized,
  type ChargingPlace,
  sessionOf
} from "../../../party/simulation/chargePoint/chargingObjects.ts"
import { hours } from "../../../party/simulation/chargePoint/meter.ts"
import { endingAt } from "../../../party/simulation/chargePoint/sessionFields.ts"
import type { RunHistory } from "../../model/RunHistory.ts"
import { freshId, ourselves } from "./ourPlace.ts"

/** A charge at one of our places: where, for which token, and the time of each step. */
export interface OurCharge {
  readonly place: (history: RunHistory) => ChargingPlace
  /** The driver; undefined while none is known. */
  readonly authorized: (history: RunHistory) => Authorized | undefined
  /** Epoch milliseconds: the start, then one instant for each update; the last one is the end. */
  readonly instants: (history: RunHistory) => ReadonlyArray<number>
  /** Energy of each update, in kWh. */
  readonly kwh: number
}

/** The id of the run's session. */
export const sessionIdOf = (history: RunHistory): string => freshId(history, "S")

const rounded = (value: number): number => Math.round(value * 10_000) / 10_000

/** The charging periods, one for each update. */
function periods(
  history: RunHistory,
  { instants, kwh }: OurCharge,
  updates: number
): ReadonlyArray<JsonObject> {
  const times = instants(history)
  return Array.from({ length: updates }, (_, index) => {
    const [from = 0, to = from] = times.slice(index, index + 2)
    return {
      start_date_time: dateTimeOf(from),
      dimensions: [
        { type: "ENERGY", volume: kwh },
        { type: "TIME", volume: hours((to - from) / 1000) }
      ]
    }
  })
}

/** The session after so many updates; undefined while no driver is known. The last update ends it. */
export function sessionAfter(
  history: RunHistory,
  charge: OurCharge,
  updates: number
): JsonObject | undefined {
  const authorized = charge.authorized(history)
  const [start = 0, ...later] = charge.instants(history)
  if (authorized === undefined) return undefined
  const place = charge.place(history)
  const session = sessionOf(ourselves(history), place, {
    id: sessionIdOf(history),
    status: "ACTIVE",
    start: dateTimeOf(start),
    authorized
  })
  if (updates === 0) return session
  const when = dateTimeOf(later[updates - 1] ?? start)
  const measured = {
    ...session,
    kwh: rounded(updates * charge.kwh),
    charging_periods: periods(history, charge, updates),
    ...(updates === later.length ? endingAt(history.profile, when) : {}),
    last_updated: when
  }
  return { ...measured, total_cost: costSoFar(history.profile, measured, place) }
}

/** The fields that an update changes. In versions where a PATCH replaces the periods, all of them. */
export function changeOf(history: RunHistory, charge: OurCharge, update: number): JsonObject | undefined {
  const after = sessionAfter(history, charge, update)
  if (after === undefined) return undefined
  const all = periods(history, charge, update)
  const isLast = update === charge.instants(history).length - 1
  return {
    kwh: after["kwh"],
    charging_periods: history.profile.patchAppendsPeriods === true ? all.slice(-1) : all,
    total_cost: after["total_cost"],
    ...(isLast ? endingAt(history.profile, keyText(after["last_updated"])) : {}),
    last_updated: after["last_updated"]
  }
}

/** The session at its end. */
export const finalSession = (history: RunHistory, charge: OurCharge): JsonObject | undefined =>
  sessionAfter(history, charge, charge.instants(history).length - 1)

/** The CDR of the session; undefined while no driver is known. */
export function finalCdr(history: RunHistory, charge: OurCharge): JsonObject | undefined {
  const session = finalSession(history, charge)
  return session === undefined ? undefined : cdrOf(ourselves(history), session, charge.place(history))
}
