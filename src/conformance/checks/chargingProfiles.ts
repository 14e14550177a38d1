/** How a CPO takes charging profiles (mod_charging_profiles). */
import { ocpiStatus } from "../../../schema/ocpi/envelope.ts"
import type { ObjectName } from "../../../schema/ocpi/VersionProfile.ts"
import { versionsWhere } from "../../../schema/ocpi/versions.ts"
import { objectIn, objectsIn, sameId } from "../../findings/json.ts"
import { violations } from "../../findings/violations.ts"
import { dataOf, envelope, isObject, named, shown, statusLine } from "../answers.ts"
import { type Check, type Finding, type Judgement, noneOf, undecided } from "../Check.ts"
import { answerOf, callAt, isAccepted, isDone, legsOf, resultIn, resultStep } from "../commandLegs.ts"
import { type Answered, type Evidence, isWithheld, type Seen } from "../Evidence.ts"
import {
  lackingSteps,
  profiledSession,
  profileSteps,
  profiles,
  refusedProfileSteps,
  strangerSteps,
  wrongProfileSteps
} from "../probes/chargingProfiles.ts"
import { idOf, sessionIdOf } from "../probes/commandSessions.ts"
import { isResultOf, responseUrlOf, stepOf } from "../probes/waiting.ts"
import { notSuccess } from "./findings.ts"

const base = {
  module: "chargingprofiles",
  versions: versionsWhere(({ modules }) => modules.includes("chargingprofiles")),
  roles: ["CPO"],
  mode: "MUT",
  strength: "must",
  reference: "mod_charging_profiles, Receiver Interface",
  partial: true
} as const

const at = (id: string) => `${profiles}#${id}`
const both = (id: string) => [at(id), resultStep(at(id))]
const noSession = undecided("not_tested", "no session could be started to set a profile on")

const flawsOf = (
  evidence: Evidence,
  object: ObjectName,
  json: unknown,
  seen: Seen,
  place: ReadonlyArray<string>
) => {
  const schema = evidence.profile.objects[object]
  return (schema === undefined ? [] : violations(schema, json, place)).map((flaw) => ({
    ...flaw,
    exchangeId: seen.exchange.id
  }))
}

/** What is wrong with the answer to a request about a profile. */
const answerFlaws = (seen: Answered, evidence: Evidence): ReadonlyArray<Finding> => {
  const status = notSuccess(seen)
  return status.length > 0
    ? status
    : flawsOf(evidence, "ChargingProfileResponse", dataOf(seen), seen, ["data"])
}

const onStep =
  (id: string, judge: (seen: Answered, evidence: Evidence) => ReadonlyArray<Finding> | Judgement) =>
  (evidence: Evidence): Judgement => {
    const seen = stepOf(evidence, at(id))
    if (seen === undefined) return noSession
    const result = judge(seen, evidence)
    return "is" in result ? result : noneOf(result, legsOf(evidence, at(id)))
  }

const otherwise = (seen: Answered, expected: string, strength?: Finding["strength"]): Finding => ({
  message: `${named(seen)} was answered ${answerOf(seen) ?? statusLine(seen)}`,
  expected,
  actual: answerOf(seen) ?? statusLine(seen),
  exchangeId: seen.exchange.id,
  ...(strength === undefined ? {} : { strength })
})

const noResult = (seen: Answered): Finding => ({
  message: "no result came to the response_url of a request that was accepted",
  expected: "one POST",
  actual: "no call",
  exchangeId: seen.exchange.id
})

/** The call did not come to the URL as it was given. */
const changedUrl = (evidence: Evidence, step: string, call: Seen): ReadonlyArray<Finding> => {
  const given = new URL(responseUrlOf(evidence, step) ?? "about:blank")
  const called = new URL(call.exchange.request.url)
  return given.pathname === called.pathname && given.search === called.search
    ? []
    : [
        {
          message: "the response_url was changed",
          expected: `${given.pathname}${given.search}`,
          actual: `${called.pathname}${called.search}`,
          exchangeId: call.exchange.id
        }
      ]
}

/** Not 2001 for a request that lacks something. */
const onInvalid = (steps: ReadonlyArray<string>) => (evidence: Evidence) => {
  const answers = steps.flatMap(evidence.answered)
  return answers.length === 0
    ? noSession
    : noneOf(
        answers.flatMap((seen) => {
          const code = Number(envelope(seen)?.["status_code"])
          if (seen.response.httpStatus < 500 && code === ocpiStatus.invalidParameters) return []
          const isClientError =
            seen.response.httpStatus === 400 ||
            (seen.response.httpStatus < 500 && code >= 2000 && code < 3000)
          return [
            otherwise(
              seen,
              `status_code ${ocpiStatus.invalidParameters}`,
              isClientError ? "should" : undefined
            )
          ]
        })
      )
}

/** The active profiles that the partner PUT to us since the run began. */
const updates = (evidence: Evidence): ReadonlyArray<Seen> => {
  const gathered = evidence.gathered("chargingprofiles.calls")
  return gathered === undefined || isWithheld(gathered)
    ? []
    : gathered.seen.filter(
        ({ exchange }) => exchange.module === "chargingprofiles" && exchange.request.method === "PUT"
      )
}
const noUpdates = undecided(
  "unobservable",
  "the partner pushed no active profile: change the limit of a session with a profile at the CPO"
)
/** Updates reach so far, in seconds. */
const reach = { least: 300, most: 3600 }
const hasOneDecimal = (value: unknown) =>
  typeof value !== "number" || Math.abs(value * 10 - Math.round(value * 10)) < 1e-6

export const chargingProfilesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CP-001",
    title: "Answers a charging profile",
    sends: "PUT of a charging profile on an active session",
    passes: "status_code 1000, a ChargingProfileResponse with a result and a timeout in whole seconds",
    hint: "Answer at once, with the seconds that the charge point may take.",
    needs: () => [at("set")],
    judge: onStep("set", answerFlaws)
  },
  {
    ...base,
    id: "CP-002",
    title: "Sends what became of the charging profile",
    reference: "mod_charging_profiles, ChargingProfileResult Object",
    sends: "PUT of a charging profile on an active session",
    passes: "after ACCEPTED one POST of a ChargingProfileResult to exactly the response_url",
    hint: "Post the bare object, without an envelope, when the charge point has answered.",
    needs: () => both("set"),
    judge: onStep("set", (seen, evidence) => {
      if (!isAccepted(evidence, at("set")))
        return undecided("not_tested", `the profile was answered ${legsOf(evidence, at("set"))}`)
      const call = callAt(evidence, resultStep(at("set")))
      return call === undefined
        ? [noResult(seen)]
        : [
            ...flawsOf(evidence, "ChargingProfileResult", call.json, call, []),
            ...changedUrl(evidence, at("set"), call)
          ]
    })
  },
  {
    ...base,
    id: "CP-003",
    title: "Says that it does not know the session",
    reference: "mod_charging_profiles, ChargingProfileResponseType enum",
    sends: "PUT, GET and DELETE of the profile of a session that there is not",
    passes: "the answer UNKNOWN_SESSION each time",
    hint: "UNKNOWN_SESSION is a result of a successful answer.",
    needs: () => strangerSteps,
    judge: (evidence) =>
      noneOf(
        strangerSteps
          .flatMap(evidence.answered)
          .filter((seen) => answerOf(seen) !== "UNKNOWN_SESSION")
          .map((seen) => otherwise(seen, "UNKNOWN_SESSION"))
      )
  },
  {
    ...base,
    id: "CP-004",
    mode: "RO",
    phase: "write",
    title: "Tells the active profile",
    reference: "mod_charging_profiles, ActiveChargingProfileResult Object",
    sends: "GET of the profile of a session, with a response_url that has a query",
    passes:
      "an answer, then an ActiveChargingProfileResult at exactly that URL; with a profile when ACCEPTED, else without",
    hint: "Decode the response_url once, keep it as it is, and post the profile with the result ACCEPTED.",
    needs: () => both("read"),
    judge: onStep("read", (seen, evidence) => {
      const flaws = answerFlaws(seen, evidence)
      const call = callAt(evidence, resultStep(at("read")))
      if (!isAccepted(evidence, at("read"))) return flaws
      if (call === undefined) return [...flaws, noResult(seen)]
      const hasProfile = isObject(objectIn(call.json)["profile"])
      const isDue = resultIn(call) === "ACCEPTED"
      return [
        ...flaws,
        ...flawsOf(evidence, "ActiveChargingProfileResult", call.json, call, []),
        ...changedUrl(evidence, at("read"), call),
        ...(hasProfile === isDue
          ? []
          : [
              {
                message: isDue ? "the profile is not there" : "there is a profile although there is none",
                expected: isDue ? "a profile" : "no profile",
                actual: shown(objectIn(call.json)["profile"]),
                pointer: "/profile",
                exchangeId: call.exchange.id
              }
            ])
      ]
    })
  },
  {
    ...base,
    id: "CP-005",
    mode: "RO",
    phase: "write",
    title: "Refuses requests that lack what they need",
    reference: "mod_charging_profiles, Receiver Interface; status_codes",
    sends: "GET without duration, GET and DELETE without response_url",
    passes: "status_code 2001 each time",
    hint: "duration and response_url are required.",
    needs: () => lackingSteps,
    judge: onInvalid(lackingSteps)
  },
  {
    ...base,
    id: "CP-006",
    title: "Clears a charging profile",
    reference: "mod_charging_profiles, ClearProfileResult Object",
    sends: "DELETE of a profile that was set",
    passes: "a ChargingProfileResponse, then a ClearProfileResult ACCEPTED",
    hint: "Post ACCEPTED when the charge point has forgotten the profile.",
    needs: () => [...both("set"), ...both("clear")],
    judge: onStep("clear", (seen, evidence) => {
      if (!isDone(evidence, at("set"))) return undecided("not_tested", "no profile was set")
      const call = callAt(evidence, resultStep(at("clear")))
      return [
        ...answerFlaws(seen, evidence),
        ...(isDone(evidence, at("clear"))
          ? []
          : [{ ...otherwise(seen, "ACCEPTED, then ACCEPTED"), actual: legsOf(evidence, at("clear")) }]),
        ...(call === undefined ? [] : flawsOf(evidence, "ClearProfileResult", call.json, call, []))
      ]
    })
  },
  {
    ...base,
    id: "CP-007",
    title: "Says that there is no profile to clear",
    strength: "should",
    reference: "mod_charging_profiles, ChargingProfileResultType enum",
    sends: "DELETE of the profile of a session that has none",
    passes: "the result UNKNOWN; ACCEPTED is tolerated",
    hint: "UNKNOWN tells that there was none.",
    needs: () => both("clear none"),
    judge: onStep("clear none", (seen, evidence) =>
      ["UNKNOWN", "ACCEPTED"].includes(resultIn(callAt(evidence, resultStep(at("clear none")))) ?? "")
        ? []
        : [{ ...otherwise(seen, "ACCEPTED, then UNKNOWN"), actual: legsOf(evidence, at("clear none")) }]
    )
  },
  {
    ...base,
    id: "CP-008",
    title: "Refuses profiles that are not valid",
    reference: "status_codes, Client errors",
    sends: "PUT of a profile in KW, and of none",
    passes: "status_code 2001 each time",
    hint: "Check the profile before the charge point is asked.",
    needs: () => wrongProfileSteps,
    judge: onInvalid(wrongProfileSteps)
  },
  {
    ...base,
    id: "CP-009",
    title: "Sets no profile on a session that is over",
    strength: "should",
    reference: "mod_charging_profiles, ChargingProfileResponseType enum",
    sends: "PUT of a profile on a session that was completed",
    passes: "REJECTED or UNKNOWN_SESSION",
    hint: "Look at the status of the session first.",
    needs: () => [at("set late")],
    judge: onStep("set late", (seen) =>
      ["REJECTED", "UNKNOWN_SESSION", "NOT_SUPPORTED"].includes(answerOf(seen) ?? "")
        ? []
        : [otherwise(seen, "REJECTED or UNKNOWN_SESSION")]
    )
  },
  {
    ...base,
    id: "CP-010",
    title: "Sends no result of what it did not accept",
    reference: "mod_charging_profiles, Flow",
    sends: "requests about profiles that cannot be carried out, and those that the partner did not accept",
    passes: "no POST to the response_url of a request that was not accepted",
    hint: "The charge point was not asked, so there is nothing to tell.",
    needs: () => [...profileSteps.flatMap((step) => [step, resultStep(step)]), ...strangerSteps, at("quiet")],
    judge: (evidence) => {
      const refused = refusedProfileSteps(evidence)
      if (refused.length === 0)
        return undecided("unobservable", "the partner accepted every request about profiles")
      const calls = [...profileSteps.map(resultStep), at("quiet")].flatMap(
        (step) => callAt(evidence, step) ?? []
      )
      return noneOf(
        calls
          .filter((call) => refused.some((step) => isResultOf(call, evidence, step)))
          .map((call) => ({
            message: "a result came for a request that was not accepted",
            expected: "no result",
            actual: shown(call.json),
            exchangeId: call.exchange.id
          })),
        `${refused.length} requests were not accepted`
      )
    }
  },
  {
    ...base,
    id: "CP-011",
    mode: "OBS",
    title: "Tells whoever set a profile which one is active",
    reference: "mod_charging_profiles, Sender Interface, PUT Method",
    sends: "nothing: looks at the active profiles that the partner pushes",
    passes: "a valid ActiveChargingProfile, of a session on which we have set a profile",
    hint: "Push the active profile to whoever has set one on that session, and to nobody else.",
    needs: () => [...both("set"), "chargingprofiles.calls"],
    judge: (evidence) => {
      const calls = updates(evidence)
      const ours = isDone(evidence, at("set")) ? idOf(profiledSession(evidence)) : undefined
      return calls.length === 0
        ? noUpdates
        : noneOf(
            calls.flatMap(
              (call): ReadonlyArray<Finding> => [
                ...flawsOf(evidence, "ActiveChargingProfile", call.json, call, []),
                ...(ours !== undefined && sameId(sessionIdOf(call), ours)
                  ? []
                  : [
                      {
                        message: "an active profile came of a session on which we have set none",
                        expected: ours ?? "no active profile",
                        actual: sessionIdOf(call) ?? "",
                        exchangeId: call.exchange.id
                      }
                    ])
              ]
            ),
            `${calls.length} active profiles looked at`
          )
    }
  },
  {
    ...base,
    id: "CP-012",
    mode: "OBS",
    strength: "should",
    title: "Tells the active profile in good measure",
    reference: "mod_charging_profiles, ActiveChargingProfile Object; ChargingProfilePeriod class",
    sends: "nothing: looks at the active profiles that the partner pushes",
    passes: "each reaches 5 to 60 minutes, and its limits have at most one decimal",
    hint: "Round the limits to one decimal, and cut the profile after an hour.",
    needs: () => ["chargingprofiles.calls"],
    judge: (evidence) => {
      const calls = updates(evidence)
      return calls.length === 0
        ? noUpdates
        : noneOf(
            calls.flatMap((call) => {
              const { charging_profile_period, duration } = objectIn(objectIn(call.json)["charging_profile"])
              const limits = objectsIn(charging_profile_period).map(({ limit }) => limit)
              const exact = limits.find((limit) => !hasOneDecimal(limit))
              const finding = (pointer: string, message: string, expected: string, actual: unknown) => ({
                message,
                expected,
                actual: shown(actual),
                pointer: `/charging_profile/${pointer}`,
                exchangeId: call.exchange.id
              })
              const isOff = typeof duration === "number" && (duration < reach.least || duration > reach.most)
              return [
                ...(isOff
                  ? [
                      finding(
                        "duration",
                        "it reaches less than 5 or more than 60 minutes",
                        "300 to 3600",
                        duration
                      )
                    ]
                  : []),
                ...(exact === undefined
                  ? []
                  : [
                      finding(
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
