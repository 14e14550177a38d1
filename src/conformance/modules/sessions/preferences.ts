/** How a CPO answers a driver's charging preferences (mod_sessions, Set: Charging Preferences). */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, named, statusLine, succeeded } from "../../../findings/answers.ts"
import { accepted, http, invalidParameters, ofWrong } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { shown } from "../../../findings/words.ts"
import {
  blocked,
  type Check,
  inconclusive,
  type Judgement,
  noneOf,
  type Precondition
} from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { incapable, preferring } from "./preferencesProbes.ts"

const base = {
  module: "sessions",
  versions: versionsWhere(({ objects }) => objects.ChargingPreferences !== undefined),
  roles: ["CPO"],
  mode: "MUT",
  strength: "must",
  reference: "mod_sessions, Sender Interface, PUT Method; ChargingPreferencesResponse enum"
} as const

const step = (id: string) => `${preferring}#${id}`

/** Values of the ChargingPreferencesResponse enum. */
const words = [
  "ACCEPTED",
  "DEPARTURE_REQUIRED",
  "ENERGY_NEED_REQUIRED",
  "NOT_POSSIBLE",
  "PROFILE_TYPE_NOT_SUPPORTED"
]

/** `data` is one of the fitting values. */
const otherWord = (seen: Answered, fitting: ReadonlyArray<string>): ReadonlyArray<Finding> => {
  if (!succeeded(seen)) return accepted(seen)
  const word = dataOf(seen)
  return unless(
    fitting.some((one) => one === word),
    () =>
      finding(seen, `charging preferences (${seen.about}) were answered with another value`, {
        expected: fitting.join(" or "),
        actual: shown(word),
        pointer: "/data"
      })
  )
}

const hasWord = (seen: Answered): boolean => words.some((word) => word === dataOf(seen))

/** As `otherWord`, but only for a ChargingPreferencesResponse: any other `data` is a finding of SESS-019. */
const wrongWord = (seen: Answered, fitting: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  hasWord(seen) ? otherWord(seen, fitting) : []

/** Where no preferences are taken at all, that others are refused proves nothing. */
export const wishTaken = (): ReadonlyArray<Precondition> => [
  {
    answers: step("wish"),
    what: "PUT of valid charging preferences",
    check: "SESS-019",
    ifGathered: true,
    ofRefusals: true
  }
]

/** Were valid charging preferences taken in this run? */
export const isWishTaken = (evidence: Evidence): boolean => {
  const seen = stepOf(evidence, step("wish"))
  return seen !== undefined && succeeded(seen)
}

const onStep =
  (id: string, judge: (seen: Answered) => ReadonlyArray<Finding>) =>
  (evidence: Evidence): Judgement => {
    const seen = stepOf(evidence, id)
    return seen === undefined
      ? inconclusive("not_tested", "there was no ACTIVE session to set charging preferences of")
      : noneOf(judge(seen))
  }

/** 2.2 names one capability where the preferences are described, and another where it says that they are refused. */
const whichCapability = {
  readings: [
    "an EVSE without CHARGING_PREFERENCES_CAPABLE takes no charging preferences",
    "an EVSE without CHARGING_PROFILE_CAPABLE is what is answered HTTP 404"
  ],
  section: "mod_sessions, Set: Charging Preferences; ChargingPreferencesResponse enum"
} as const satisfies Ambiguity

/** Judge answers to charging preferences (mod_sessions, Set: Charging Preferences; ChargingPreferencesResponse enum). */
export const preferencesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "SESS-019",
    title: "Charging preferences: answered with a ChargingPreferencesResponse",
    sends: "START_SESSION, then PUT of charging_preferences of its session, then STOP_SESSION",
    passes: "HTTP 200, status_code 1000, data is a ChargingPreferencesResponse",
    hint: "Write the value itself into data, as a JSON string, not an object.",
    needs: () => [step("wish")],
    judge: onStep(step("wish"), (seen) => otherWord(seen, words))
  },
  {
    ...base,
    id: "SESS-020",
    title: "Charging preferences: PROFILE_TYPE_NOT_SUPPORTED for a profile without a tariff",
    strength: "should",
    sends:
      "PUT of charging_preferences with a profile_type alone, and, where every tariff has a type, with a profile that has no tariff",
    passes:
      "PROFILE_TYPE_NOT_SUPPORTED; DEPARTURE_REQUIRED, ENERGY_NEED_REQUIRED or ACCEPTED for the profile_type alone",
    hint: "List a tariff with the type PROFILE_ and the profile_type, or one without type; else answer PROFILE_TYPE_NOT_SUPPORTED.",
    partial: true,
    needs: () => [step("no tariff"), step("bare")],
    requires: wishTaken,
    judge: (evidence) => {
      const none = stepOf(evidence, step("no tariff"))
      const bare = stepOf(evidence, step("bare"))
      const [first, ...others] = [none, bare].flatMap((seen) => seen ?? [])
      if (first === undefined)
        return inconclusive("not_tested", "there was no ACTIVE session to set charging preferences of")
      if (![first, ...others].some(hasWord))
        return blocked({
          check: "SESS-019",
          exchangeId: first.exchange.id,
          what: `${named(first)} was answered ${statusLine(first)}, without a ChargingPreferencesResponse`
        })
      return noneOf([
        ...(none === undefined ? [] : ofWrong(wrongWord)(none, ["PROFILE_TYPE_NOT_SUPPORTED"])),
        ...(bare === undefined
          ? []
          : wrongWord(bare, ["DEPARTURE_REQUIRED", "ENERGY_NEED_REQUIRED", "ACCEPTED"]))
      ])
    }
  },
  {
    ...base,
    id: "SESS-021",
    title: "Charging preferences: HTTP 404 at an EVSE without CHARGING_PREFERENCES_CAPABLE",
    strength: "should",
    reference: "mod_sessions, Sender Interface, PUT Method; mod_locations, Capability enum",
    sends:
      "START_SESSION at an EVSE without CHARGING_PREFERENCES_CAPABLE, PUT of charging_preferences, STOP_SESSION",
    passes: "HTTP 404",
    hint: "Check the capabilities of the session's EVSE, and answer HTTP 404 without CHARGING_PREFERENCES_CAPABLE.",
    needs: () => [`${incapable}#wish`],
    requires: wishTaken,
    judge: (evidence) =>
      onStep(`${incapable}#wish`, (seen) =>
        ofWrong(http(404))(seen).map((found) =>
          evidence.profile.preferencesUnableBy === "CHARGING_PROFILE_CAPABLE"
            ? { ...found, ambiguous: whichCapability }
            : found
        )
      )(evidence)
  },
  {
    ...base,
    id: "SESS-023",
    title: "Charging preferences: status_code 2001 without profile_type",
    reference: "status_codes, 2xxx: Client errors",
    sends: "PUT of charging_preferences without profile_type",
    passes: "status_code 2001",
    hint: "Check required fields first, and answer status_code 2001 when one is missing.",
    needs: () => [step("no type")],
    requires: wishTaken,
    judge: onStep(step("no type"), invalidParameters)
  }
]
