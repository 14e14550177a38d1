import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import type { JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { cdrPushed, everythingAgrees } from "../../stages/asEmsp/billing.ts"
import { sessionActive, sessionCompleted, sessionUpdates } from "../../stages/asEmsp/chargeStages.ts"
import {
  forRemoteStart,
  startResult,
  startSession,
  stopResult,
  stopSession
} from "../../stages/asEmsp/commands/remoteControl.ts"
import { pushToken, readLocations } from "../../stages/asEmsp/preparation.ts"
import { forACharge } from "../../stages/asEmsp/templateDefaults.ts"

/** A driver starts a session from our app, charges, and stops it from our app. We are the EMSP. */
export const remoteStart: JourneyTemplate = {
  ...forACharge,
  id: "remote-start",
  name: "Remote start, charge, remote stop",
  packs: ["go-live", "resilience"],
  description:
    "A driver starts a session from our app, charges, and stops it from our app; plugfest grades every message of the partner.",
  outcome: "One session ran from START_SESSION to COMPLETED, and one CDR came that agrees with it.",
  supportedVersions: versionNumbers,
  expectedDurationSeconds: 120,
  stages: [
    readLocations(forRemoteStart),
    pushToken,
    startSession(),
    startResult,
    sessionActive,
    sessionUpdates,
    stopSession,
    stopResult,
    sessionCompleted,
    cdrPushed,
    everythingAgrees
  ]
}
