/** Changing our registration with the partner, and what is expected of it then. */

import type { Exchange } from "../../../../schema/Exchange.ts"
import type { Trace } from "../../../../schema/LedgerEvent.ts"
import type { OcpiVersion } from "../../../../schema/ocpi/OcpiVersion.ts"
import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { profileOf } from "../../../../schema/ocpi/versions.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import {
  partingRequest,
  type ReadBack,
  type RegisterAct,
  type Unmet,
  withNewToken,
  withOldToken
} from "../../model/Act.ts"
import type { JourneyStage, Rule } from "../../model/JourneyTemplate.ts"
import { dataOf, exchangesOf, inboundOf, type RunHistory } from "../../model/RunHistory.ts"
import { misfit, notAnsweredWith, silence } from "../../model/rulings.ts"

const changing: ReadonlyArray<string> = ["POST", "PUT", "DELETE"]

/** The request that changes the registration, when the stage has got so far. */
export const changeOf = (history: RunHistory, stageId: string): Exchange | undefined =>
  exchangesOf(history, stageId).find(
    ({ module, request }) => module === "credentials" && changing.includes(request.method)
  )

/** The partner took the change. Where there are to be credentials in its answer, they have a token. */
export const isTaken = (history: RunHistory, stageId: string): boolean =>
  flawOf(history, stageId) === undefined

/** What kept the partner from taking it. undefined: nothing did. */
function flawOf(history: RunHistory, stageId: string): ReturnType<Rule["judge"]> {
  const change = changeOf(history, stageId)
  const last = exchangesOf(history, stageId).at(-1)
  if (last === undefined) return { notTested: "Nothing was sent" }
  if (change === undefined)
    return {
      message: `What we found at the partner did not lead to its credentials; the last was ${last.request.method} ${last.module}`,
      expected: "version details with a credentials endpoint",
      actual: last.response === null ? silence(last) : `HTTP ${last.response.httpStatus}`
    }
  const flaw = notAnsweredWith(change, [200, 201])
  if (flaw !== undefined || change.request.method === "DELETE") return flaw
  return textIn(objectIn(dataOf(change))["token"]) === undefined
    ? {
        message: "The answer hands over no token",
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

/** Judged where the change was taken. */
const ofTaken = (
  stageId: string,
  judge: (change: Exchange, history: RunHistory) => ReturnType<Rule["judge"]>
): Rule["judge"] => {
  return (history) => {
    const change = changeOf(history, stageId)
    return change === undefined || !isTaken(history, stageId)
      ? { notTested: "The registration has not come about" }
      : judge(change, history)
  }
}

/** Calls on our version information while the request was open. */
const callBacks = (history: RunHistory, change: Exchange): ReadonlyArray<string> =>
  inboundOf(history).flatMap(({ module, operation, startedAt }) =>
    module === "versions" && Date.parse(startedAt) >= Date.parse(change.startedAt) ? [operation] : []
  )

const looked = (stageId: string, checkId: string): Rule => ({
  id: `${stageId}.looked`,
  title: "The partner fetches our versions, and the details of ours, before it answers",
  strength: "must",
  reference: "credentials, Registration",
  checkId,
  judge: ofTaken(stageId, (change, history) => {
    const seen = callBacks(history, change)
    const missing = ["list", "details"].find((operation) => !seen.includes(operation))
    return missing === undefined
      ? undefined
      : {
          message: `The partner has not fetched our ${missing === "list" ? "versions" : "version details"}`,
          expected: "GET versions, GET details",
          actual: seen.length === 0 ? "neither" : seen.join(", ")
        }
  })
})

const asked = (history: RunHistory, stageId: string, operation: string) =>
  exchangesOf(history, stageId).find((exchange) => exchange.operation === operation)

const works = (stageId: string, checkId: string): Rule => ({
  id: `${stageId}.works`,
  title: "The token that the partner handed over opens its doors",
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
    if (answer.response === null) return { unobservable: silence(answer) }
    const status = answer.response.httpStatus
    return status === 401
      ? undefined
      : { message: "The old token is still taken", expected: "HTTP 401", actual: `HTTP ${status}` }
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
  // Whoever has answered has a new token, and takes the old one no more.
  idempotent: false,
  optionalForLater: false,
  stopsIf: (history) => {
    if (!isTaken(history, stage.id)) return `The partner has not taken our ${act.sends}`
    const tried = asked(history, stage.id, withNewToken)
    return tried !== undefined && notAnsweredWith(tried, [200]) !== undefined
      ? "The partner does not take the token that it handed over"
      : undefined
  }
})

/** The first registration, with the partner's Token A. */
export const register: JourneyStage = stageOf(
  {
    id: "register",
    name: "Register with the partner",
    description:
      "Read the partner's versions and details with its Token A, POST our credentials, and try the token that comes back.",
    expect: [
      taken("register", "The partner takes our credentials", "credentials, POST Method", "CRED-001"),
      {
        id: "register.valid",
        title: "The partner's credentials are valid in this version",
        strength: "must",
        reference: "credentials, Credentials object",
        judge: ofTaken("register", (change, history) => misfitOf(history.profile, change))
      },
      looked("register", "CRED-002"),
      works("register", "CRED-012"),
      over("register", {
        title: "Token A is worth nothing any more",
        strength: "should",
        checkId: "CRED-013"
      })
    ]
  },
  { change: "register", sends: "POST credentials" }
)

/** Its token aside: what is kept of that is a placeholder. */
function misfitOf(profile: VersionProfile, change: Exchange) {
  const flaw = misfit(profile, "Credentials", { ...objectIn(dataOf(change)), token: "any" })
  return flaw === undefined ? undefined : { ...flaw, pointer: `/data${flaw.pointer ?? ""}` }
}

/** PUT of our credentials. `version`: the one to go over to; the connection's own when unsaid. */
export const renew = (
  stage: Pick<JourneyStage, "id" | "name" | "description">,
  checkId: string,
  version?: (history: RunHistory) => OcpiVersion | Unmet
): JourneyStage => {
  const { id } = stage
  return stageOf(
    {
      ...stage,
      expect: [
        taken(id, "The partner takes our new credentials", "credentials, PUT Method", checkId),
        {
          id: `${id}.valid`,
          title: "The partner's credentials are valid in the version of the endpoint",
          strength: "must",
          reference: "credentials, Credentials object",
          judge: ofTaken(id, (change, history) => {
            const own = version?.(history)
            return misfitOf(typeof own === "string" ? profileOf(own) : history.profile, change)
          })
        },
        looked(id, "CRED-028"),
        works(id, "CRED-029")
      ]
    },
    { change: "register", sends: "PUT credentials", ...(version === undefined ? {} : { version }) }
  )
}

/** DELETE: the token that the partner handed over opens no door any more. */
const readPartingBack: ReadBack = {
  reads: "GET versions",
  call: () => ({ module: "versions", interfaceRole: "SENDER", operation: "list", method: "GET" }),
  found: (_memory, _write, { response }): Trace =>
    response?.httpStatus === 401 ? "present" : response?.httpStatus === 200 ? "absent" : "undecided",
  proven: () => false,
  patienceSeconds: 0
}

/** DELETE of our credentials. */
export const unregister: JourneyStage = stageOf(
  {
    id: "unregister",
    name: "End the registration",
    description: "DELETE our credentials at the partner, and try the token that is over then.",
    expect: [
      taken("unregister", "The partner ends the registration", "credentials, DELETE Method", "CRED-035"),
      over("unregister", {
        title: "The token is worth nothing any more",
        strength: "must",
        checkId: "CRED-036"
      })
    ]
  },
  { change: "unregister", sends: partingRequest, readBack: readPartingBack }
)
