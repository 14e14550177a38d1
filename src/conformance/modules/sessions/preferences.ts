/** What a CPO says to the wishes of a driver (mod_sessions, Set Charging Preferences). */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, succeeded } from "../../../findings/answers.ts"
import { accepted, http } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { stepOf } from "../shared/waiting.ts"
import { refusedAsInvalid } from "../shared/writing.ts"
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

/** What `data` may be. */
const words = [
  "ACCEPTED",
  "DEPARTURE_REQUIRED",
  "ENERGY_NEED_REQUIRED",
  "NOT_POSSIBLE",
  "PROFILE_TYPE_NOT_SUPPORTED"
]

/** The word is one of those that fit. */
const otherWord = (seen: Answered, fitting: ReadonlyArray<string>): ReadonlyArray<Finding> => {
  if (!succeeded(seen)) return accepted(seen)
  const word = dataOf(seen)
  return unless(
    fitting.some((one) => one === word),
    () =>
      finding(seen, `charging preferences (${seen.about}) were answered with another word`, {
        expected: fitting.join(" or "),
        actual: shown(word),
        pointer: "/data"
      })
  )
}

/** The same for an answer that is a word at all: that it is none is the matter of SESS-019. */
const wrongWord = (seen: Answered | undefined, fitting: ReadonlyArray<string>): ReadonlyArray<Finding> =>
  seen !== undefined && words.some((word) => word === dataOf(seen)) ? otherWord(seen, fitting) : []

const onStep =
  (id: string, judge: (seen: Answered) => ReadonlyArray<Finding>) =>
  (evidence: Evidence): Judgement => {
    const seen = stepOf(evidence, id)
    return seen === undefined
      ? inconclusive("not_tested", "there was no ACTIVE session to ask it of")
      : noneOf(judge(seen))
  }

export const preferencesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "SESS-019",
    title: "Answers charging preferences with a word",
    sends: "START_SESSION, then PUT of charging_preferences of its session, then STOP_SESSION",
    passes: "HTTP 200, status_code 1000, data is a ChargingPreferencesResponse",
    hint: "`data` is the word itself, a text and no object.",
    needs: () => [step("wish")],
    judge: onStep(step("wish"), (seen) => otherWord(seen, words))
  },
  {
    ...base,
    id: "SESS-020",
    title: "Says which wishes it cannot meet, and what it has to know",
    strength: "should",
    sends: "PUT of charging_preferences with a profile that has no tariff, and with a profile_type alone",
    passes:
      "PROFILE_TYPE_NOT_SUPPORTED; DEPARTURE_REQUIRED, ENERGY_NEED_REQUIRED or ACCEPTED for the profile_type alone",
    hint: "Look for a tariff with the type PROFILE_ and the profile_type before anything is accepted.",
    partial: true,
    needs: () => [step("no tariff"), step("bare")],
    judge: (evidence) => {
      const none = stepOf(evidence, step("no tariff"))
      const bare = stepOf(evidence, step("bare"))
      return none === undefined && bare === undefined
        ? inconclusive("not_tested", "there was no ACTIVE session to ask it of")
        : noneOf([
            ...wrongWord(none, ["PROFILE_TYPE_NOT_SUPPORTED"]),
            ...wrongWord(bare, ["DEPARTURE_REQUIRED", "ENERGY_NEED_REQUIRED", "ACCEPTED"])
          ])
    }
  },
  {
    ...base,
    id: "SESS-021",
    title: "Takes no wishes at an EVSE that cannot meet them",
    strength: "should",
    reference: "mod_sessions, Sender Interface, PUT Method; mod_locations, Capability enum",
    sends:
      "START_SESSION at an EVSE without CHARGING_PREFERENCES_CAPABLE, PUT of charging_preferences, STOP_SESSION",
    passes: "HTTP 404",
    hint: "Look at the capabilities of the EVSE of the session.",
    needs: () => [`${incapable}#wish`],
    judge: onStep(`${incapable}#wish`, http(404))
  },
  {
    ...base,
    id: "SESS-023",
    title: "Refuses wishes that say nothing",
    reference: "status_codes, Client errors",
    sends: "PUT of charging_preferences without profile_type",
    passes: "status_code 2001",
    hint: "Check required fields first.",
    needs: () => [step("no type")],
    judge: onStep(step("no type"), refusedAsInvalid)
  }
]
