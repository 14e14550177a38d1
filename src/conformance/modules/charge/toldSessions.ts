/** Our test sessions for an EMSP, at each step of the script. */
import { notAvailable } from "../../../../schema/ocpi/notAvailable.ts"
import type { Evidence } from "../../model/Evidence.ts"
import type { PlainRead } from "../shared/receivers/lostFields.ts"
import { type Make, type OwnedObjects, without } from "../shared/receivers/receiverSteps.ts"
import {
  began,
  ending,
  minutes,
  noUsableToken,
  otherEmspsToken,
  partnersToken,
  period,
  testPlace,
  testSession
} from "./testCharge.ts"

/** A session cannot be deleted: the clean-up completes it. */
export const ourSessions: OwnedObjects = {
  module: "sessions",
  nouns: ["session"],
  lacking: noUsableToken,
  cleanUp: (session, evidence) => ({
    method: "PUT",
    body: { charging_periods: [], ...session, ...ending(evidence) }
  })
}

/** The body of a PATCH with the charging periods of these indexes; its last_updated is `minute` minutes after the start of the session. */
export const addPeriods =
  (minute: number, ...indexes: ReadonlyArray<number>): Make =>
  (evidence) => ({
    charging_periods: indexes.map((index) => period(evidence, index)),
    last_updated: minutes(evidence, began + minute)
  })

/** An ACTIVE session whose id ends with `name`, with changed fields. */
export const session =
  (name: string, change: Make = () => ({})): Make =>
  (evidence) => ({ ...testSession(evidence, name), ...change(evidence) })

/** The body of a PATCH during the session. */
export const progress: Make = (evidence) => ({ kwh: 2.25, last_updated: minutes(evidence, began + 20) })

/** The `kwh` of a PATCH that follows the end of the session. */
export const kwhAfterTheEnd = 9.75
/** The body of a PATCH that follows the end of the session. */
export const afterTheEnd: Make = (evidence) => ({
  kwh: kwhAfterTheEnd,
  last_updated: minutes(evidence, -5)
})

/** The session `S2` with its first charging period. */
export const onePeriod = session("S2", (evidence) => ({ charging_periods: [period(evidence, 0)] }))
/** The session `S2` with its first two charging periods. */
export const twoPeriods = session("S2", addPeriods(30, 0, 1))
/** The session `S2` without the field charging_periods. */
export const noPeriods: Make = (evidence) => without("charging_periods")(session("S2")(evidence))
/** The body of a PATCH with an empty list of charging periods. */
export const addNone: Make = (evidence) => ({ kwh: 3.25, ...addPeriods(31)(evidence) })

/** The session of a reservation without an EVSE yet. */
export const reservation = session("S3", () => ({
  kwh: 0,
  status: "RESERVATION",
  auth_method: "COMMAND",
  evse_uid: notAvailable,
  connector_id: notAvailable
}))

/** A session at a location that no step has pushed, with a token of the partner. */
export const elsewhere = (evidence: Evidence) =>
  testSession(evidence, "S4", { place: testPlace(evidence, "HOME"), token: partnersToken(evidence) })
/** A session of a driver of another EMSP. */
export const foreign = (evidence: Evidence) =>
  testSession(evidence, "S5", { place: testPlace(evidence, "L"), token: otherEmspsToken(evidence) })

/** Where a plain session is read back. */
export const plainSession: PlainRead = {
  check: "SESS-102",
  read: "sessions.write#read back",
  object: session("S1")
}
