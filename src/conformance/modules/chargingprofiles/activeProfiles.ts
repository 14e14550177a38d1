/** How a CPO tells of active charging profiles, and clears them (mod_charging_profiles). */

import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { isObject, objectIn, objectsIn, sameId } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, type Judgement, noneOf, notGathered } from "../../model/Check.ts"
import { type Evidence, isWithheld, type Observation } from "../../model/Evidence.ts"
import { idOf } from "../commands/commandSessions.ts"
import {
  blockedByLegs,
  callAt,
  isAccepted,
  isDone,
  isUnread,
  legsOf,
  resultIn,
  resultStep,
  unexpectedAnswer
} from "../shared/commandLegs.ts"
import { sessionIdOf } from "../shared/sessionIdOf.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { profiledSession } from "./chargingProfilesProbes.ts"
import {
  answerFlaws,
  at,
  both,
  callFlaws,
  carriageFlaws,
  changedUrl,
  noResult,
  onStep,
  profileCalls,
  profilesBase,
  repeatedResults,
  resultFlaws,
  saidIn,
  toldBefore
} from "./profileSteps.ts"

/** The active profiles that the partner PUT to us since the run began. */
const updates = (evidence: Evidence): ReadonlyArray<Observation> => {
  const gathered = evidence.gathered(profileCalls)
  return gathered === undefined || isWithheld(gathered)
    ? []
    : gathered.seen.filter(
        ({ exchange }) => exchange.module === "chargingprofiles" && exchange.request.method === "PUT"
      )
}

/** No active profile was pushed: since no session could have a profile, or none of them was changed. */
const noUpdates = (evidence: Evidence): Judgement => {
  const started = evidence.gathered(at("start"))
  return started !== undefined && isWithheld(started)
    ? notGathered(started)
    : inconclusive(
        "unobservable",
        "the partner pushed no active profile: change the limit of a session with a profile at the CPO"
      )
}

/** Least and most duration of an ActiveChargingProfile, in seconds. */
const reach = { least: 300, most: 3600 }

const hasOneDecimal = (value: unknown) =>
  typeof value !== "number" || Math.abs(value * 10 - Math.round(value * 10)) < 1e-6

/** What is wrong with the answer to GET of a profile and with its result, beside in what the result came. */
const flawsOfRead = (evidence: Evidence): ReadonlyArray<Finding> => {
  const seen = stepOf(evidence, at("read"))
  const call = callAt(evidence, resultStep(at("read")))
  const flaws = seen === undefined ? [] : answerFlaws(seen, evidence)
  if (call === undefined || !isAccepted(evidence, at("read"))) return flaws
  const { profile } = saidIn(call)
  const isDue = resultIn(call) === "ACCEPTED"
  return [
    ...flaws,
    ...resultFlaws(call, "ActiveChargingProfileResult", evidence),
    ...changedUrl(evidence, at("read"), call),
    ...repeatedResults(evidence, at("read")),
    ...unless(isUnread(call) || isObject(profile) === isDue, () =>
      finding(
        call,
        isDue
          ? "the result is ACCEPTED without a profile"
          : "the result has a profile although it is not ACCEPTED",
        { expected: isDue ? "a profile" : "no profile", actual: shown(profile), pointer: "/profile" }
      )
    )
  ]
}

/** What is wrong with the answer to DELETE of a profile and with its result, beside in what the result came. */
const flawsOfClear = (evidence: Evidence): ReadonlyArray<Finding> => {
  const seen = stepOf(evidence, at("clear"))
  const call = callAt(evidence, resultStep(at("clear")))
  if (seen === undefined) return []
  return [
    ...answerFlaws(seen, evidence),
    ...unless(isDone(evidence, at("clear")), () => ({
      ...unexpectedAnswer(seen, "ACCEPTED, then ACCEPTED"),
      actual: legsOf(evidence, at("clear"))
    })),
    ...(call === undefined ? [] : resultFlaws(call, "ClearProfileResult", evidence)),
    ...repeatedResults(evidence, at("clear"))
  ]
}

/**
 * Judge ActiveChargingProfileResult, ClearProfileResult and pushes of ActiveChargingProfile (mod_charging_profiles,
 * Sender Interface).
 */
export const activeProfilesChecks: ReadonlyArray<Check> = [
  {
    ...profilesBase,
    id: "CP-004",
    consequenceOf: ["CP-002"],
    mode: "RO",
    phase: "write",
    title: "ActiveChargingProfileResult: complete, and posted to exactly the response_url",
    reference: "mod_charging_profiles, ActiveChargingProfileResult Object",
    sends: "GET of the charging profile of a session, with a response_url that has a query",
    passes:
      "a ChargingProfileResponse, after ACCEPTED one ActiveChargingProfileResult at exactly that URL; with a profile when its result is ACCEPTED, else without",
    hint: "Decode the response_url once, POST to it unchanged, and give the profile with the result ACCEPTED.",
    needs: () => [...both("read"), profileCalls],
    requires: () => toldBefore("read", flawsOfRead),
    judge: onStep("read", (seen, evidence) => {
      const call = callAt(evidence, resultStep(at("read")))
      if (isAccepted(evidence, at("read")) && call === undefined)
        return noResult(evidence, at("read"), seen, flawsOfRead(evidence))
      const flaws = [
        ...(isAccepted(evidence, at("read")) ? carriageFlaws(call) : []),
        ...flawsOfRead(evidence)
      ]
      // Without a result there is none that is complete.
      return flaws.length > 0 || isAccepted(evidence, at("read"))
        ? flaws
        : blockedByLegs(evidence, at("read"))
    })
  },
  {
    ...profilesBase,
    id: "CP-006",
    consequenceOf: ["CP-002", "CP-003"],
    title: "ClearProfileResult: ACCEPTED for a profile that was set",
    reference: "mod_charging_profiles, ClearProfileResult Object",
    sends: "DELETE of a charging profile that was set",
    passes: "a ChargingProfileResponse, then one ClearProfileResult ACCEPTED",
    hint: "POST ACCEPTED when the charge point has cleared the profile.",
    needs: () => [...both("set"), ...both("clear"), profileCalls],
    requires: () => toldBefore("clear", flawsOfClear),
    judge: onStep("clear", (_, evidence) => {
      if (!isDone(evidence, at("set")))
        return blockedByLegs(evidence, at("set"), { refused: "CP-001", unheard: "CP-002" })
      return [...carriageFlaws(callAt(evidence, resultStep(at("clear")))), ...flawsOfClear(evidence)]
    })
  },
  {
    ...profilesBase,
    id: "CP-007",
    consequenceOf: ["CP-003"],
    title: "ClearProfileResult: UNKNOWN for a session without a profile",
    strength: "should",
    reference: "mod_charging_profiles, ChargingProfileResultType enum",
    sends: "DELETE of the charging profile of a session that has none",
    passes: "ClearProfileResult UNKNOWN; ACCEPTED is tolerated",
    hint: "POST UNKNOWN when the session has no charging profile.",
    requires: () => [{ check: "CP-002" }],
    needs: () => both("clear none"),
    judge: onStep("clear none", (seen, evidence) =>
      ["UNKNOWN", "ACCEPTED"].includes(resultIn(callAt(evidence, resultStep(at("clear none")))) ?? "")
        ? []
        : [
            {
              ...unexpectedAnswer(seen, "ACCEPTED, then UNKNOWN"),
              actual: legsOf(evidence, at("clear none"))
            }
          ]
    )
  },
  {
    ...profilesBase,
    id: "CP-011",
    mode: "OBS",
    title: "ActiveChargingProfile: pushed only for sessions on which the receiver set a profile",
    reference: "mod_charging_profiles, Sender Interface, PUT Method",
    sends: "no request: the check looks at the active profiles that the partner pushes",
    passes: "a valid ActiveChargingProfile, of a session on which we have set a profile",
    hint: "Push the ActiveChargingProfile only to the party that set a profile on the session.",
    needs: () => [...both("set"), profileCalls],
    judge: (evidence) => {
      const calls = updates(evidence)
      const ours = isDone(evidence, at("set")) ? idOf(profiledSession(evidence)) : undefined
      return calls.length === 0
        ? noUpdates(evidence)
        : noneOf(
            calls.flatMap(
              (call): ReadonlyArray<Finding> => [
                ...callFlaws(call, "ActiveChargingProfile", evidence),
                ...unless(ours !== undefined && sameId(sessionIdOf(call), ours), () =>
                  finding(call, "an ActiveChargingProfile came for a session on which we set none", {
                    expected: ours ?? "no active profile",
                    actual: sessionIdOf(call) ?? ""
                  })
                )
              ]
            ),
            `${calls.length} active profiles looked at`
          )
    }
  },
  {
    ...profilesBase,
    id: "CP-012",
    mode: "OBS",
    strength: "should",
    title: "ActiveChargingProfile: duration is 5 to 60 minutes, and limits have at most one decimal",
    reference: "mod_charging_profiles, ActiveChargingProfile class; ChargingProfilePeriod class",
    sends: "no request: the check looks at the active profiles that the partner pushes",
    passes: "duration of each is 300 to 3600 s, and its limits have at most one decimal",
    hint: "Round limits to one decimal, and end the profile after an hour.",
    needs: () => [profileCalls],
    judge: (evidence) => {
      const calls = updates(evidence)
      return calls.length === 0
        ? noUpdates(evidence)
        : noneOf(
            calls.flatMap((call) => {
              const { charging_profile_period, duration } = objectIn(objectIn(call.json)["charging_profile"])
              const limits = objectsIn(charging_profile_period).map(({ limit }) => limit)
              const exact = limits.find((limit) => !hasOneDecimal(limit))
              const wrong = (pointer: string, message: string, expected: string, actual: unknown) =>
                finding(call, message, {
                  expected,
                  actual: shown(actual),
                  pointer: `/charging_profile/${pointer}`
                })
              const isOff = typeof duration === "number" && (duration < reach.least || duration > reach.most)
              return [
                ...(isOff
                  ? [
                      wrong(
                        "duration",
                        "duration is less than 5 or more than 60 minutes",
                        "300 to 3600",
                        duration
                      )
                    ]
                  : []),
                ...(exact === undefined
                  ? []
                  : [
                      wrong(
                        "charging_profile_period",
                        "a limit has more than one decimal",
                        "one decimal",
                        exact
                      )
                    ])
              ]
            }),
            `${calls.length} active profiles looked at`
          )
    }
  }
]
