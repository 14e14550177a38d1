/** Journeys in which a driver reserves an EVSE from our app, and uses it, cancels, or never comes. We are the EMSP. */
import { Schema } from "effect"
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { JourneyStage, JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { cdrPushed, everythingAgrees } from "../../stages/asEmsp/billing.ts"
import { sessionActive, sessionCompleted, sessionUpdates } from "../../stages/asEmsp/chargeStages.ts"
import {
  startResult,
  startSession,
  stopResult,
  stopSession
} from "../../stages/asEmsp/commands/remoteControl.ts"
import {
  cancelOurReservation,
  cancelReservation,
  cancelResult,
  forReservation,
  released,
  reservationStays,
  reserve,
  reserved,
  reservedPlace,
  reserveResult
} from "../../stages/asEmsp/commands/reservation.ts"
import { usedRules } from "../../stages/asEmsp/commands/reservationRules.ts"
import { pushToken, readLocations } from "../../stages/asEmsp/preparation.ts"
import { forACharge } from "../../stages/asEmsp/templateDefaults.ts"
import { tokenStays } from "../../stages/charge/driver.ts"
import { placeFields, waitFields } from "../../stages/charge/inputs.ts"
import { stopOurSession } from "../../stages/charge/readBacks.ts"

const ground = {
  ...forACharge,
  inputs: Schema.Struct({
    ...placeFields,
    ...waitFields,
    reservedSeconds: Schema.optionalWith(Schema.Int.pipe(Schema.between(30, 86_400)), {
      exact: true
    }).annotations({ description: "Seconds for which to reserve the EVSE" })
  }),
  remains: (history) => [...tokenStays(history), ...reservationStays(history)],
  cleanUp: (history, occasion) =>
    stopOurSession(history, occasion) ?? cancelOurReservation(history, occasion),
  catchUp: { ...forACharge.catchUp, setOffBy: "reserve" }
} satisfies Partial<JourneyTemplate>

const reserving = (seconds: number) => [
  readLocations(forReservation),
  pushToken,
  reserve(seconds),
  reserveResult,
  reserved
]

const oneSession: JourneyStage = {
  id: "one-session",
  name: "The reservation became the charge",
  actor: "us",
  module: "sessions",
  description: "Check that one session went from RESERVATION to COMPLETED.",
  timeoutSeconds: 1,
  act: { act: "judge" },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: usedRules
}

const aWhile = 900
const briefly = 120

/** A reservation that a driver uses. */
export const reserveAndUse: JourneyTemplate = {
  ...ground,
  id: "reserve-and-use",
  packs: ["reservations"],
  name: "Reserve and use",
  description: "A driver reserves an EVSE, starts a charge there from our app, and stops it.",
  outcome: "The partner kept the EVSE free, and the reservation became the charge that it billed.",
  supportedVersions: versionNumbers,
  expectedDurationSeconds: 150,
  stages: [
    ...reserving(aWhile),
    startSession({ placed: reservedPlace }),
    startResult,
    sessionActive,
    sessionUpdates,
    stopSession,
    stopResult,
    sessionCompleted,
    cdrPushed,
    oneSession,
    everythingAgrees
  ]
}

/** A reservation that is cancelled, in versions that can. */
export const reserveAndCancel: JourneyTemplate = {
  ...ground,
  id: "reserve-and-cancel",
  packs: ["reservations"],
  name: "Reserve and cancel",
  description: "A driver reserves an EVSE and cancels the reservation from our app.",
  outcome: "Our CANCEL_RESERVATION ended the reservation without a charge, and the EVSE is free again.",
  supportedVersions: versionsWhere(({ commands }) => commands.includes("CANCEL_RESERVATION")),
  expectedDurationSeconds: 60,
  stages: [...reserving(aWhile), cancelReservation, cancelResult, released("cancel", 60)]
}

/** A reservation that expires unused. */
export const reserveAndExpire: JourneyTemplate = {
  ...ground,
  id: "reserve-and-expire",
  packs: ["reservations"],
  name: "Reserve and let expire",
  description:
    "A driver reserves an EVSE and never comes; the partner must end the reservation at its expiry.",
  outcome: "The reservation ended at its expiry without a charge, and the EVSE is free again.",
  supportedVersions: versionNumbers,
  expectedDurationSeconds: 180,
  stages: [...reserving(briefly), released("reserve", briefly)]
}
