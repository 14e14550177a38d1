/** What checks of charging profiles have in common. */

import type { ObjectName } from "../../../../schema/ocpi/VersionProfile.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf } from "../../../findings/answers.ts"
import { mismatches, success } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { shown } from "../../../findings/words.ts"
import { blocked, inconclusive, type Judgement, noneOf, notGathered } from "../../model/Check.ts"
import { type Answered, type Evidence, isWithheld, type Observation } from "../../model/Evidence.ts"
import {
  awayAfter,
  blockedByLegs,
  callAt,
  isDone,
  isUnread,
  legsOf,
  resultStep
} from "../shared/commandLegs.ts"
import { isResultOf, responseUrlOf, stepOf } from "../shared/stepAnswers.ts"
import { profiles } from "./chargingProfilesProbes.ts"

/** Module, versions, role and strength of the checks. */
export const profilesBase = {
  module: "chargingprofiles",
  versions: versionsWhere(({ modules }) => modules.includes("chargingprofiles")),
  roles: ["CPO"],
  mode: "MUT",
  strength: "must",
  reference: "mod_charging_profiles, Receiver Interface",
  partial: true
} as const

/** A step of the script about profiles. */
export const at = (id: string) => `${profiles}#${id}`

/** A step of the script, and the one that waits for its result. */
export const both = (id: string) => [at(id), resultStep(at(id))]

/** The probe with the calls of the partner since the run began, read when the script is over. */
export const profileCalls = "chargingprofiles.calls"

/** Not tested: no session could be started for the requests. */
export const noSession = inconclusive("not_tested", "no session could be started to set a profile on")

/** What breaks the version's schema of that object in a call of the partner. */
export const callFlaws = (
  call: Observation,
  object: ObjectName,
  { profile }: Evidence
): ReadonlyArray<Finding> => {
  // Its body was not read.
  if (call.exchange.direction === "inbound" && isUnread(call))
    return [
      finding(call, "the call came with another token than the one that we issued for such calls", {
        expected: "our token of the registration",
        actual: call.exchange.request.headers["authorization"] ?? ""
      })
    ]
  return mismatches(call, profile.objects[object], call.json)
}

/** What is wrong with the answer to a request about a profile. */
export const answerFlaws = (seen: Answered, { profile }: Evidence): ReadonlyArray<Finding> => {
  const status = success(seen)
  return status.length > 0
    ? status
    : mismatches(seen, profile.objects.ChargingProfileResponse, dataOf(seen), ["data"])
}

/** Judges the answer to a step. */
export const onStep =
  (id: string, judge: (seen: Answered, evidence: Evidence) => ReadonlyArray<Finding> | Judgement) =>
  (evidence: Evidence): Judgement => {
    const seen = stepOf(evidence, at(id))
    if (seen === undefined) {
      const gathered = evidence.gathered(at(id))
      if (gathered !== undefined && isWithheld(gathered)) return notGathered(gathered)
      return isDone(evidence, at("start")) ? noSession : blockedByLegs(evidence, at("start"))
    }
    const result = judge(seen, evidence)
    return "is" in result ? result : noneOf(result, legsOf(evidence, at(id)))
  }

/** An accepted request got no result: a finding, unless the partner was away meanwhile. `flaws`: what else is wrong. */
export const noResult = (
  evidence: Evidence,
  step: string,
  seen: Answered,
  flaws: ReadonlyArray<Finding> = []
): ReadonlyArray<Finding> | Judgement => {
  const away = awayAfter(evidence, step)
  if (away !== undefined) return flaws.length > 0 ? flaws : blocked(away, "network")
  const missing = finding(seen, "no result came to the response_url of a request that was accepted", {
    expected: "one POST",
    actual: "no call"
  })
  return [...flaws, missing]
}

/** The finding that a result came to another URL than the response_url. */
export const changedUrl = (evidence: Evidence, step: string, call: Observation): ReadonlyArray<Finding> => {
  const given = new URL(responseUrlOf(evidence, step) ?? "about:blank")
  const called = new URL(call.exchange.request.url)
  return unless(given.pathname === called.pathname && given.search === called.search, () =>
    finding(call, "the result was sent to another URL than the response_url", {
      expected: `${given.pathname}${given.search}`,
      actual: `${called.pathname}${called.search}`
    })
  )
}

/**
 * One finding for each result that came to the response_url of that step after the first one (mod_charging_profiles,
 * Flow: the Receiver posts the result of a request once it is known).
 */
export const repeatedResults = (evidence: Evidence, step: string): ReadonlyArray<Finding> => {
  const first = callAt(evidence, resultStep(step))?.exchange.id
  return evidence
    .seen(profileCalls)
    .filter((call) => call.exchange.id !== first && first !== undefined && isResultOf(call, evidence, step))
    .map((call) =>
      finding(call, "a second result came to the response_url of one request", {
        expected: "one result",
        actual: shown(call.json),
        strength: "should"
      })
    )
}
