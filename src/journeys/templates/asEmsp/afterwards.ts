/** Journeys that charge from our app and compare the partner's messages in detail. We are the EMSP. */
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { JourneyStage, JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { billedByTariffs } from "../../stages/asEmsp/billedTariffs.ts"
import { cdrPushed, everythingAgrees } from "../../stages/asEmsp/billing.ts"
import { sessionActive, sessionCompleted, sessionUpdates } from "../../stages/asEmsp/chargeStages.ts"
import { profileStages } from "../../stages/asEmsp/commands/chargingProfile.ts"
import {
  forRemoteStart,
  startResult,
  startSession,
  stopResult,
  stopSession
} from "../../stages/asEmsp/commands/remoteControl.ts"
import { creditedDriver, creditPushed } from "../../stages/asEmsp/creditCdr.ts"
import { readLocations, tokenPush } from "../../stages/asEmsp/preparation.ts"
import { evseStatus, readCdrs, readSessions } from "../../stages/asEmsp/reconciliation.ts"
import { chargedAnew, repricedDriver, tariffChanged } from "../../stages/asEmsp/tariffChange.ts"
import { forACharge } from "../../stages/asEmsp/templateDefaults.ts"
import { driverUpdatedBy, type UpdateForm, updateBy, updateForms } from "../../stages/asEmsp/updateForms.ts"
import { appDriver, type Driver } from "../../stages/charge/driver.ts"
import type { Needed } from "../../stages/charge/place.ts"

const begin = (driver: Driver = appDriver, needed: Needed = forRemoteStart): ReadonlyArray<JourneyStage> => [
  readLocations(needed),
  tokenPush(driver),
  startSession({ driver, needed }),
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
  outcome: "Every update was valid, and the session in the partner's list equals the pushed one.",
  stages: [...begin(driverUpdatedBy(form)), updateBy(form), ...end, updateForms(form), readSessions]
})

/** These journeys, in the order of the catalogue. */
export const chargesLookedAt: ReadonlyArray<JourneyTemplate> = [
  updated("PATCH", {
    name: "Session updates by PATCH",
    description:
      "A driver charges, and the partner PATCHes the session; plugfest merges the updates and compares the result with the partner's list."
  }),
  updated("PUT", {
    name: "Session updates by PUT",
    description:
      "A driver charges, and the partner PUTs the whole session at each update; plugfest compares the last one with the partner's list."
  }),
  {
    ...common,
    id: "evse-status",
    packs: ["go-live"],
    name: "EVSE status along a session",
    description:
      "A driver charges; the partner must push the EVSE's status before, during and after the session.",
    outcome:
      "The partner pushed the EVSE's status as CHARGING during the session, and as AVAILABLE after it.",
    stages: [...begin(), ...end, evseStatus]
  },
  {
    ...common,
    id: "cdr-reconciliation",
    packs: ["go-live", "money"],
    name: "CDR reconciliation",
    description:
      "A driver charges; plugfest compares the pushed session and CDR with each other and with the partner's lists.",
    outcome:
      "One CDR bills the session and agrees with it, and the partner's list contains the CDR as it was pushed.",
    stages: [...begin(), ...end, cdrPushed, everythingAgrees, readSessions, readCdrs]
  },
  {
    ...common,
    id: "tariff-change",
    packs: ["money"],
    name: "Tariff change while charging",
    description:
      "While a driver charges, the connector's tariff changes; the rest of the charge must be billed by the new tariff.",
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
    description: "A driver charges and the partner sends the CDR; then it credits the CDR.",
    outcome: "A Credit CDR names the CDR and has its negative total.",
    supportedVersions: versionsWhere(({ cdrDetails }) => cdrDetails),
    expectedDurationSeconds: 300,
    stages: [...begin(creditedDriver), ...end, cdrPushed, creditPushed]
  },
  {
    ...common,
    id: "charging-profile",
    name: "Charging profile: set, read, clear",
    description:
      "While a driver charges, we set a charging profile, read the active one, and clear it again.",
    outcome: "The partner accepted the charging profile, returned the active one, and cleared it.",
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
