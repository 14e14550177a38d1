/** Stages that set, read and clear a charging profile of a running session. */

import { dateTimeOf } from "../../../../../schema/ocpi/DateTime.ts"
import type { ObjectName } from "../../../../../schema/ocpi/VersionProfile.ts"
import { objectIn, objectsIn } from "../../../../findings/json.ts"
import { inWords } from "../../../../findings/words.ts"
import type { JourneyStage, Rule } from "../../../model/JourneyTemplate.ts"
import { jsonOf } from "../../../model/RunHistory.ts"
import { setOffByStart } from "../../charge/catchUps.ts"
import { commandResultsOf, ourSession } from "../../charge/chargeFacts.ts"
import { awaitResult, refused } from "./commandResult.ts"
import { commandRules, type Subject } from "./commandRules.ts"

/** The limit of the profile, in watts. */
const limitWatts = 4000

type Request = "set" | "read" | "clear"

const requests = {
  set: { method: "PUT", result: "ChargingProfileResult", name: "Set a profile" },
  read: { method: "GET", result: "ActiveChargingProfileResult", name: "Read the profile" },
  clear: { method: "DELETE", result: "ClearProfileResult", name: "Clear the profile" }
} as const

const limited = {
  charging_rate_unit: "W",
  charging_profile_period: [{ start_period: 0, limit: limitWatts }]
}

const aboutProfiles = (result: ObjectName): Subject => ({
  module: "chargingprofiles",
  response: "ChargingProfileResponse",
  result,
  receiver: "mod_charging_profiles, Receiver Interface",
  answer: "mod_charging_profiles, ChargingProfileResponse Object",
  outcome: `mod_charging_profiles, ${result} Object`,
  flow: "mod_charging_profiles, Flow",
  check: {},
  example: (now) => ({
    result: "ACCEPTED",
    ...(result === "ActiveChargingProfileResult"
      ? { profile: { start_date_time: dateTimeOf(Date.parse(now)), charging_profile: limited } }
      : {})
  })
})

/** The two stages of a request: the request itself, and its result. */
export const profileStages = (request: Request): ReadonlyArray<JourneyStage> => {
  const { method, name, result } = requests[request]
  const id = `${request}-profile`
  const about = aboutProfiles(result)
  const outcome = awaitResult(`${request}-result`, id, `The result of "${name}"`, { about })
  return [
    {
      id,
      name,
      actor: "us",
      module: "chargingprofiles",
      description: `Send ${method} chargingprofiles for the session${request === "set" ? `: at most ${limitWatts} W` : ""}.`,
      timeoutSeconds: 30,
      act: {
        act: "exchange",
        sends: `${method} chargingprofiles`,
        command: result,
        resultModule: "chargingprofiles",
        call: (history, responseUrl) => {
          const session = ourSession(history)
          if (session === undefined) return { unmet: "There is no session to limit" }
          return {
            module: "chargingprofiles",
            interfaceRole: "RECEIVER",
            operation: `${method} chargingprofile`,
            method,
            path: [session.id],
            ...(request === "set"
              ? { body: { charging_profile: limited, response_url: responseUrl } }
              : {
                  query: {
                    ...(request === "read" ? { duration: "900" } : {}),
                    response_url: responseUrl
                  }
                })
          }
        }
      },
      writes: request !== "read",
      // Setting or clearing twice has the same effect as once.
      idempotent: true,
      optionalForLater: true,
      expect: commandRules(id, undefined, about),
      // The session may have been pushed while nobody was there.
      setOffBy: setOffByStart,
      stopsIf: refused(id)
    },
    request === "read" ? { ...outcome, expect: [...outcome.expect, limitIsRead] } : outcome
  ]
}

const limitIsRead: Rule = {
  id: "read-result.limit",
  title: "The active profile stays within the limit that was set",
  strength: "should",
  reference: "mod_charging_profiles, ActiveChargingProfileResult Object",
  judge: (history) => {
    const [first] = commandResultsOf(history, "read-profile")
    const active = objectIn(objectIn(jsonOf(first?.exchange.request))["profile"])
    const profile = objectIn(active["charging_profile"])
    const limits = objectsIn(profile["charging_profile_period"]).map(({ limit }) => limit)
    if (profile["charging_rate_unit"] !== "W" || limits.length === 0)
      return { notTested: "The result names no limits in W" }
    const above = limits.find((limit) => typeof limit !== "number" || limit > limitWatts)
    return above === undefined
      ? undefined
      : {
          message: "The active profile allows more power than the limit that was set",
          pointer: "/profile/charging_profile/charging_profile_period",
          expected: `at most ${limitWatts} W`,
          actual: inWords(above)
        }
  }
}
