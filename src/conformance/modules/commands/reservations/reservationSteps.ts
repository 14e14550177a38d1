/** What checks of reservations have in common. */

import { versionsWhere } from "../../../../../schema/ocpi/versions.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { blockedByLegs, isDone } from "../../shared/commandLegs.ts"
import { commandsBase } from "../commandBase.ts"
import { reserve, reserveTarget, statusAt } from "./reservingProbes.ts"

/** Versions in which a reservation has a session. */
export const withSession = versionsWhere(({ reservationSession }) => reservationSession)

/** The step that reserves. */
export const order = `${reserve}#reserve`

/** What the checks have in common. */
export const reservationsBase = {
  ...commandsBase,
  partial: true,
  sends: "RESERVE_NOW at a free EVSE that can be reserved"
} as const

/** Why nothing can be said that follows from a reservation; undefined: it stands. */
export const notReserved = (evidence: Evidence, step = order) =>
  isDone(evidence, step)
    ? undefined
    : blockedByLegs(evidence, step, step === order ? { refused: "CMD-028" } : {})

/** The status of the reserved EVSE as a step has read it. */
export const readStatus = (evidence: Evidence, step: string): unknown => {
  const target = reserveTarget(evidence)
  return target === undefined ? undefined : statusAt(evidence, `${reserve}#${step}`, target)
}
