import { Schema } from "effect"
import { minuteMillis } from "../../../../schema/fields/durations.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { JourneyTemplate } from "../../model/JourneyTemplate.ts"
import type { RunHistory } from "../../model/RunHistory.ts"
import type { OurCharge } from "../../stages/asCpo/ourCharge.ts"
import {
  beginSession,
  endSession,
  leavesNothingOpen,
  readCdr,
  readSession,
  sendCdr,
  updateSession
} from "../../stages/asCpo/ourChargeStages.ts"
import { placeFor } from "../../stages/asCpo/ourPlace.ts"
import { pushLocation, pushTariff, retirePlace, showStatus } from "../../stages/asCpo/ourPlaceStages.ts"
import { listedDriver, readTokens } from "../../stages/asCpo/partnerTokens.ts"
import { stepFields, tokenFields, waitFields } from "../../stages/charge/inputs.ts"

/** Times of the charge's steps, in minutes before the run: the charge was in the last hour. */
const minutesBefore = [54, 36, 18, 0]

const instants = ({ createdAt }: RunHistory) =>
  minutesBefore.map((minutes) => Date.parse(createdAt) - minutes * minuteMillis)

const charge: OurCharge = {
  place: (history) => placeFor(history),
  authorized: listedDriver,
  instants,
  kwh: 1.5
}
const updates = minutesBefore.length - 1

/** We push a whole charge of a driver of the partner at our EVSE. We are the CPO. */
export const playSession: JourneyTemplate = {
  ...leavesNothingOpen(charge, retirePlace),
  id: "play-session",
  packs: ["go-live", "money", "resilience"],
  name: "Push a whole session",
  description:
    "A driver of the partner charges at our EVSE: we push the session from its start to its CDR, and read back the partner's copies.",
  outcome: "The partner accepted every message of the charge, and its session and CDR equal ours.",
  ourRole: "CPO",
  supportedVersions: versionNumbers,
  needs: [
    ["tokens", "SENDER"],
    ["sessions", "RECEIVER"],
    ["cdrs", "RECEIVER"]
  ],
  requiredPlan: "integrate",
  expectedDurationSeconds: 20,
  inputs: Schema.Struct({ ...tokenFields, ...stepFields, ...waitFields }),
  stages: [
    readTokens(),
    pushTariff,
    pushLocation(),
    beginSession(charge),
    showStatus(
      { id: "show-charging", name: "Show that it charges" },
      "CHARGING",
      (history) => instants(history)[0] ?? 0
    ),
    updateSession(charge, updates - 1),
    endSession(charge, updates),
    showStatus(
      { id: "show-free", name: "Show that it is free" },
      "AVAILABLE",
      (history) => instants(history).at(-1) ?? 0
    ),
    readSession(charge),
    sendCdr(charge),
    readCdr(charge)
  ]
}
