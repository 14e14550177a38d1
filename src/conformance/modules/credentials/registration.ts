/** How the partner registered with us: judged on the exchanges of the last registration, as they were recorded. */

import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { authorizationOf, dataOf, requestName, succeeded } from "../../../findings/answers.ts"
import { dataIs } from "../../../findings/expectations.ts"
import { at, finding, repeated, unexpected, unless } from "../../../findings/finding.ts"
import { isObject } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import { inWords } from "../../../findings/words.ts"
import { blocked, type Check, either, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { nameOfRole, partyFlaws, roleFlaws } from "./credentialsFlaws.ts"
import { judged, type Registration } from "./ourRegistration.ts"

const base = {
  module: "credentials",
  versions: versionNumbers,
  roles: either,
  mode: "OBS",
  strength: "must",
  needs: () => ["registration"]
} as const
const looked = "no request: the check looks at the exchanges of the registration"

/** A call without a token of ours belongs to nobody: it is not among the exchanges of the connection. */
const unseen = " (a call without it is not recorded)"

const callFirst =
  "Call the url of the credentials object that you are sent, with the token in it, before you answer."
const fetchDetails = "Fetch the details of the version that the request came to, not of the highest one."

/** `hint`: what to change; where the registration is older than the run, also that it has to be made anew to be judged again. */
const missing = (
  { opener }: Registration,
  { startedAt }: Evidence,
  message: string,
  expected: string,
  hint: string
): Judgement => {
  const isEarlier = Date.parse(opener.exchange.startedAt) < Date.parse(startedAt)
  const again = isEarlier
    ? " The registration from before this run is what was judged: renew it after the correction, then run again."
    : ""
  return noneOf([finding(opener, message, { expected, actual: "no such call", hint: `${hint}${again}` })])
}

/** The token in the body of our request, as the scrubber left it. */
const sentToken = ({ opener }: Registration): string | undefined => {
  const json = parseJson(opener.exchange.request.body ?? "")
  const token = isObject(json) ? json["token"] : undefined
  return typeof token === "string" ? token : undefined
}

const detailsOf = (version: string) => (seen: Observation) =>
  seen.exchange.operation === "details" &&
  new URL(seen.exchange.request.url).pathname.split("/").includes(version)

/**
 * Judge the exchanges of the last registration: calls back, token and Credentials object (credentials, Registration
 * and Credentials object).
 */
export const registrationChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CRED-002",
    title: "Registration: our versions are fetched before the answer",
    reference: "credentials, Registration",
    sends: looked,
    passes: "GET of our versions URL while POST or PUT credentials was open",
    hint: callFirst,
    judge: judged((registration, evidence) =>
      registration.calls.some(({ exchange }) => exchange.operation === "list")
        ? noneOf([])
        : missing(
            registration,
            evidence,
            `the partner answered without having fetched our versions with the token of our credentials object${unseen}`,
            "GET of our versions URL, with that token",
            callFirst
          )
    )
  },
  {
    ...base,
    id: "CRED-003",
    title: "Registration: our details of the registered version are fetched",
    reference: "credentials, Registration",
    sends: looked,
    passes: "GET of our details of exactly the version whose credentials endpoint was called",
    hint: fetchDetails,
    judge: judged((registration, evidence) => {
      const { profile } = evidence
      const details = registration.calls.filter(({ exchange }) => exchange.operation === "details")
      if (details.some(detailsOf(profile.version))) return noneOf([])
      if (!registration.calls.some(({ exchange }) => ["list", "details"].includes(exchange.operation)))
        return blocked({
          check: "CRED-002",
          exchangeId: registration.opener.exchange.id,
          what: `our versions have to be fetched first, and were not${unseen}`
        })
      const others = details.map(({ exchange }) => new URL(exchange.request.url).pathname)
      return missing(
        registration,
        evidence,
        `the partner answered without having fetched our details of version ${profile.version} with the token of our credentials object${others.length === 0 ? "" : `; the partner fetched ${others.join(", ")}`}${unseen}`,
        `GET of our details of version ${profile.version}, with that token`,
        fetchDetails
      )
    })
  },
  {
    ...base,
    id: "CRED-004",
    title: "Registration: calls back carry the token of our credentials object",
    reference: "credentials, Registration",
    sends: looked,
    passes: "every call while the registration was open carries the token of our credentials object",
    hint: "Call us back with the token in the body of our request: Token A is only for our calls to you.",
    judge: judged((registration) => {
      const token = sentToken(registration)
      if (token === undefined) return inconclusive("error", "the token of our own request is not on record")
      if (registration.calls.length === 0)
        return inconclusive("unobservable", "the partner did not call while the registration was open")
      return noneOf(
        registration.calls
          .filter(({ exchange }) => exchange.request.headers["authorization"]?.includes(token) !== true)
          .map(({ exchange }) =>
            finding({ exchange }, `${requestName(exchange)} came with another token`, {
              expected: token,
              actual: authorizationOf({ exchange })
            })
          )
      )
    })
  },
  {
    ...base,
    id: "CRED-005",
    title: "Registration: the token that is handed over is new and has a valid form",
    reference: "credentials, Credentials object",
    sends: looked,
    passes: "differs from both tokens in use; 1 to 64 printable characters without white space",
    hint: "Issue a fresh random token of at most 64 characters for every registration.",
    judge: judged((registration, { tokens }) => {
      const { opener } = registration
      const data = dataOf(opener)
      const token = isObject(data) ? data["token"] : undefined
      const expected = "a new token, 1 to 64 printable characters"
      const wrong = (message: string, actual: string) =>
        noneOf([{ ...at(opener, "/data/token", message, { expected, actual: undefined }), actual }])
      if (typeof token !== "string") return wrong("there is no token", "absent")
      if (token === sentToken(registration))
        return wrong("the token of the answer is the token of our request", token)
      if (opener.exchange.request.headers["authorization"]?.includes(token) === true)
        return wrong("the token of the answer is the one that the request was authorized with", token)
      // What the answer held is known by its place holder: another one has replaced it since.
      const facts = tokens.find(({ placeholder, slot }) => slot === "outbound" && placeholder === token)
      if (facts === undefined) return noneOf([], "its length is not on record any more")
      return facts.length <= 64 && facts.printable
        ? noneOf([], `${facts.length} characters`)
        : wrong("the token does not have a valid form", `${facts.length} characters`)
    })
  },
  {
    ...base,
    id: "CRED-006",
    title: "Registration: the url that is handed over serves the versions list",
    mode: "RO",
    reference: "credentials, Credentials object",
    sends: "GET of the url that the registration was answered with, with the current token",
    passes: "HTTP 200 with the versions list; recorded: whether the URL is the one that was given before",
    hint: "Put the versions URL into url, not the root of your API.",
    needs: () => ["registration", "credentials.url"],
    judge: (evidence) => {
      const [seen] = evidence.answered("credentials.url")
      if (seen === undefined) return inconclusive("not_tested", "the URL was not called")
      const { url } = seen.exchange.request
      const { versionsUrl } = evidence.party.counterpart
      if (!succeeded(seen)) return noneOf([unexpected(seen, "HTTP 200, the versions list")])
      return noneOf([
        ...dataIs("a non-empty array")(seen),
        ...unless(url === versionsUrl, () =>
          finding(
            seen,
            "the url of the credentials is another versions URL than the one that was given before: right where both lead to the same service",
            { expected: versionsUrl, actual: url, strength: "may" as const }
          )
        )
      ])
    }
  },
  {
    ...base,
    id: "CRED-007",
    title: "Credentials object: party_id, country_code and business name are given",
    versions: versionsWhere(({ credentialsRoles }) => !credentialsRoles),
    reference: "credentials, Credentials object",
    sends: looked,
    passes: "party_id of at most 3 characters, country_code of 2, business_details.name",
    hint: "Fill in party_id, country_code and the name of your business.",
    judge: judged(({ opener }) => {
      const data = dataOf(opener)
      return noneOf(isObject(data) ? partyFlaws(opener, data, "/data") : dataIs("an object")(opener))
    })
  },
  {
    ...base,
    id: "CRED-008",
    title: "Credentials object: every role has its party and business name",
    versions: versionsWhere(({ credentialsRoles }) => credentialsRoles),
    reference: "credentials, CredentialsRole class",
    sends: looked,
    passes: "at least one role; each with role, party_id, country_code and business_details.name",
    hint: "List every role that you play, each with its party and the name of the business.",
    judge: judged(({ opener }, { profile }) => noneOf(roleFlaws(opener, profile)))
  },
  {
    ...base,
    id: "CRED-009",
    title: "Credentials object: each role of each party is given once",
    versions: versionsWhere(({ credentialsRoles }) => credentialsRoles),
    lenient: () => true,
    reference: "credentials, CredentialsRole class",
    sends: looked,
    passes: "no two roles have the same role, country_code and party_id",
    hint: "Give one entry for each role of each party: country_code and party_id are compared without regard to case.",
    judge: judged(({ opener }) => {
      const data = dataOf(opener)
      const roles = isObject(data) && Array.isArray(data["roles"]) ? data["roles"].filter(isObject) : []
      const named = roles.map((role, index) => ({ index, name: nameOfRole(role) }))
      return noneOf(
        repeated(named, ({ name }) => name).map(({ index, name }) =>
          at(opener, `/data/roles/${index}`, "the role is named twice", {
            expected: "each role of each party once",
            actual: name
          })
        )
      )
    })
  },
  {
    ...base,
    id: "CRED-010",
    title: "Credentials object: a hub has no role but HUB",
    versions: versionsWhere(({ hub }) => hub === "role"),
    reference: "credentials, CredentialsRole class",
    sends: looked,
    passes: "where one of the roles is HUB, all are",
    hint: "Tell of the parties behind the hub in the module hubclientinfo, and not as roles of your own.",
    judge: judged(({ opener }) => {
      const data = dataOf(opener)
      const roles = isObject(data) && Array.isArray(data["roles"]) ? data["roles"].filter(isObject) : []
      const isOfHub = (role: (typeof roles)[number]) => role["role"] === "HUB"
      const others = roles.filter((role) => !isOfHub(role)).map((role) => inWords(role["role"]))
      return noneOf(
        unless(!roles.some(isOfHub) || others.length === 0, () =>
          at(opener, "/data/roles", "a hub has other roles too", {
            expected: "HUB alone",
            actual: ["HUB", ...others].join(", ")
          })
        )
      )
    })
  },
  {
    ...base,
    id: "CRED-011",
    title: "Credentials object: no role HUB, and hub_party_id has its form",
    versions: versionsWhere(({ openEnums }) => openEnums),
    reference: "credentials, Credentials object",
    sends: looked,
    passes: "no role HUB; hub_party_id, where there is one, is two letters and three characters",
    hint: "Name the hub in hub_party_id, its country code before its party id: the version has no role HUB.",
    judge: judged(({ opener }) => {
      const data = dataOf(opener)
      if (!isObject(data)) return noneOf(dataIs("an object")(opener))
      const hub = data["hub_party_id"]
      const roles = Array.isArray(data["roles"]) ? data["roles"] : []
      const found = roles.findIndex((role: unknown) => isObject(role) && role["role"] === "HUB")
      return noneOf([
        ...unless(found < 0, () =>
          at(opener, `/data/roles/${found}/role`, "the version has no role HUB", {
            expected: "another role",
            actual: "HUB"
          })
        ),
        ...unless(
          hub === undefined ||
            hub === null ||
            (typeof hub === "string" && /^[A-Z]{2}[A-Z0-9]{3}$/i.test(hub)),
          () =>
            at(opener, "/data/hub_party_id", "hub_party_id does not have its form", {
              expected: "two letters and three characters",
              actual: hub
            })
        )
      ])
    })
  }
]
