import { Schema } from "effect"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { locationWishes } from "../../../party/simulation/driver/scriptedLocations.ts"
import type { JourneyTemplate } from "../../model/JourneyTemplate.ts"
import type { RunHistory } from "../../model/RunHistory.ts"
import type { OurCharge } from "../../stages/asCpo/ourCharge.ts"
import {
  beginSession,
  endSession,
  leavesNothingOpen,
  pace,
  sendCdr,
  updateSession
} from "../../stages/asCpo/ourChargeStages.ts"
import { type PlaceKind, placeFor } from "../../stages/asCpo/ourPlace.ts"
import { pushLocation, pushTariff, retirePlace, showStatus } from "../../stages/asCpo/ourPlaceStages.ts"
import {
  commandedDriver,
  serveStart,
  serveStop,
  startServed,
  stopServed
} from "../../stages/asCpo/servedCommands.ts"
import { stepFields, waitFields } from "../../stages/charge/inputs.ts"

const kind: PlaceKind = {
  name: locationWishes.charge,
  isPublic: true,
  capabilities: ["REMOTE_START_STOP_CAPABLE"]
}

const second = 1_000

/** The times of the charge: it starts with START_SESSION, has one update, and ends with STOP_SESSION. */
function instants(history: RunHistory): ReadonlyArray<number> {
  const start = Date.parse(startServed(history)?.startedAt ?? history.createdAt)
  const update = start + Math.max(1, pace(history)) * second
  const stop = Date.parse(stopServed(history)?.startedAt ?? history.createdAt)
  return [start, update, Math.max(stop, update + second)]
}

const charge: OurCharge = {
  place: (history) => placeFor(history, kind),
  authorized: commandedDriver,
  instants,
  kwh: 0.05
}

/** A driver of the partner starts and stops a charge at our EVSE from the partner's app. We are the CPO. */
export const partnerStarts: JourneyTemplate = {
  ...leavesNothingOpen(charge, retirePlace),
  id: "partner-starts",
  packs: ["go-live", "resilience"],
  name: "The partner starts and stops at our EVSE",
  description:
    "We push a location; a driver of the partner starts a charge there from the partner's app, and stops it.",
  outcome: "The partner started and stopped a charge at our EVSE, and accepted the session and the CDR.",
  ourRole: "CPO",
  supportedVersions: versionNumbers,
  needs: [
    ["locations", "RECEIVER"],
    ["sessions", "RECEIVER"],
    ["cdrs", "RECEIVER"]
  ],
  requiredPlan: "integrate",
  expectedDurationSeconds: 120,
  inputs: Schema.Struct({ ...stepFields, ...waitFields }),
  stages: [
    pushTariff,
    pushLocation(kind, { isNeeded: true }),
    serveStart,
    beginSession(charge),
    showStatus(
      { id: "show-charging", name: "Show that it charges" },
      "CHARGING",
      (history) => instants(history)[0] ?? 0,
      kind
    ),
    updateSession(charge, 1),
    serveStop,
    endSession(charge, 2),
    showStatus(
      { id: "show-free", name: "Show that it is free" },
      "AVAILABLE",
      (history) => instants(history)[2] ?? 0,
      kind
    ),
    sendCdr(charge)
  ]
}
