/** Stages that change our registration with the partner, and their rules. */

import type { Exchange } from "../../../../schema/Exchange.ts"
import type { Trace } from "../../../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import {
  type ReadBack,
  type RegisterAct,
  type Unmet,
  unregistrationRequest,
  withNewToken,
  withOldToken
} from "../../model/Act.ts"
import type { JourneyStage, Rule } from "../../model/JourneyTemplate.ts"
import { dataOf, exchangesOf, inboundOf, type RunHistory } from "../../model/RunHistory.ts"
import { misfit, noAnswerReason, notAnsweredWith } from "../../model/rulings.ts"
import { isSameToken, namesRole } from "./handedOver.ts"

const changing: ReadonlyArray<string> = ["POST", "PUT", "DELETE"]

/** The credentials request of the stage; undefined: the stage has not come so far. */
export const changeOf = (history: RunHistory, stageId: string): Exchange | undefined =>
  exchangesOf(history, stageId).find(
    ({ module, request }) => module === "credentials" && changing.includes(request.method)
  )

/** Did the partner accept the change? If its answer must contain credentials, they must have a token. */
export const isTaken = (history: RunHistory, stageId: string): boolean =>
  flawOf(history, stageId) === undefined

/** Why the change was not accepted; undefined: it was. */
function flawOf(history: RunHistory, stageId: string): ReturnType<Rule["judge"]> {
  const change = changeOf(history, stageId)
  const last = exchangesOf(history, stageId).at(-1)
  if (last === undefined) return { notTested: "Nothing was sent" }
  if (change === undefined)
    return {
      message: `Discovery did not find the partner's credentials endpoint; the last request was ${last.request.method} ${last.module}`,
      expected: "version details with a credentials endpoint",
      actual: last.response === null ? noAnswerReason(last) : `HTTP ${last.response.httpStatus}`
    }
  const flaw = notAnsweredWith(change, [200, 201])
  if (flaw !== undefined || change.request.method === "DELETE") return flaw
  return textIn(objectIn(dataOf(change))["token"]) === undefined
    ? {
        message: "The credentials in the answer have no token",
        pointer: "/data/token",
        expected: "a token",
        actual: "none"
      }
    : undefined
}

const taken = (stageId: string, title: string, reference: string, checkId: string): Rule => ({
  id: `${stageId}.taken`,
  title,
  strength: "must",
  reference,
  checkId,
  judge: (history) => flawOf(history, stageId)
})

/** Judges a change that the partner accepted; otherwise not tested. */
const ofTaken = (
  stageId: string,
  judge: (change: Exchange, history: RunHistory) => ReturnType<Rule["judge"]>
): Rule["judge"] => {
  return (history) => {
    const change = changeOf(history, stageId)
    return change === undefined || !isTaken(history, stageId)
      ? { notTested: "The partner did not accept the change" }
      : judge(change, history)
  }
}

/** The partner's requests for our version information while our request was open. */
const callBacks = (history: RunHistory, change: Exchange): ReadonlyArray<string> =>
  inboundOf(history).flatMap(({ module, operation, startedAt }) =>
    module === "versions" && Date.parse(startedAt) >= Date.parse(change.startedAt) ? [operation] : []
  )

const looked = (stageId: string, checkId: string): Rule => ({
  id: `${stageId}.looked`,
  title: "The partner reads our versions and version details before it answers",
  strength: "must",
  reference: "credentials, Registration",
  checkId,
  judge: ofTaken(stageId, (change, history) => {
    const seen = callBacks(history, change)
    const missing = ["list", "details"].find((operation) => !seen.includes(operation))
    return missing === undefined
      ? undefined
      : {
          message: `The partner did not read our ${missing === "list" ? "versions" : "version details"} before it answered`,
          expected: "GET versions, GET details",
          actual: seen.length === 0 ? "neither" : seen.join(", ")
        }
  })
})

const asked = (history: RunHistory, stageId: string, operation: string) =>
  exchangesOf(history, stageId).find((exchange) => exchange.operation === operation)

const works = (stageId: string, checkId: string): Rule => ({
  id: `${stageId}.works`,
  title: "The partner accepts the token that it handed over",
  strength: "must",
  reference: "credentials, GET Method",
  checkId,
  judge: (history) => {
    const answer = asked(history, stageId, withNewToken)
    return answer === undefined
      ? { notTested: "There was no new token to try" }
      : notAnsweredWith(answer, [200])
  }
})

/** Rule `<stage>.new-token`. */
const newToken = (stageId: string, method: "POST" | "PUT"): Rule => ({
  id: `${stageId}.new-token`,
  title: "The partner answers with a new token",
  strength: "must",
  reference: `credentials, ${method} Method`,
  ...(method === "PUT" ? { checkId: "CRED-027" } : {}),
  judge: ofTaken(stageId, (change) =>
    isSameToken(change)
      ? {
          message: "The partner answers with the token that our request carried",
          pointer: "/data/token",
          expected: "a new token",
          actual: "the same one",
          hint: `Issue a new token for every ${method} credentials, and answer with it.`
        }
      : undefined
  )
})

const over = (
  stageId: string,
  what: { readonly title: string; readonly strength: Rule["strength"]; readonly checkId: string }
): Rule => ({
  id: `${stageId}.over`,
  ...what,
  reference: "transport_and_format, Authorization header",
  judge: (history) => {
    const answer = asked(history, stageId, withOldToken)
    if (answer === undefined) return { notTested: "The old token was not tried" }
    const change = changeOf(history, stageId)
    if (change !== undefined && isSameToken(change))
      return { notTested: "The partner answered with the old token, so it is still the one in use" }
    if (answer.response === null) return { unobservable: noAnswerReason(answer), attribution: "network" }
    const status = answer.response.httpStatus
    return status === 401
      ? undefined
      : {
          // A partner whose versions are open to anyone has perhaps forgotten the token.
          message:
            status < 300
              ? "The partner still answers what carries the old token"
              : "The partner refuses the old token with another status",
          expected: "HTTP 401",
          actual: `HTTP ${status}`
        }
  }
})

const stageOf = (
  stage: Pick<JourneyStage, "id" | "name" | "description" | "expect">,
  act: Omit<RegisterAct, "act">
): JourneyStage => ({
  ...stage,
  actor: "us",
  module: "credentials",
  timeoutSeconds: 120,
  act: { act: "register", ...act },
  writes: true,
  // A partner that has answered has a new token and refuses the old one.
  idempotent: false,
  optionalForLater: false,
  stopsIf: (history) => {
    if (!isTaken(history, stage.id)) return `The partner did not accept our ${act.sends}`
    const tried = asked(history, stage.id, withNewToken)
    return tried !== undefined && notAnsweredWith(tried, [200]) !== undefined
      ? "The partner does not accept the token that it handed over"
      : undefined
  }
})

/** The credentials that the partner answered with. */
const answered =
  (stageId: string, profileAt: (history: RunHistory) => VersionProfile) => (history: RunHistory) => {
    const change = changeOf(history, stageId)
    return change === undefined || !isTaken(history, stageId)
      ? undefined
      : { profile: profileAt(history), credentials: objectIn(dataOf(change)), at: "/data" }
  }

/** Stage `register`: the first registration, with the partner's Token A. */
export const register = (theirRole: Role): JourneyStage =>
  stageOf(
    {
      id: "register",
      name: "Register with the partner",
      description:
        "Read the partner's versions and details with its Token A, POST our credentials, and try the token of its answer.",
      expect: [
        taken("register", "The partner accepts our credentials", "credentials, POST Method", "CRED-001"),
        {
          id: "register.valid",
          title: "The partner's credentials are valid in this version",
          strength: "must",
          reference: "credentials, Credentials object",
          judge: ofTaken("register", (change, history) => misfitOf(history.profile, change))
        },
        namesRole(
          "register",
          theirRole,
          answered("register", ({ profile }) => profile)
        ),
        newToken("register", "POST"),
        looked("register", "CRED-002"),
        works("register", "CRED-012"),
        over("register", {
          title: "The partner refuses Token A after the registration",
          strength: "should",
          checkId: "CRED-013"
        })
      ]
    },
    { change: "register", sends: "POST credentials" }
  )

/** Validates the credentials except the token, which is stored as a placeholder. */
function misfitOf(profile: VersionProfile, change: Exchange) {
  const flaw = misfit(profile, "Credentials", { ...objectIn(dataOf(change)), token: "any" })
  return flaw === undefined ? undefined : { ...flaw, pointer: `/data${flaw.pointer ?? ""}` }
}

/** A stage that PUTs our credentials. `version`: the version to change to; default: the connection's own. */
export const renew = (
  stage: Pick<JourneyStage, "id" | "name" | "description">,
  theirRole: Role,
  checkId: string,
  version?: (history: RunHistory) => OcpiVersion | Unmet
): JourneyStage => {
  const { id } = stage
  const profileAt = (history: RunHistory): VersionProfile => {
    const own = version?.(history)
    return typeof own === "string" ? profileOf(own) : history.profile
  }
  return stageOf(
    {
      ...stage,
      expect: [
        taken(id, "The partner accepts our new credentials", "credentials, PUT Method", checkId),
        {
          id: `${id}.valid`,
          title: "The partner's credentials are valid in the version of the endpoint",
          strength: "must",
          reference: "credentials, Credentials object",
          judge: ofTaken(id, (change, history) => misfitOf(profileAt(history), change))
        },
        namesRole(id, theirRole, answered(id, profileAt)),
        newToken(id, "PUT"),
        looked(id, "CRED-028"),
        works(id, "CRED-029")
      ]
    },
    { change: "register", sends: "PUT credentials", ...(version === undefined ? {} : { version }) }
  )
}

/** For DELETE credentials: the partner refuses the token that it handed over. */
const readUnregistrationBack: ReadBack = {
  reads: "GET versions",
  call: () => ({ module: "versions", interfaceRole: "SENDER", operation: "list", method: "GET" }),
  found: (_memory, _write, { response }): Trace =>
    response?.httpStatus === 401 ? "present" : response?.httpStatus === 200 ? "absent" : "undecided",
  proven: () => false,
  patienceSeconds: 0
}

/** Stage `unregister`: DELETE of our credentials. */
export const unregister: JourneyStage = stageOf(
  {
    id: "unregister",
    name: "End the registration",
    description: "DELETE our credentials at the partner, and try the token that must no longer be accepted.",
    expect: [
      taken("unregister", "The partner ends the registration", "credentials, DELETE Method", "CRED-035"),
      over("unregister", {
        title: "The partner refuses the token after the unregistration",
        strength: "must",
        checkId: "CRED-036"
      })
    ]
  },
  { change: "unregister", sends: unregistrationRequest, readBack: readUnregistrationBack }
)
