import { Schema } from "effect"
import { minuteMillis } from "../../../../schema/fields/durations.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { pathSegments, wasTaken } from "../../../findings/calledPath.ts"
import { type JsonObject, objectIn, sameId } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import { locationWishes } from "../../../party/simulation/driver/scriptedLocations.ts"
import type { JourneyStage, JourneyTemplate } from "../../model/JourneyTemplate.ts"
import { inboundOf, jsonOf, type RunHistory } from "../../model/RunHistory.ts"
import { type OurCharge, sessionIdOf } from "../../stages/asCpo/ourCharge.ts"
import {
  beginSession,
  endSession,
  leavesNothingOpen,
  updateSession
} from "../../stages/asCpo/ourChargeStages.ts"
import { type PlaceKind, placeFor } from "../../stages/asCpo/ourPlace.ts"
import { pushLocation, pushTariff, retirePlace } from "../../stages/asCpo/ourPlaceStages.ts"
import { listedDriver, readTokens } from "../../stages/asCpo/partnerTokens.ts"
import { stepFields, tokenFields, waitFields } from "../../stages/charge/inputs.ts"

const kind: PlaceKind = {
  name: locationWishes.prefer,
  isPublic: false,
  capabilities: ["RFID_READER", "CHARGING_PREFERENCES_CAPABLE"]
}

/** Times of the charge's steps, in minutes before the run. */
const minutesBefore = [36, 18, 0]

const charge: OurCharge = {
  place: (history) => placeFor(history, kind),
  authorized: listedDriver,
  instants: ({ createdAt }) => minutesBefore.map((minutes) => Date.parse(createdAt) - minutes * minuteMillis),
  kwh: 1.5
}

const told = (history: RunHistory) =>
  inboundOf(history).filter(
    ({ module, request }) =>
      module === "sessions" &&
      request.method === "PUT" &&
      pathSegments(request.url).at(-1) === "charging_preferences"
  )

const isAboutOurs = (history: RunHistory, url: string): boolean =>
  sameId(pathSegments(url).at(-2), sessionIdOf(history))

/** The accepted preferences for our session; undefined: none came. */
function wish(history: RunHistory): JsonObject | undefined {
  const one = told(history).find((each) => wasTaken(each) && isAboutOurs(history, each.request.url))
  return one === undefined ? undefined : objectIn(jsonOf(one.request))
}

const preferencesSet: JourneyStage = {
  id: "preferences-set",
  name: "Charging preferences of the driver",
  actor: "partner",
  module: "sessions",
  description: "The partner PUTs its driver's charging preferences for our session.",
  timeoutSeconds: 300,
  act: {
    act: "await",
    instruction: (history) =>
      `Let the driver set charging preferences for session ${sessionIdOf(history)}: your system PUTs them to us.`,
    look: (history) => ({
      found: wish(history) !== undefined,
      nearMisses: told(history).map((each) =>
        isAboutOurs(history, each.request.url)
          ? `The partner sent preferences, and we refused them: ${inWords(objectIn(jsonOf(each.response))["status_message"] ?? "no reason")}`
          : "The partner sent preferences for another session"
      )
    }),
    expects: (history) => ({
      method: "PUT",
      module: "sessions",
      path: [sessionIdOf(history), "charging_preferences"],
      body: { profile_type: "REGULAR" }
    })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      id: "preferences-set.received",
      begunByPerson: true,
      title: "The partner PUTs valid charging preferences for the session",
      strength: "must",
      reference: "mod_sessions, Sender Interface, PUT Method",
      judge: (history) =>
        wish(history) === undefined
          ? {
              message: "The partner sent no valid charging preferences for the session",
              expected: `PUT sessions/${sessionIdOf(history)}/charging_preferences`,
              actual: "none that are valid"
            }
          : undefined
    },
    {
      id: "preferences-set.complete",
      title: "Preferences CHEAP and GREEN come with departure_time and energy_need",
      strength: "should",
      reference: "mod_sessions, ChargingPreferences Object",
      judge: (history) => {
        const wanted = wish(history)
        if (wanted === undefined) return { notTested: "There were no preferences" }
        const { departure_time, energy_need, profile_type } = wanted
        if (profile_type !== "CHEAP" && profile_type !== "GREEN") return undefined
        return departure_time === undefined || energy_need === undefined
          ? {
              message: `The preferences are ${profile_type}, but lack departure_time or energy_need`,
              pointer: departure_time === undefined ? "/departure_time" : "/energy_need",
              expected: "departure_time and energy_need",
              actual: "missing"
            }
          : undefined
      }
    }
  ]
}

/** The partner sets the charging preferences of its driver who charges at our EVSE. We are the CPO. */
export const chargingPreferences: JourneyTemplate = {
  ...leavesNothingOpen(charge, retirePlace),
  id: "charging-preferences",
  name: "Charging preferences of the driver",
  description:
    "A driver of the partner charges at our EVSE, which supports charging preferences; the partner sends us the driver's.",
  outcome: "The partner sent valid charging preferences for our session.",
  ourRole: "CPO",
  supportedVersions: versionsWhere(({ objects }) => objects.ChargingPreferences !== undefined),
  needs: [
    ["tokens", "SENDER"],
    ["sessions", "RECEIVER"],
    ["locations", "RECEIVER"]
  ],
  requiredPlan: "integrate",
  expectedDurationSeconds: 60,
  inputs: Schema.Struct({ ...tokenFields, ...stepFields, ...waitFields }),
  stages: [
    readTokens(),
    pushTariff,
    pushLocation(kind, { isNeeded: true }),
    beginSession(charge),
    preferencesSet,
    updateSession(charge, 1),
    endSession(charge, 2)
  ]
}
