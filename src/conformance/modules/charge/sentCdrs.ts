/** Our test CDRs for an EMSP. */

import { notAvailable } from "../../../../schema/ocpi/notAvailable.ts"
import { type JsonObject, objectIn } from "../../../findings/json.ts"
import { creditOf } from "../../../party/simulation/chargePoint/creditCdr.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { type Make, type OwnedObjects, without } from "../shared/receivers/receiverSteps.ts"
import {
  began,
  minutes,
  noUsableToken,
  otherEmspsToken,
  partnersToken,
  testCdr,
  testPlace
} from "./testCharge.ts"

/** A CDR cannot be deleted: where the version has Credit CDRs, the clean-up posts one. */
export const ourCdrs: OwnedObjects = {
  module: "cdrs",
  nouns: ["cdr"],
  lacking: noUsableToken,
  cleanUp: (cdr, evidence) =>
    evidence.profile.cdrDetails ? { method: "POST", body: creditOf(cdr, minutes(evidence, 0)) } : undefined
}

/** The test CDR whose id ends with `name`. */
export const cdr =
  (name: string): Make =>
  (evidence) =>
    testCdr(evidence, name)

/** A `total_cost` of `amount` euros. */
export const cost =
  (amount: number): Make =>
  ({ profile }) => ({
    total_cost: {
      number: amount,
      excl_vat: { excl_vat: amount },
      before_taxes: { before_taxes: amount }
    }[profile.price]
  })

/** A CDR with the id of the first one and another total_cost. */
export const dearer: Make = (evidence) => ({ ...testCdr(evidence, "C1"), ...cost(9)(evidence) })
/** The Credit CDR of the first CDR. */
export const credit: Make = (evidence) => creditOf(testCdr(evidence, "C1"), minutes(evidence, 0))

const withoutOptional = without(
  "session_id",
  "tariffs",
  "total_fixed_cost",
  "total_energy_cost",
  "total_time_cost",
  "total_parking_cost",
  "total_reservation_cost",
  "total_parking_time"
)
/** A CDR without its optional fields. */
export const minimal: Make = (evidence) => withoutOptional(testCdr(evidence, "C5"))

/** The CDR of an unused reservation of a quarter of an hour, at no cost. */
export const reservation: Make = (evidence) => {
  const whole = withoutOptional(testCdr(evidence, "C2"))
  const { total_cost } = cost(0)(evidence)
  return {
    ...whole,
    auth_method: "COMMAND",
    cdr_location: {
      ...objectIn(whole["cdr_location"]),
      evse_uid: notAvailable,
      evse_id: notAvailable,
      connector_id: notAvailable
    },
    charging_periods: [
      {
        start_date_time: minutes(evidence, began),
        dimensions: [{ type: "RESERVATION_TIME", volume: 0.25 }]
      }
    ],
    total_cost,
    total_reservation_cost: total_cost,
    total_energy: 0,
    total_time: 0
  }
}

export const elsewhere = (evidence: Evidence): JsonObject =>
  testCdr(evidence, "C3", { place: testPlace(evidence, "HOME"), token: partnersToken(evidence) })
export const foreign = (evidence: Evidence): JsonObject =>
  testCdr(evidence, "C4", { place: testPlace(evidence, "C"), token: otherEmspsToken(evidence) })
