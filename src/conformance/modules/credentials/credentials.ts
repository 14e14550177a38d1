/** Checks of GET credentials: the object against the registration. */

import type { PartnerParty } from "../../../../schema/Connection.ts"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { dataOf, isServerFault, requestName, statusLine, succeeded } from "../../../findings/answers.ts"
import { opened, success, unauthorized } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, unless } from "../../../findings/finding.ts"
import { isObject, type JsonObject, objectIn, textIn } from "../../../findings/json.ts"
import { parseJson } from "../../../findings/readJson.ts"
import { violations } from "../../../findings/violations/violations.ts"
import { shown } from "../../../findings/words.ts"
import { partiesIn } from "../../../party/wire/credentialsObject.ts"
import { blocked, type Check, either, inconclusive, noneOf } from "../../model/Check.ts"
import { type Answered, type Evidence, tokenLost, tokenUnknown } from "../../model/Evidence.ts"
import type { WatchingProbe } from "../../model/Probe.ts"
import { noList } from "../../model/unreadList.ts"
import { listsOf } from "../shared/lists.ts"
import { calledFor } from "./credentialsFlaws.ts"

/** The answers of the run: whether the token was refused after it had been accepted. */
export const keptProbe: WatchingProbe = { id: "credentials.kept", source: "answers", after: ["versions"] }

/** Judge GET of credentials: its object against the registration, its token, and HTTP 401 (credentials, Credentials object). */
export const credentialsChecks: ReadonlyArray<Check> = [
  {
    id: "CRED-039",
    consequenceOf: ["CRED-006", "CRED-010"],
    title: "GET credentials: url and parties are those of the registration",
    module: "credentials",
    versions: versionNumbers,
    roles: either,
    mode: "RO",
    strength: "must",
    reference: "credentials, GET Method; Credentials object",
    sends: "GET credentials with the current token",
    passes: "HTTP 200, status_code 1000, a valid object whose url and parties are those of the registration",
    hint: "Answer GET credentials with your own Credentials object: the one that the registration was answered with.",
    needs: () => ["credentials", "registration"],
    judge: (evidence) => {
      const [seen] = evidence.answered("credentials")
      if (seen === undefined) return inconclusive("not_tested", "credentials were not read")
      const status = success(seen)
      if (status.length > 0) return noneOf(status)
      const data = dataOf(seen)
      const flaws = shapeFlaws(seen, data, evidence)
      return noneOf(flaws.length > 0 || !isObject(data) ? flaws : changed(seen, data, evidence))
    }
  },
  {
    id: "CRED-012",
    title: "Authorization: the token that was handed over opens versions and lists",
    module: "credentials",
    versions: versionNumbers,
    roles: either,
    mode: "RO",
    // When everything but RISK has been sent.
    phase: "watch",
    strength: "must",
    reference: "credentials, Registration",
    sends:
      "GET versions and lists with the current token; the check looks for a later HTTP 401 where the token was accepted",
    passes: "HTTP 200, status_code 1000, and no HTTP 401 for the token while the registration goes on",
    hint: "Accept the token of your credentials object at every endpoint from the moment at which you hand it over until it is replaced or the registration ends.",
    partial: true,
    needs: ({ profile, role }) => [
      keptProbe.id,
      "versions",
      ...listsOf(profile, role)
        .slice(0, 1)
        .map((list) => `${list}.list`)
    ],
    // Other lists have checks of their own: only that the token does not open one is told here.
    ifGathered: ({ profile, role }) =>
      listsOf(profile, role)
        .slice(1)
        .map((list) => `${list}.list`),
    judge: (evidence) => {
      if (evidence.party.registration !== "registered")
        return inconclusive("not_tested", "the connection is not registered", "operator")
      const [list, ...others] = listsOf(evidence.profile, evidence.party.counterpart.role)
      const lost = evidence
        .answered(keptProbe.id)
        .filter(({ about }) => about === tokenLost || about === tokenUnknown)
      const pages = evidence.answered(`${list}.list`)
      // A server that fails, and one list of several that is not found, are findings of the list's own check.
      const opens = others.some((other) => evidence.answered(`${other}.list`).some(succeeded))
      const refused = pages.filter(
        (seen) => !succeeded(seen) && !isServerFault(seen) && !(opens && seen.response.httpStatus === 404)
      )
      const isShut = pages.some((seen) => !succeeded(seen))
      const broken = refused.length === 0 && isShut ? noList(list ?? "", pages[0]) : undefined
      const isLost = ({ exchange }: Answered) => lost.some((seen) => seen.exchange.id === exchange.id)
      const closed = others
        .flatMap((other) => evidence.answered(`${other}.list`))
        .filter((seen) => opened(seen).length > 0 && !isLost(seen))
      const findings = [
        ...[...evidence.answered("versions"), ...refused, ...closed].flatMap(success),
        ...lost.map((seen) =>
          finding(
            seen,
            `${requestName(seen.exchange)} was answered ${statusLine(seen)} with ${seen.about === tokenLost ? "a token that the partner had accepted before" : "the token of the registration, which has opened nothing since the run began"}, although neither side has ended or renewed the registration`,
            { expected: "HTTP 200", actual: statusLine(seen) }
          )
        )
      ]
      return findings.length === 0 && broken !== undefined ? blocked(broken) : noneOf(findings)
    }
  },
  {
    id: "CRED-019",
    title: "Credentials: HTTP 401 for an unknown token",
    module: "credentials",
    versions: versionNumbers,
    roles: either,
    // A partner that takes the request has a new registration of ours, or none any more.
    mode: "RISK",
    strength: "must",
    reference: "transport_and_format, Authorization header; credentials",
    sends: "POST, PUT and DELETE credentials with a random token, then GET versions with the current token",
    passes:
      "HTTP 401 each time, no call to the versions URL of the requests, and the current token still works",
    hint: "Look the token up before anything else: a request with an unknown token changes nothing and calls nobody back.",
    // A second POST that ended the registration has ended the current token, too.
    requires: () => [{ check: "CRED-016" }],
    partial: true,
    needs: () =>
      ["post", "put", "called", "delete", "still"].map((step) => `credentials.random-token#${step}`),
    judge: (evidence) => {
      const at = (step: string) => evidence.answered(`credentials.random-token#${step}`)
      const sent = ["post", "put", "delete"].flatMap(at)
      if (sent.length === 0) return inconclusive("not_tested", "no request with a random token was sent")
      return noneOf(
        [
          ...sent.flatMap(unauthorized),
          ...calledFor(evidence.seen("credentials.random-token#called")),
          ...at("still").flatMap(success)
        ],
        "HTTP 401"
      )
    }
  },
  {
    id: "CRED-040",
    title: "GET credentials: token is the current token, not encoded and not masked",
    module: "credentials",
    versions: versionNumbers,
    roles: either,
    mode: "RO",
    strength: "should",
    reference: "credentials, GET Method",
    sends: "GET credentials with the current token",
    passes: "token is the current token: not encoded, not masked",
    hint: "Give the token that we have to use, as you issued it: neither Base64 encoded nor masked.",
    requires: () => [{ answers: "credentials", what: "GET credentials", check: "CRED-039" }],
    needs: () => ["credentials"],
    judge: (evidence) => {
      const [seen] = evidence.answered("credentials")
      const current = evidence.tokens.find(({ slot }) => slot === "outbound")
      if (seen === undefined || current === undefined)
        return inconclusive("not_tested", "credentials were not read, or the current token is not on record")
      // If the value was the token, the scrubber has replaced it by the name of the token.
      const shownBody = parseJson(seen.response.body ?? "")
      const data = isObject(shownBody) ? shownBody["data"] : undefined
      const token = dataToken(data)
      if (token === null || token === undefined)
        return blocked({
          check: "CRED-039",
          exchangeId: seen.exchange.id,
          what: "the credentials object of GET credentials has no token"
        })
      return token === current.placeholder
        ? noneOf([])
        : noneOf([
            {
              ...at(seen, "/data/token", "token is not the current token as it was issued", {
                expected: current.placeholder,
                actual: undefined
              }),
              actual: "(not shown)"
            }
          ])
    }
  }
]

const dataToken = (data: unknown): unknown => (isObject(data) ? data["token"] : undefined)

function shapeFlaws(seen: Answered, data: unknown, { profile }: Evidence): ReadonlyArray<Finding> {
  const schema = profile.objects.Credentials
  if (schema === undefined)
    return unless(isObject(data), () =>
      at(seen, "/data", "data is not an object", { expected: "an object", actual: data })
    )
  return violations(schema, data).map((flaw) => {
    const pointer = `/data${flaw.pointer ?? ""}`
    const secret = pointer.startsWith("/data/token") && typeof dataToken(data) === "string"
    return {
      // The value may be a token, so it is not shown.
      ...at(seen, pointer, secret ? "token does not have a valid form" : flaw.message, {
        expected: flaw.expected ?? "a Credentials object",
        actual: undefined
      }),
      actual: secret ? "(not shown)" : (flaw.actual ?? "absent")
    }
  })
}

/** The url of the Credentials object that the partner handed over last; undefined: that is not on record. */
function handedOver(evidence: Evidence): string | undefined {
  const [opener] = evidence.seen("registration")
  if (opener === undefined) return undefined
  const json = objectIn(opener.json)
  return textIn((opener.exchange.direction === "inbound" ? json : objectIn(json["data"]))["url"])
}

/**
 * What differs from the registration. Which of its versions endpoints a platform names is its own affair (credentials, Credentials
 * object: url), so that another URL than the one that we were given first may be right.
 */
function changed(seen: Answered, data: JsonObject, evidence: Evidence): ReadonlyArray<Finding> {
  const { party, profile } = evidence
  const { parties, versionsUrl } = party.counterpart
  const registered = handedOver(evidence)
  const url = unless(data["url"] === (registered ?? versionsUrl), () =>
    at(
      seen,
      "/data/url",
      registered === undefined
        ? "url is another versions URL than this connection was made with: right where both lead to the same service"
        : "url is not that of the Credentials object that was handed over in the registration",
      {
        expected: registered ?? versionsUrl,
        actual: data["url"],
        strength: registered === undefined ? "may" : "should"
      }
    )
  )
  if (parties === null || parties.length === 0) return url
  // That one is named twice is the finding of CRED-009.
  const inWords = (some: ReadonlyArray<PartnerParty>) =>
    [...new Set(some.map((one) => nameOf(one, profile.credentialsRoles)))].toSorted()
  const listed = inWords(partiesIn(profile, party, data) ?? [])
  const expected = inWords(parties)
  const same = shown(listed) === shown(expected) && listed.length === expected.length
  return same
    ? url
    : [
        at(
          seen,
          profile.credentialsRoles ? "/data/roles" : "/data/party_id",
          "the parties are not those of the registration",
          {
            expected: expected.join(", "),
            actual: listed.join(", ")
          }
        ),
        ...url
      ]
}

function nameOf(one: Pick<PartnerParty, "role" | "countryCode" | "partyId">, withRole: boolean): string {
  const party = `${one.countryCode}-${one.partyId}`.toUpperCase()
  return withRole ? `${one.role} ${party}` : party
}
