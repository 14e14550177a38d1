/** The partner hands its credentials over to us: it registers by our invitation, or renews what it has. */
import type { Role } from "../../../../schema/ocpi/Role.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import type { AwaitAct } from "../../model/Act.ts"
import type { JourneyStage } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, inboundOf, jsonOf, type RunHistory, wasTaken } from "../../model/RunHistory.ts"
import { answeredWith } from "../../model/rulings.ts"

type Method = "POST" | "PUT"

/** Credentials that came so. */
const handedOver = (history: RunHistory, method: Method) =>
  inboundOf(history).filter(({ module, request }) => module === "credentials" && request.method === method)

/** Those that we took. */
export const admitted = (history: RunHistory, method: Method) => handedOver(history, method).find(wasTaken)

/** What the partner fetched of our version information before it came. */
const fetched = (history: RunHistory, before: string): ReadonlyArray<string> =>
  inboundOf(history).flatMap(({ module, operation, startedAt }) =>
    module === "versions" && Date.parse(startedAt) <= Date.parse(before) ? [operation] : []
  )

/** `theirRole`: as what it is to come. */
export const partnerRegisters = (theirRole: Role): JourneyStage => ({
  id: "partner-registers",
  name: "The partner registers",
  actor: "partner",
  module: "credentials",
  description:
    "The partner comes with the Token A of our invitation, reads our versions and details, and POSTs its credentials; we look at its versions while it waits.",
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
      title: "The partner registers with credentials that are valid",
      strength: "must",
      reference: "credentials, POST Method",
      checkId: "CRED-042",
      judge: (history) =>
        admitted(history, "POST") === undefined
          ? {
              message: "The partner has not registered",
              expected: "POST credentials that we can take",
              actual: "nothing that would do"
            }
          : undefined
    },
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
              message: "The partner has registered without looking at what we offer",
              expected: "GET versions, GET details",
              actual: seen.length === 0 ? "neither" : seen.join(", ")
            }
          : undefined
      }
    }
  ]
})

/** Waits for credentials that we can take; `theirRole`: as what the partner hands them over. */
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
          `Credentials came, and we refused them: ${textIn(objectIn(jsonOf(response))["status_message"]) ?? "no reason"}`
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

/** GET of the partner's credentials, with the token that it handed over last. */
export const readCredentials: JourneyStage = {
  id: "read-credentials",
  name: "Read the partner's credentials",
  actor: "us",
  module: "credentials",
  description: "GET credentials with the token that the partner handed over: they are those that it sent.",
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
      title: "The token that the partner handed over opens its doors",
      strength: "must",
      reference: "credentials, GET Method",
      checkId: "CRED-039",
      judge: answeredWith("read-credentials", [200])
    },
    {
      id: "read-credentials.same",
      title: "They name the versions URL that the partner came with",
      strength: "must",
      reference: "credentials, GET Method",
      checkId: "CRED-039",
      judge: (history) => {
        const answer = answerOf(history, "read-credentials")
        const handover = admitted(history, "PUT") ?? admitted(history, "POST")
        if (handover === undefined || answer?.response?.httpStatus !== 200)
          return { notTested: "There was nothing to compare" }
        const came = textIn(objectIn(jsonOf(handover.request))["url"])
        const now = objectIn(dataOf(answer))["url"]
        return now === came
          ? undefined
          : {
              message: "The versions URL is another one than in the registration",
              pointer: "/data/url",
              expected: String(came),
              actual: String(now)
            }
      }
    }
  ]
}
