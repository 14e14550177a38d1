/** What checks of charging profiles have in common. */

import type { ObjectName } from "../../../../schema/ocpi/VersionProfile.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf } from "../../../findings/answers.ts"
import { mismatches, success } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless, when } from "../../../findings/finding.ts"
import { type JsonObject, objectIn } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import { resultLeg } from "../../../party/wire/commandLegs.ts"
import {
  blocked,
  inconclusive,
  type Judgement,
  noneOf,
  notGathered,
  type Precondition
} from "../../model/Check.ts"
import { type Answered, type Evidence, isWithheld, type Observation } from "../../model/Evidence.ts"
import { wanted } from "../commands/wantedCommands.ts"
import { wrongSteps } from "../commands/wrong/wrongCommandsProbes.ts"
import {
  awayAfter,
  blockedByLegs,
  callAt,
  isDone,
  isUnread,
  legsOf,
  resultStep,
  strangeToken
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

/** The finding that a call came without our token, so that its body was not read. */
const tokenFlaws = (call: Observation): ReadonlyArray<Finding> =>
  when(call.exchange.direction === "inbound" && isUnread(call), () => strangeToken(call, "the call"))

/** What breaks the version's schema of that object in a call of the partner. */
export const callFlaws = (
  call: Observation,
  object: ObjectName,
  { profile }: Evidence
): ReadonlyArray<Finding> => {
  const unread = tokenFlaws(call)
  return unread.length > 0 ? unread : mismatches(call, profile.objects[object], call.json)
}

/** The object that a result brings, in whatever form it came. */
export const saidIn = (call: Observation | undefined): JsonObject => objectIn(resultLeg(call?.json).said)

/** In what a result came that all results of a partner come in alike: with another token, or in another form than its object. */
const carriageOf = (call: Observation | undefined): "token" | "form" | undefined => {
  if (call === undefined) return undefined
  if (tokenFlaws(call).length > 0) return "token"
  return resultLeg(call.json).notes.length > 0 ? "form" : undefined
}

/** The findings about that: another token, an envelope, a bare word. */
export const carriageFlaws = (call: Observation | undefined): ReadonlyArray<Finding> =>
  call === undefined
    ? []
    : carriageOf(call) === "token"
      ? tokenFlaws(call)
      : resultLeg(call.json).notes.map((message) =>
          finding(call, message, { expected: "an object with result", actual: shown(call.json), pointer: "" })
        )

/** As `callFlaws`, of the object that a result brings: in what it came is told by `carriageFlaws`. */
export const resultFlaws = (
  call: Observation,
  object: ObjectName,
  { profile }: Evidence
): ReadonlyArray<Finding> =>
  carriageOf(call) === "token"
    ? []
    : mismatches(call, profile.objects[object], carriageOf(call) === "form" ? saidIn(call) : call.json)

/**
 * The checks that report in what results came of commands, and of profiles that were set: they block a check of the result of another
 * step that has the same flaw, and none of `others`.
 */
export const toldBefore = (
  id: string,
  others: (evidence: Evidence) => ReadonlyArray<Finding>
): ReadonlyArray<Precondition> => {
  const by = (check: string, carriage: "token" | "form", before: ReadonlyArray<string>): Precondition => {
    const isOf = (evidence: Evidence, step: string) =>
      carriageOf(callAt(evidence, resultStep(step))) === carriage
    return {
      check,
      unless: (evidence) =>
        !isOf(evidence, at(id)) || !before.some((step) => isOf(evidence, step)) || others(evidence).length > 0
    }
  }
  const commands = [...wanted, ...wrongSteps]
  return [
    by("CMD-008", "token", commands),
    by("CMD-007", "form", commands),
    ...(id === "set" ? [] : [by("CP-002", "token", [at("set")]), by("CP-002", "form", [at("set")])])
  ]
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
