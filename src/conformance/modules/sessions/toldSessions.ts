/** Sessions of ours that an EMSP is told of, as they are step after step. */
import type { Evidence } from "../../model/Evidence.ts"
import {
  began,
  ending,
  minutes,
  partnersToken,
  period,
  strangersToken,
  testPlace,
  testSession
} from "../charge/testCharge.ts"
import { type Make, type OwnedObjects, without } from "../shared/receiverSteps.ts"

/** A session cannot be deleted: it is left behind completed. */
export const ourSessions: OwnedObjects = {
  module: "sessions",
  nouns: ["session"],
  cleanUp: (session, evidence) => ({
    method: "PUT",
    body: { charging_periods: [], ...session, ...ending(evidence) }
  })
}

/** The charging periods of those numbers, so many minutes after the session began: what a PATCH brings. */
export const addPeriods =
  (minute: number, ...indexes: ReadonlyArray<number>): Make =>
  (evidence) => ({
    charging_periods: indexes.map((index) => period(evidence, index)),
    last_updated: minutes(evidence, began + minute)
  })

/** ACTIVE, and then changed. `name` ends its id. */
export const session =
  (name: string, change: Make = () => ({})): Make =>
  (evidence) => ({ ...testSession(evidence, name), ...change(evidence) })

/** What a PATCH changes while it lasts. */
export const progress: Make = (evidence) => ({ kwh: 2.25, last_updated: minutes(evidence, began + 20) })

/** What a session that is over is patched to. */
export const kwhAfterTheEnd = 9.75
export const afterTheEnd: Make = (evidence) => ({
  kwh: kwhAfterTheEnd,
  last_updated: minutes(evidence, -5)
})

export const onePeriod = session("S2", (evidence) => ({ charging_periods: [period(evidence, 0)] }))
export const twoPeriods = session("S2", addPeriods(30, 0, 1))
export const noPeriods: Make = (evidence) => without("charging_periods")(session("S2")(evidence))
export const addNone: Make = (evidence) => ({ kwh: 3.25, ...addPeriods(31)(evidence) })

/** Stands where a reservation has no EVSE or connector yet. */
const notAvailable = "#NA"
export const reservation = session("S3", () => ({
  kwh: 0,
  status: "RESERVATION",
  auth_method: "COMMAND",
  evse_uid: notAvailable,
  connector_id: notAvailable
}))

export const elsewhere = (evidence: Evidence) =>
  testSession(evidence, "S4", { place: testPlace(evidence, "HOME"), token: partnersToken(evidence) })
export const foreign = (evidence: Evidence) =>
  testSession(evidence, "S5", { place: testPlace(evidence, "L"), token: strangersToken(evidence) })
