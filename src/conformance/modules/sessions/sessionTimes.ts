/** The times and charging periods of sessions. */

import { latestMillis } from "../../../../schema/ocpi/DateTime.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { given, unless, when } from "../../../findings/finding.ts"
import { objectsIn } from "../../../findings/json.ts"
import { decimalOf, isMore, numberOf, zero } from "../../../findings/money/decimal.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import type { Check } from "../../model/Check.ts"
import { backwards, dimensionsOf, factorOf, isNear, outOfOrder, spanOf, summed } from "../charge/charging.ts"
import { allSessions } from "../charge/toldCharges.ts"
import { onEach, onFlaws, wrong } from "../shared/objects/objectRules.ts"
import type { Placed } from "../shared/objects/Placed.ts"
import { dimensions, sessionClause, sessionsBase } from "./sessionObjects.ts"

/**
 * Judge start, end, last_updated, kwh and charging periods of sessions (mod_sessions, Session Object; mod_cdrs,
 * ChargingPeriod and CdrDimension classes).
 */
export const sessionTimesChecks: ReadonlyArray<Check> = [
  {
    ...sessionsBase,
    id: "SESS-005",
    title: "Session: start is not after end",
    reference: sessionClause,
    passes: "the start is not after the end",
    hint: "Write both times in UTC; check that neither is in local time.",
    judge: onEach(allSessions, "has both its times", (item, { profile }) => {
      const { end, start } = spanOf(item.json, profile.sessionNames)
      return start === undefined || end === undefined ? undefined : backwards(item, profile.sessionNames)
    })
  },
  {
    ...sessionsBase,
    id: "SESS-006",
    title: "Session: start, end and last_updated fit the status",
    strength: "should",
    reference: `${sessionClause}; SessionStatus enum`,
    passes: "an end when COMPLETED, none when PENDING or ACTIVE; last_updated not before start and end",
    hint: "Set the end when the session becomes COMPLETED, and last_updated with every change.",
    judge: onEach(allSessions, "has the fields that the check compares", timesFitStatus)
  },
  {
    ...sessionsBase,
    id: "SESS-007",
    title: "Session: kwh is the sum of the ENERGY volumes of its charging periods",
    strength: "should",
    reference: `${sessionClause}; mod_cdrs, CdrDimensionType enum`,
    passes: "kwh is not negative, and the sum of the ENERGY volumes within 1 % where every period has one",
    hint: "Write energy in kWh everywhere: divide Wh by 1000.",
    judge: onEach(allSessions, "has kwh", energyAddsUp)
  },
  {
    ...sessionsBase,
    id: "SESS-008",
    consequenceOf: ["SESS-005"],
    title: "Session: charging periods are in order of start_date_time and within the session",
    strength: "should",
    reference: "mod_cdrs, ChargingPeriod class",
    passes:
      "start_date_time strictly ascending, none before the start but those of a reservation, none after the end of the session",
    hint: "Sort charging_periods by start_date_time, the oldest first.",
    judge: onEach(allSessions, "has charging periods", (item, { profile }) =>
      objectsIn(item.json["charging_periods"]).length === 0
        ? undefined
        : // The time of a reservation is before the start, which is when the session became ACTIVE.
          outOfOrder(item, profile.sessionNames, ["RESERVATION_TIME"])
    )
  },
  {
    ...sessionsBase,
    id: "SESS-009",
    title: "Session: each charging period has dimensions of the version's CdrDimensionType",
    reference: "mod_cdrs, CdrDimension class, CdrDimensionType enum",
    passes: "each period has a dimension, each type is of the version, STATE_OF_CHARGE is from 0 to 100",
    hint: "Leave out measurements for which the version has no CdrDimensionType.",
    judge: onFlaws(allSessions, dimensions, (item) =>
      dimensionsOf(item.json).flatMap(({ at, dimension }) => {
        const { type, volume } = dimension
        return unless(
          type !== "STATE_OF_CHARGE" || typeof volume !== "number" || (volume >= 0 && volume <= 100),
          () =>
            wrong(item, `${at}/volume`, "STATE_OF_CHARGE is out of range", {
              expected: "0 to 100",
              actual: volume
            })
        )
      })
    )
  }
]

function timesFitStatus(item: Placed, { profile }: Parameters<Check["judge"]>[0]): ReadonlyArray<Finding> {
  const { json } = item
  const { end: endField } = profile.sessionNames
  const { end, start } = spanOf(json, profile.sessionNames)
  const updated = latestMillis(json["last_updated"])
  const hasEnd = json[endField] !== undefined && json[endField] !== null
  const status = sessionStatus(json)
  return [
    ...when(status === "COMPLETED" && !hasEnd, () =>
      wrong(item, endField, `the session is COMPLETED and has no ${endField}`, {
        expected: "a DateTime",
        actual: json[endField]
      })
    ),
    ...when((status === "PENDING" || status === "ACTIVE") && hasEnd, () =>
      wrong(item, endField, `the session is ${status} and has an ${endField}`, {
        expected: "no end yet",
        actual: json[endField]
      })
    ),
    ...[start, end].flatMap((at) =>
      given(updated === undefined || at === undefined || updated >= at ? undefined : at, (at) =>
        wrong(item, "last_updated", "last_updated is before the start or end of the session", {
          expected: `not before ${new Date(at).toISOString()}`,
          actual: json["last_updated"]
        })
      )
    )
  ]
}

function energyAddsUp(item: Placed): ReadonlyArray<Finding> | undefined {
  const kwh = decimalOf(item.json["kwh"])
  if (kwh === undefined) return undefined
  if (isMore(zero, kwh))
    return [wrong(item, "kwh", "kwh is negative", { expected: "0 or more", actual: item.json["kwh"] })]
  const { every, sum } = summed(item.json, "ENERGY")
  if (!every || isNear(kwh, sum, 0.01)) return []
  const unit = factorOf(kwh, sum, [1000]) === undefined ? "" : ": one of them is in Wh"
  return [
    wrong(item, "kwh", `kwh is not the sum of the ENERGY volumes${unit}`, {
      expected: `${numberOf(sum)} kWh`,
      actual: item.json["kwh"]
    })
  ]
}
