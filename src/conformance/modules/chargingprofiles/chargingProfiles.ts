/** How a CPO takes charging profiles (mod_charging_profiles). */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { isClientError, named, statusLine, succeeded } from "../../../findings/answers.ts"
import { http, invalidParameters } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding } from "../../../findings/finding.ts"
import { type JsonObject, numberFrom, objectIn, objectsIn } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { expects, expectsOf, expectsUnless } from "../../model/expects.ts"
import {
  answerOf,
  answersWith,
  blockedByLegs,
  callAt,
  isAccepted,
  isWord,
  ofWrongCommand,
  resultStep,
  unexpectedAnswer
} from "../shared/commandLegs.ts"
import { isResultOf, stepOf } from "../shared/stepAnswers.ts"
import {
  lackingSteps,
  profileSteps,
  refusedProfileSteps,
  unknownSessionSteps,
  wrongLimit,
  wrongProfileSteps
} from "./chargingProfilesProbes.ts"
import {
  answerFlaws,
  at,
  both,
  carriageFlaws,
  changedUrl,
  noResult,
  noSession,
  onStep,
  profileCalls,
  profilesBase,
  repeatedResults,
  resultFlaws,
  saidIn,
  toldBefore
} from "./profileSteps.ts"

const answers = expectsOf(wrongProfileSteps, { none: noSession }, ofWrongCommand(invalidParameters))

/** A refusal proves the rule only if a profile of a session under way was not answered so as well; where that was not sent, it counts. */
const unlikeKnown = (
  { judge, needs }: Pick<Check, "needs" | "judge">,
  isUnlike: (evidence: Evidence) => boolean
): Pick<Check, "needs" | "ifGathered" | "judge"> => ({
  needs,
  ifGathered: () => both("set"),
  judge: (evidence) => {
    const judgement = judge(evidence)
    return judgement.is !== "pass" || stepOf(evidence, at("set")) === undefined || isUnlike(evidence)
      ? judgement
      : blockedByLegs(evidence, at("set"), { refused: "CP-001" })
  }
})

/** Where a request is refused that lacks nothing, its check reports that, and the refusal of one that does proves nothing. */
const refusedLacking = expectsUnless(
  lackingSteps,
  (seen, evidence) => {
    const [id, check] = seen.exchange.request.method === "GET" ? ["read", "CP-004"] : ["clear", "CP-006"]
    const whole = stepOf(evidence, at(id))
    return whole === undefined || succeeded(whole) || invalidParameters(seen).length > 0
      ? undefined
      : {
          check,
          exchangeId: whole.exchange.id,
          what: `${named(whole)} has to be accepted first, and was answered ${statusLine(whole)}`
        }
  },
  invalidParameters
)

/** The profile that was refused is the active one: its unit, or its limit in its own unit or in W. */
const isApplied = (result: JsonObject): boolean => {
  const active = objectIn(objectIn(result["profile"])["charging_profile"])
  return (
    active["charging_rate_unit"] === "KW" ||
    objectsIn(active["charging_profile_period"]).some(({ limit }) =>
      [wrongLimit, wrongLimit * 1000].includes(numberFrom(limit))
    )
  )
}

/** How invalid profiles are answered, and that none of them became active. */
const refusedProfiles: Pick<Check, "needs" | "ifGathered" | "judge"> = {
  ...answers,
  needs: (scope) => [...answers.needs(scope), at("read after wrong")],
  ifGathered: () => [resultStep(at("read after wrong"))],
  judge: (evidence) => {
    const judgement = answers.judge(evidence)
    const call = callAt(evidence, resultStep(at("read after wrong")))
    if (call === undefined || !isApplied(saidIn(call))) return judgement
    const applied = finding(call, "a charging profile that is not valid has become active", {
      expected: "the limits from before it",
      actual: shown(saidIn(call)["profile"])
    })
    return noneOf([...(judgement.is === "fail" ? judgement.findings : []), applied])
  }
}

/** What is wrong with the result for a profile that was set, beside in what it came. */
const flawsOfSet = (evidence: Evidence): ReadonlyArray<Finding> => {
  const call = callAt(evidence, resultStep(at("set")))
  return call === undefined
    ? []
    : [
        ...resultFlaws(call, "ChargingProfileResult", evidence),
        ...changedUrl(evidence, at("set"), call),
        ...repeatedResults(evidence, at("set"))
      ]
}

/** Two words of the enumeration fit. */
const refusalOfUnknown: Ambiguity = {
  readings: [
    "UNKNOWN_SESSION, the value for a session that the CPO does not know",
    "REJECTED, the value for a session that may not be one of the EMSP's customers"
  ],
  section: "mod_charging_profiles, ChargingProfileResponseType enum"
}

/** Where the answers have a result that there is not, CP-001 reports it. */
const readableAnswer = () => [
  {
    check: "CP-001",
    unless: (evidence: Evidence) => {
      const seen = stepOf(evidence, at("set"))
      return seen === undefined || !succeeded(seen) || isWord(...words)(seen)
    }
  }
]

/** Values of the ChargingProfileResponseType enum. */
const words = ["ACCEPTED", "NOT_SUPPORTED", "REJECTED", "TOO_OFTEN", "UNKNOWN_SESSION"] as const

/** What is wrong with an answer but for its word, where no other answer of the run shows it. */
const formFlaws = (seen: Answered, evidence: Evidence): ReadonlyArray<Finding> =>
  profileSteps.some((step) => stepOf(evidence, step) !== undefined) || !succeeded(seen)
    ? []
    : answerFlaws(seen, evidence).filter(({ pointer }) => pointer !== "/data" && pointer !== "/data/result")

/** A GET of what does not exist may be answered with HTTP 404, whatever the module (status_codes). */
const unknownSession = (seen: Answered, evidence: Evidence): ReadonlyArray<Finding> => {
  const isRead = seen.exchange.request.method === "GET"
  if (isRead && http(404)(seen).length === 0) return []
  if (isWord("UNKNOWN_SESSION")(seen)) return formFlaws(seen, evidence)
  const expected = `UNKNOWN_SESSION${isRead ? ", or HTTP 404" : ""}`
  if (isWord("REJECTED")(seen))
    return [{ ...unexpectedAnswer(seen, expected, { strength: "should" }), ambiguous: refusalOfUnknown }]
  return [unexpectedAnswer(seen, expected, isClientError(seen) ? { strength: "should" } : {})]
}

/** Judge PUT, GET and DELETE of charging profiles, and the ChargingProfileResult (mod_charging_profiles, Receiver Interface). */
export const chargingProfilesChecks: ReadonlyArray<Check> = [
  {
    ...profilesBase,
    id: "CP-001",
    title: "Charging profiles: answered with a ChargingProfileResponse",
    sends: "PUT of a charging profile on an active session",
    passes: "status_code 1000, a ChargingProfileResponse with a result and a timeout in whole seconds",
    hint: "Answer at once, with the seconds that the charge point may need as timeout.",
    needs: () => [at("set")],
    judge: onStep("set", answerFlaws)
  },
  {
    ...profilesBase,
    id: "CP-002",
    ofSilence: "result about a charging profile",
    title: "Charging profiles: the ChargingProfileResult is posted to the response_url",
    reference: "mod_charging_profiles, ChargingProfileResult Object",
    sends: "PUT of a charging profile on an active session",
    passes: "after ACCEPTED one POST of a ChargingProfileResult to exactly the response_url",
    hint: "POST the object alone, without an envelope, once, when the charge point has answered.",
    needs: () => [...both("set"), profileCalls],
    requires: () => [
      ...toldBefore("set", flawsOfSet),
      // A partner that posts no result at all is told so by the check of commands.
      {
        check: "CMD-004",
        unless: (evidence) =>
          !isAccepted(evidence, at("set")) || callAt(evidence, resultStep(at("set"))) !== undefined
      }
    ],
    judge: onStep("set", (seen, evidence) => {
      if (!isAccepted(evidence, at("set"))) return blockedByLegs(evidence, at("set"), { refused: "CP-001" })
      const call = callAt(evidence, resultStep(at("set")))
      return call === undefined
        ? noResult(evidence, at("set"), seen)
        : [...carriageFlaws(call), ...flawsOfSet(evidence)]
    })
  },
  {
    ...profilesBase,
    id: "CP-003",
    requires: readableAnswer,
    title: "Charging profiles: UNKNOWN_SESSION for an unknown session",
    reference: "mod_charging_profiles, ChargingProfileResponseType enum; status_codes",
    sends: "PUT, GET and DELETE of the charging profile of an unknown session",
    passes: "the ChargingProfileResponse UNKNOWN_SESSION each time; to GET also HTTP 404",
    hint: "Answer status_code 1000 with result UNKNOWN_SESSION in the ChargingProfileResponse.",
    ...unlikeKnown(
      expects(unknownSessionSteps, unknownSession),
      (evidence) => answerOf(stepOf(evidence, at("set"))) !== "UNKNOWN_SESSION"
    )
  },
  {
    ...profilesBase,
    id: "CP-005",
    consequenceOf: ["CP-003"],
    mode: "RO",
    phase: "write",
    title: "Charging profiles: status_code 2001 without duration or response_url",
    reference: "mod_charging_profiles, Receiver Interface; status_codes",
    sends: "GET without duration, GET and DELETE without response_url",
    passes: "status_code 2001 each time",
    hint: "Answer status_code 2001 when duration or response_url is missing.",
    needs: () => lackingSteps,
    judge: (evidence) =>
      lackingSteps.some((step) => stepOf(evidence, step) !== undefined)
        ? refusedLacking.judge(evidence)
        : noSession
  },
  {
    ...profilesBase,
    id: "CP-008",
    title: "Charging profiles: status_code 2001 for a profile that is not valid",
    reference: "status_codes, 2xxx: Client errors",
    sends: "PUT of a charging profile with charging_rate_unit KW, and without charging_profile, then GET",
    passes: "status_code 2001 each time, and the profile does not become active",
    hint: "Check the charging profile before the charge point is asked.",
    requires: () => [
      { answers: at("set"), what: "PUT of a valid charging profile", check: "CP-001", ofRefusals: true }
    ],
    ...refusedProfiles
  },
  {
    ...profilesBase,
    id: "CP-009",
    requires: readableAnswer,
    title: "Charging profiles: refused for a session that is completed",
    strength: "should",
    reference: "mod_charging_profiles, ChargingProfileResponseType enum",
    sends: "PUT of a profile on a session that was completed",
    passes: "REJECTED or UNKNOWN_SESSION",
    hint: "Refuse a charging profile for a session that is COMPLETED.",
    ...unlikeKnown(
      {
        needs: () => [at("set late")],
        judge: onStep(
          "set late",
          answersWith("REJECTED or UNKNOWN_SESSION", isWord("REJECTED", "UNKNOWN_SESSION", "NOT_SUPPORTED"))
        )
      },
      (evidence) => isAccepted(evidence, at("set"))
    )
  },
  {
    ...profilesBase,
    id: "CP-010",
    requires: readableAnswer,
    title: "Charging profiles: no result after a request that was not accepted",
    reference: "mod_charging_profiles, Flow",
    sends: "requests about profiles that cannot be carried out, and those that the partner did not accept",
    passes: "no POST to the response_url of a request that was not accepted",
    hint: "Do not POST a result: the charge point was not asked.",
    needs: () => [
      ...profileSteps.flatMap((step) => [step, resultStep(step)]),
      ...unknownSessionSteps,
      at("quiet")
    ],
    judge: (evidence) => {
      const refused = refusedProfileSteps(evidence)
      if (refused.length === 0)
        return inconclusive("unobservable", "the partner accepted every request about profiles")
      const calls = [...profileSteps.map(resultStep), at("quiet")].flatMap(
        (step) => callAt(evidence, step) ?? []
      )
      return noneOf(
        calls
          .filter((call) => refused.some((step) => isResultOf(call, evidence, step)))
          .map((call) =>
            finding(call, "a result came for a request that was not accepted", {
              expected: "no result",
              actual: shown(call.json)
            })
          ),
        `${refused.length} requests were not accepted`
      )
    }
  }
]
