/** A driver charges from our app, and we look closely at what the partner tells of it. We are the EMSP. */
import { versionNumbers, versionsWhere } from "../../../schema/ocpi/versions.ts"
import type { JourneyStage, JourneyTemplate } from "../model/JourneyTemplate.ts"
import { billedByTariffs } from "../stages/asEmsp/billedTariffs.ts"
import { cdrPushed, everythingAgrees } from "../stages/asEmsp/billing.ts"
import { sessionActive, sessionCompleted, sessionUpdates } from "../stages/asEmsp/chargeStages.ts"
import { profileStages } from "../stages/asEmsp/chargingProfile.ts"
import { creditedDriver, creditPushed } from "../stages/asEmsp/creditCdr.ts"
import { readLocations, tokenPush } from "../stages/asEmsp/preparation.ts"
import { evseStatus, readCdrs, readSessions } from "../stages/asEmsp/reconciliation.ts"
import {
  forRemoteStart,
  startResult,
  startSession,
  stopResult,
  stopSession
} from "../stages/asEmsp/remoteControl.ts"
import { chargedAnew, repricedDriver, tariffChanged } from "../stages/asEmsp/tariffChange.ts"
import { forACharge } from "../stages/asEmsp/templateDefaults.ts"
import { driverUpdatedBy, type UpdateForm, updateBy, updateForms } from "../stages/asEmsp/updateForms.ts"
import { appDriver, type Driver } from "../stages/charge/driver.ts"
import type { Needed } from "../stages/charge/place.ts"
import { placeOf } from "../stages/charge/place.ts"

const begin = (driver: Driver = appDriver, needed: Needed = forRemoteStart): ReadonlyArray<JourneyStage> => [
  readLocations(needed),
  tokenPush(driver),
  startSession({ driver, placed: (history) => placeOf(history, needed) }),
  startResult,
  sessionActive
]
const stop: ReadonlyArray<JourneyStage> = [stopSession, stopResult, sessionCompleted]
const end: ReadonlyArray<JourneyStage> = [sessionUpdates, ...stop]

const common = { ...forACharge, supportedVersions: versionNumbers, expectedDurationSeconds: 120 } as const

const updated = (
  form: UpdateForm,
  words: Pick<JourneyTemplate, "name" | "description">
): JourneyTemplate => ({
  ...common,
  ...words,
  id: `session-updates-${form.toLowerCase()}`,
  outcome: "Each update fitted the one before, and the list shows the session as it was pushed.",
  stages: [...begin(driverUpdatedBy(form)), updateBy(form), ...end, updateForms(form), readSessions]
})

export const chargesLookedAt: ReadonlyArray<JourneyTemplate> = [
  updated("PATCH", {
    name: "Session updates by PATCH",
    description:
      "A driver charges, and the partner tells what changes; the updates are put together and compared with its list."
  }),
  updated("PUT", {
    name: "Session updates by PUT",
    description:
      "A driver charges, and the partner sends the whole session anew; the last one is compared with its list."
  }),
  {
    ...common,
    id: "evse-status",
    packs: ["go-live"],
    name: "EVSE status along a session",
    description: "A driver charges; the EVSE's status must follow the session.",
    outcome: "The EVSE was shown as CHARGING during the session, and as AVAILABLE after it.",
    stages: [...begin(), ...end, evseStatus]
  },
  {
    ...common,
    id: "cdr-reconciliation",
    packs: ["go-live", "money"],
    name: "CDR reconciliation",
    description: "A driver charges; session, CDR and both lists of the partner are compared with each other.",
    outcome: "One CDR bills the session, agrees with it, and is in the list as it was pushed.",
    stages: [...begin(), ...end, cdrPushed, everythingAgrees, readSessions, readCdrs]
  },
  {
    ...common,
    id: "tariff-change",
    packs: ["money"],
    name: "Tariff change while charging",
    description:
      "While a driver charges, the connector gets another tariff; the rest of the charge costs as that says.",
    outcome:
      "We heard of the new tariff, a charging period names it, and the CDR bills each period by its own.",
    needs: [...forACharge.needs, ["tariffs", "SENDER"]],
    expectedDurationSeconds: 300,
    stages: [
      ...begin(repricedDriver),
      sessionUpdates,
      tariffChanged,
      chargedAnew,
      ...stop,
      cdrPushed,
      billedByTariffs,
      everythingAgrees
    ]
  },
  {
    ...common,
    id: "credit-cdr",
    packs: ["money"],
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
      ...stop
    ]
  }
]
