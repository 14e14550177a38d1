/** A driver of the partner's who charges at our EVSE says how it is to be done. We are the CPO. */
import { Schema } from "effect"
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { type JsonObject, objectIn, sameId } from "../../findings/json.ts"
import { invitations } from "../../party/simulation/driver/scriptedLocations.ts"
import type { JourneyStage, JourneyTemplate } from "../model/JourneyTemplate.ts"
import { inboundOf, jsonOf, type RunHistory, wasTaken } from "../model/RunHistory.ts"
import { type OurCharge, sessionIdOf } from "../stages/asCpo/ourCharge.ts"
import {
  beginSession,
  endSession,
  leavesNothingOpen,
  updateSession
} from "../stages/asCpo/ourChargeStages.ts"
import { type PlaceKind, placeFor } from "../stages/asCpo/ourPlace.ts"
import { pushLocation, pushTariff, retirePlace } from "../stages/asCpo/ourPlaceStages.ts"
import { listedDriver, readTokens } from "../stages/asCpo/partnerTokens.ts"
import { stepFields, tokenFields, waitFields } from "../stages/charge/inputs.ts"

const kind: PlaceKind = {
  name: invitations.prefer,
  isPublic: false,
  capabilities: ["RFID_READER", "CHARGING_PREFERENCES_CAPABLE"]
}

/** Instants before the run, in minutes. */
const minutesBefore = [36, 18, 0]

const charge: OurCharge = {
  place: (history) => placeFor(history, kind),
  authorized: listedDriver,
  instants: ({ createdAt }) => minutesBefore.map((minutes) => Date.parse(createdAt) - minutes * 60_000),
  kwh: 1.5
}

const told = (history: RunHistory) =>
  inboundOf(history).filter(
    ({ module, request }) =>
      module === "sessions" &&
      request.method === "PUT" &&
      new URL(request.url, "http://here").pathname.endsWith("/charging_preferences")
  )

const isAboutOurs = (history: RunHistory, url: string): boolean =>
  sameId(
    decodeURIComponent(new URL(url, "http://here").pathname.split("/").at(-2) ?? ""),
    sessionIdOf(history)
  )

/** What the driver wants; undefined: nothing that we took, for this session. */
function wish(history: RunHistory): JsonObject | undefined {
  const one = told(history).find((each) => wasTaken(each) && isAboutOurs(history, each.request.url))
  return one === undefined ? undefined : objectIn(jsonOf(one.request))
}

const preferencesSet: JourneyStage = {
  id: "preferences-set",
  name: "The driver says how to charge",
  actor: "partner",
  module: "sessions",
  description: "The partner PUTs the charging preferences of its driver for our session.",
  timeoutSeconds: 300,
  act: {
    act: "await",
    instruction: (history) =>
      `Let the driver set charging preferences for session ${sessionIdOf(history)}: your system PUTs them to us.`,
    look: (history) => ({
      found: wish(history) !== undefined,
      nearMisses: told(history).map((each) =>
        isAboutOurs(history, each.request.url)
          ? `Preferences came, and we refused them: ${String(objectIn(jsonOf(each.response))["status_message"] ?? "no reason")}`
          : "Preferences came, but for another session"
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
      title: "The partner sends valid preferences for the session",
      strength: "must",
      reference: "mod_sessions, Sender Interface PUT",
      judge: (history) =>
        wish(history) === undefined
          ? {
              message: "No valid preferences came for the session",
              expected: `PUT sessions/${sessionIdOf(history)}/charging_preferences`,
              actual: "nothing that would do"
            }
          : undefined
    },
    {
      id: "preferences-set.complete",
      title: "Who wants it cheap or green says until when, and how much",
      strength: "should",
      reference: "mod_sessions, ChargingPreferences Object",
      judge: (history) => {
        const wanted = wish(history)
        if (wanted === undefined) return { notTested: "There were no preferences" }
        const { departure_time, energy_need, profile_type } = wanted
        if (profile_type !== "CHEAP" && profile_type !== "GREEN") return undefined
        return departure_time === undefined || energy_need === undefined
          ? {
              message: `${profile_type} cannot be planned without a departure and an amount of energy`,
              pointer: departure_time === undefined ? "/departure_time" : "/energy_need",
              expected: "departure_time and energy_need",
              actual: "missing"
            }
          : undefined
      }
    }
  ]
}

export const chargingPreferences: JourneyTemplate = {
  ...leavesNothingOpen(charge, retirePlace),
  id: "charging-preferences",
  name: "The driver says how to charge",
  description:
    "A driver of the partner's charges at a place of ours that can be told how; the partner tells us.",
  outcome: "The preferences of the driver came for the session that they are about.",
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
    pushLocation(kind, true),
    beginSession(charge),
    preferencesSet,
    updateSession(charge, 1),
    endSession(charge, 2)
  ]
}
