/**
 * Stages in which the partner hands its credentials over to us: it registers by our invitation, or renews its
 * registration.
 */

import type { Role } from "../../../../schema/ocpi/Role.ts"
import { wasTaken } from "../../../findings/calledPath.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import type { AwaitAct } from "../../model/Act.ts"
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, inboundOf, jsonOf, type RunHistory } from "../../model/RunHistory.ts"
import { answeredWith } from "../../model/rulings.ts"
import { namesRole } from "./handedOver.ts"

type Method = "POST" | "PUT"

/** The partner's credentials requests with this method. */
const handedOver = (history: RunHistory, method: Method) =>
  inboundOf(history).filter(({ module, request }) => module === "credentials" && request.method === method)

/** The first of them that we accepted; undefined: none. */
export const admitted = (history: RunHistory, method: Method) => handedOver(history, method).find(wasTaken)

/** The credentials that it brought. */
export function comeWith(history: RunHistory, method: Method) {
  const request = admitted(history, method)?.request
  return request === undefined
    ? undefined
    : { profile: history.profile, credentials: objectIn(jsonOf(request)), at: "" }
}

/** The requests for our version information before that instant. */
const fetched = (history: RunHistory, before: string): ReadonlyArray<string> =>
  inboundOf(history).flatMap(({ module, operation, startedAt }) =>
    module === "versions" && Date.parse(startedAt) <= Date.parse(before) ? [operation] : []
  )

/** Stage `partner-registers`. `theirRole`: the role in which the partner registers. */
export const partnerRegisters = (theirRole: Role): JourneyStage => ({
  id: "partner-registers",
  name: "The partner registers",
  actor: "partner",
  module: "credentials",
  description:
    "The partner uses the Token A of our invitation to read our versions and details, and POSTs its credentials; we read its versions before we answer.",
  timeoutSeconds: 900,
  act: awaitCredentials(
    "POST",
    theirRole,
    ({ profile }) =>
      `Register with us: use the versions URL and the Token A of our invitation, agree on OCPI ${profile.version}, and POST your credentials.`
  ),
  writes: false,
  idempotent: true,
  optionalForLater: false,
  expect: [
    {
      id: "partner-registers.came",
      begunByPerson: true,
      title: "The partner POSTs valid credentials",
      strength: "must",
      reference: "credentials, POST Method",
      checkId: "CRED-042",
      judge: (history) =>
        admitted(history, "POST") === undefined
          ? {
              message: "The partner sent no POST credentials that we could accept",
              expected: "a valid POST credentials",
              actual: "none that is valid"
            }
          : undefined
    },
    namesRole("partner-registers", theirRole, (history) => comeWith(history, "POST")),
    {
      id: "partner-registers.looked",
      title: "The partner fetches our versions and the details of one before it registers",
      strength: "must",
      reference: "credentials, Registration",
      checkId: "CRED-041",
      judge: (history) => {
        const post = admitted(history, "POST")
        if (post === undefined) return { notTested: "The partner has not registered" }
        const seen = fetched(history, post.startedAt)
        const isMissing = ["list", "details"].some((operation) => !seen.includes(operation))
        return isMissing
          ? {
              message: "The partner registered without reading our versions and their details",
              expected: "GET versions, GET details",
              actual: seen.length === 0 ? "neither" : seen.join(", ")
            }
          : undefined
      }
    }
  ]
})

/** The act that waits for credentials that we can accept; `theirRole`: the role of the partner in them. */
export const awaitCredentials = (
  method: Method,
  theirRole: Role,
  instruction: AwaitAct["instruction"]
): AwaitAct => ({
  act: "await",
  instruction,
  look: (history) => ({
    found: admitted(history, method) !== undefined,
    nearMisses: handedOver(history, method)
      .filter((one) => !wasTaken(one))
      .map(
        ({ response }) =>
          `The partner sent credentials, and we refused them: ${textIn(objectIn(jsonOf(response))["status_message"]) ?? "no reason"}`
      )
  }),
  expects: ({ profile, them = { countryCode: "XX", partyId: "XXX" } }) => {
    const self = {
      business_details: { name: "Your company" },
      country_code: them.countryCode,
      party_id: them.partyId
    }
    const base = { token: "a-new-token-of-yours", url: "https://your-system.example/ocpi/versions" }
    return {
      method,
      module: "credentials",
      path: [],
      body: profile.credentialsRoles
        ? { ...base, roles: [{ role: theirRole, ...self }] }
        : { ...base, ...self }
    }
  }
})

/** Stage `read-credentials`: GET of the partner's credentials, with the token that it handed over last. */
export const readCredentials: JourneyStage = {
  id: "read-credentials",
  name: "Read the partner's credentials",
  actor: "us",
  module: "credentials",
  description:
    "GET credentials with the token that the partner handed over: they must be those that it sent.",
  timeoutSeconds: 30,
  act: {
    act: "exchange",
    sends: "GET credentials",
    call: () => ({
      module: "credentials",
      interfaceRole: "SENDER",
      operation: "GET credentials",
      method: "GET"
    })
  },
  writes: false,
  idempotent: true,
  optionalForLater: true,
  expect: [
    {
      id: "read-credentials.answered",
      title: "The partner accepts the token that it handed over",
      strength: "must",
      reference: "credentials, GET Method",
      checkId: "CRED-039",
      judge: answeredWith("read-credentials", [200])
    },
    {
      id: "read-credentials.same",
      title: "The partner's credentials have the versions URL of its registration",
      strength: "must",
      reference: "credentials, GET Method",
      checkId: "CRED-039",
      judge: (history) => {
        const answer = answerOf(history, "read-credentials")
        const handover = admitted(history, "PUT") ?? admitted(history, "POST")
        if (handover === undefined || answer?.response?.httpStatus !== 200)
          return { notTested: "The partner's credentials could not be read, or none were handed over" }
        const came = textIn(objectIn(jsonOf(handover.request))["url"])
        const now = objectIn(dataOf(answer))["url"]
        return now === came
          ? undefined
          : {
              message: "The versions URL differs from the one in the registration",
              pointer: "/data/url",
              expected: inWords(came),
              actual: inWords(now)
            }
      }
    }
  ]
}
