/** A driver charges from our app, and we look closely at what the partner tells of it. We are the EMSP. */
import { versionNumbers, versionsWhere } from "../../../schema/ocpi/versions.ts"
import type { JourneyStage, JourneyTemplate } from "../JourneyTemplate.ts"
import { cdrPushed, everythingAgrees } from "../stages/billing.ts"
import { sessionActive, sessionCompleted, sessionUpdates } from "../stages/chargeStages.ts"
import { profileStages } from "../stages/chargingProfile.ts"
import { creditedDriver, creditPushed } from "../stages/creditCdr.ts"
import { appDriver, type Driver } from "../stages/driver.ts"
import { forACharge } from "../stages/ground.ts"
import type { Needed } from "../stages/place.ts"
import { placeOf } from "../stages/place.ts"
import { readLocations, tokenPush } from "../stages/preparation.ts"
import { evseStatus, readCdrs, readSessions, updateForms } from "../stages/reconciliation.ts"
import {
  forRemoteStart,
  startResult,
  startSession,
  stopResult,
  stopSession
} from "../stages/remoteControl.ts"

const begin = (driver: Driver = appDriver, needed: Needed = forRemoteStart): ReadonlyArray<JourneyStage> => [
  readLocations(needed),
  tokenPush(driver),
  startSession({ driver, placed: (memory) => placeOf(memory, needed) }),
  startResult,
  sessionActive
]
const end: ReadonlyArray<JourneyStage> = [sessionUpdates, stopSession, stopResult, sessionCompleted]

const common = { ...forACharge, supportedVersions: versionNumbers, expectedDurationSeconds: 120 } as const

export const chargesLookedAt: ReadonlyArray<JourneyTemplate> = [
  {
    ...common,
    id: "session-updates",
    name: "Session updates by PATCH and by PUT",
    description:
      "A driver charges; every update of the session is put together, and compared with the partner's list in the end.",
    outcome: "Each update fitted the one before, and the list shows the session as it was pushed.",
    stages: [...begin(), ...end, updateForms, readSessions]
  },
  {
    ...common,
    id: "evse-status",
    name: "EVSE status along a session",
    description: "A driver charges; the EVSE's status must follow the session.",
    outcome: "The EVSE was shown as CHARGING during the session, and as AVAILABLE after it.",
    stages: [...begin(), ...end, evseStatus]
  },
  {
    ...common,
    id: "cdr-reconciliation",
    name: "CDR reconciliation",
    description: "A driver charges; session, CDR and both lists of the partner are compared with each other.",
    outcome: "One CDR bills the session, agrees with it, and is in the list as it was pushed.",
    stages: [...begin(), ...end, cdrPushed, everythingAgrees, readSessions, readCdrs]
  },
  {
    ...common,
    id: "credit-cdr",
    name: "Credit CDR",
    description: "A driver charges and is billed; then the partner takes the CDR back.",
    outcome: "A Credit CDR names the CDR, and takes the whole amount back.",
    supportedVersions: versionsWhere(({ cdrDetails }) => cdrDetails),
    expectedDurationSeconds: 300,
    stages: [...begin(creditedDriver), ...end, cdrPushed, creditPushed]
  },
  {
    ...common,
    id: "charging-profile",
    name: "Charging profile: set, read, clear",
    description:
      "While a driver charges, we limit the power, ask for the profile in force, and lift the limit again.",
    outcome: "The partner took the profile, told the one in force, and cleared it.",
    supportedVersions: versionsWhere(({ modules }) => modules.includes("chargingprofiles")),
    needs: [...forACharge.needs, ["chargingprofiles", "RECEIVER"]],
    expectedDurationSeconds: 180,
    stages: [
      ...begin(appDriver, [...forRemoteStart, "CHARGING_PROFILE_CAPABLE"]),
      ...profileStages("set"),
      ...profileStages("read"),
      ...profileStages("clear"),
      stopSession,
      stopResult,
      sessionCompleted
    ]
  }
]
