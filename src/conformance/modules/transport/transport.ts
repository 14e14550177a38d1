/** Checks of authorization at the lists, and of headers and bodies of the responses. */

import type { Ambiguity, BlockedBy } from "../../../../schema/Assertion.ts"
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, named, statusLine, succeeded } from "../../../findings/answers.ts"
import { accepted, milder, unauthorized } from "../../../findings/expectations.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, either, inconclusive, noneOf, pass, type SuiteScope } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { expects, expectsUnless, type ProbeRule } from "../../model/expects.ts"
import { notAnArray } from "../../model/unreadList.ts"
import { bearer, isNearToken } from "../shared/listProbes.ts"
import { forbiddenToAll, openToAnyone, perList, refusedFilter } from "../shared/lists.ts"
import { allAnswers, everyAnswer, notRepeated, ofAnswers, slashRedirects } from "./everyAnswer.ts"

const chapter = "transport_and_format"
const authorization = `${chapter}, Authorization header`
const base = { module: "transport", versions: versionNumbers, roles: either, mode: "RO" } as const

const form = (probe: "versions.raw" | "versions.base64", evidence: Evidence) => evidence.answered(probe)[0]

/**
 * The list is refused whatever the query is, or the request is, for a reason that has nothing to do with an empty list: HTTP 4xx
 * other than 404.
 */
function refusedAltogether(seen: Answered, evidence: Evidence): BlockedBy | undefined {
  const unread = notAnArray(seen.exchange.module, evidence.answered(`${seen.exchange.module}.list`)[0])
  if (unread !== undefined) return unread
  const list = evidence.answered(`${seen.exchange.module}.list`).find((one) => !succeeded(one))
  const { httpStatus } = seen.response
  const cause = list ?? (httpStatus >= 400 && httpStatus < 500 && httpStatus !== 404 ? seen : undefined)
  return (
    cause && {
      ...(list === undefined &&
      refusedFilter(evidence, seen.exchange.module)?.exchange.id === cause.exchange.id
        ? { check: "PAGE-023" }
        : {}),
      exchangeId: cause.exchange.id,
      what: `${named(cause)} was answered ${statusLine(cause)}`
    }
  )
}

/** As `refusedAltogether`; and a list that is not empty shows nothing of empty ones: PAGE-023 reports what the filter let through. */
function unlessEmpty(seen: Answered, evidence: Evidence): BlockedBy | undefined {
  const data = dataOf(seen)
  return succeeded(seen) && Array.isArray(data) && data.length > 0
    ? {
        check: "PAGE-023",
        exchangeId: seen.exchange.id,
        what: `${named(seen)} with date_from in the future brings ${data.length} ${data.length === 1 ? "object" : "objects"}`
      }
    : refusedAltogether(seen, evidence)
}

const openLists = openToAnyone((module) => `${module}.no-token`, "TRANS-001")

/** Of a list that everybody is refused, or that is open to anyone, no token shows more. */
const toAnyToken = (seen: Answered, evidence: Evidence): BlockedBy | undefined =>
  forbiddenToAll(seen, evidence) ?? openLists(seen, evidence)

const nearTokens = (scope: SuiteScope) => perList("near-tokens")(scope).slice(0, 1)

/** The answer is HTTP 401. Where any token opens the list, one that is nearly the current token shows nothing else. */
const unknownToken: ProbeRule = (seen, evidence) => {
  const { module } = seen.exchange
  if (!isNearToken(seen)) return unauthorized(seen)
  return evidence.answered(`${module}.random-token`).some(succeeded)
    ? []
    : unauthorized(seen).map((found) =>
        succeeded(seen)
          ? {
              ...found,
              message: `${named(seen)} was answered ${statusLine(seen)}`,
              hint: "Compare the whole token, character by character: a part of it, or other letters, are another token."
            }
          : found
      )
}

/** The text says what the header of a client looks like; of a server, that it refuses a token that it does not know. */
const ofSchemes = {
  readings: [
    "a header without the literal Token has no credentials token, and is answered HTTP 401",
    "the token in it is known, whatever stands before it"
  ],
  section: authorization
} as const satisfies Ambiguity

/** The answer is HTTP 401. Where a list is open to anyone, the current token after another scheme shows nothing else. */
const malformed: ProbeRule = (seen, evidence) => {
  if (seen.about !== bearer || !succeeded(seen)) return unauthorized(seen)
  const isOpen = evidence
    .answered(`${seen.exchange.module}.wrong-headers`)
    .some((one) => one.about !== bearer && succeeded(one))
  return unless(isOpen, () => ({
    ...finding(seen, `${named(seen)} was answered ${statusLine(seen)}`, {
      expected: "HTTP 401",
      actual: statusLine(seen),
      strength: "should",
      hint: "Take a token after the literal Token alone."
    }),
    ambiguous: ofSchemes
  }))
}

/** Judge authorization at the lists, empty lists, and message ids of responses (transport_and_format). */
export const transportChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TRANS-001",
    title: "Lists: HTTP 401 without a token",
    strength: "must",
    reference: authorization,
    sends: "GET each list without Authorization header",
    passes: "HTTP 401",
    hint: "Check the Authorization header in front of every list, and answer HTTP 401 without one.",
    partial: true,
    ...expectsUnless(perList("no-token"), forbiddenToAll, unauthorized)
  },
  {
    ...base,
    id: "TRANS-002",
    title: "Lists: HTTP 401 for an unknown token",
    strength: "must",
    reference: authorization,
    sends:
      "GET each list with a random token of valid form, and the first list with the current token and a character more, without its last character, and in letters of the other case",
    passes: "HTTP 401",
    hint: "Look the token up in front of every list, and answer HTTP 401 when it is unknown.",
    partial: true,
    ifGathered: perList("no-token"),
    ...expectsUnless(
      (scope) => [...perList("random-token")(scope), ...nearTokens(scope)],
      toAnyToken,
      unknownToken
    )
  },
  {
    ...base,
    id: "TRANS-003",
    title: "Lists: HTTP 401 for a malformed Authorization header",
    strength: "must",
    reference: authorization,
    sends:
      "GET the first list with another scheme, the scheme alone, an empty value, and two spaces with garbage; and with the current token after another scheme",
    passes: "HTTP 401 each time, never 5xx",
    hint: "Read the header as Token, one space and the token; answer HTTP 401, never 5xx, to anything else.",
    ifGathered: perList("no-token"),
    ...expectsUnless((scope) => perList("wrong-headers")(scope).slice(0, 1), toAnyToken, malformed)
  },
  {
    ...base,
    id: "TRANS-004",
    consequenceOf: ["CRED-012"],
    versions: versionsWhere((profile) => profile.authorization === "base64"),
    title: "Authorization header: the Base64 encoded token is accepted",
    strength: "must",
    reference: authorization,
    sends: "GET the versions URL with the token Base64 encoded",
    passes:
      "the token is accepted; where the version's text is open to doubt, a warning when only the raw form is",
    hint: "Decode the header value from Base64 (standard alphabet, padded) before looking the token up.",
    needs: () => ["versions.base64", "versions.raw"],
    judge: (evidence) => {
      const raw = form("versions.raw", evidence)
      const isOnlyRaw = raw !== undefined && succeeded(raw)
      const isDoubtful = isOnlyRaw && evidence.profile.authorizationDisputed
      return noneOf(
        evidence
          .answered("versions.base64")
          .flatMap(milder(() => isDoubtful, accepted))
          .map((found) => ({
            ...found,
            message: `${found.message} to the Base64 form${isOnlyRaw ? "; only the raw token works" : ""}`
          }))
      )
    }
  },
  {
    ...base,
    id: "TRANS-005",
    consequenceOf: ["CRED-012"],
    versions: versionsWhere((profile) => profile.authorization === "raw"),
    title: "Authorization header: the token without encoding is accepted",
    strength: "must",
    reference: authorization,
    sends: "GET the versions URL with the token as it is",
    passes: "the token is accepted; a warning when only the Base64 form is",
    hint: "Compare the token as it stands in the header: in this version it is not Base64 encoded.",
    needs: () => ["versions.raw", "versions.base64"],
    judge: (evidence) => {
      const encoded = form("versions.base64", evidence)
      const onlyEncoded = encoded !== undefined && succeeded(encoded)
      return noneOf(evidence.answered("versions.raw").flatMap(milder(() => onlyEncoded, accepted)))
    }
  },
  {
    ...base,
    id: "TRANS-006",
    versions: versionsWhere((profile) => profile.authorization === "base64"),
    title: "Authorization header: whether the token without encoding is accepted",
    strength: "may",
    reference: authorization,
    sends: "GET the versions URL with the token as it is",
    passes: "recorded: accepted or refused",
    needs: () => ["versions.raw"],
    judge: (evidence) => {
      const raw = form("versions.raw", evidence)
      if (raw === undefined) return inconclusive("not_tested", "the raw form was not sent")
      return pass(
        succeeded(raw) ? "the raw token is accepted" : `the raw token is refused: ${statusLine(raw)}`
      )
    }
  },
  {
    ...base,
    id: "TRANS-009",
    consequenceOf: ["CRED-050", "CRED-012"],
    title: "Authorization header: its name is read without regard to case",
    strength: "must",
    reference: authorization,
    sends: "GET the versions URL with the header name in lower and in upper case",
    passes: "the token is accepted both times",
    hint: "Read header names without regard to case: HTTP/2 and many proxies send them in lower case.",
    ...expects(["versions.header-case"], accepted)
  },
  {
    ...base,
    id: "TRANS-015",
    title: "Lists: an empty list is an empty array",
    strength: "must",
    reference: `${chapter}, Response format`,
    sends: "GET each list with date_from one year ahead",
    passes: "HTTP 200, data is []",
    hint: "Answer [] in data when no object fits the request: not null, not an object, and no error.",
    partial: true,
    ...expectsUnless(perList("future"), unlessEmpty, (seen) => {
      const data = dataOf(seen)
      return unless(seen.response.httpStatus === 200 && Array.isArray(data), () =>
        finding(seen, `${named(seen)} with date_from in the future does not answer an empty array`, {
          expected: "HTTP 200, []",
          actual: `HTTP ${seen.response.httpStatus}, ${shown(data)}`,
          pointer: "/data"
        })
      )
    })
  },
  ...(["X-Request-ID", "X-Correlation-ID"] as const).map(
    (name, index): Check => ({
      ...everyAnswer,
      id: `TRANS-02${5 + index}`,
      versions: versionsWhere((profile) => profile.messageIds),
      title: `Responses: ${name} is that of the request`,
      reference: `${chapter}, Unique message IDs`,
      passes: "every response of success carries the same value",
      hint: `Copy ${name} of the request into the response.`,
      ...ofAnswers(succeeded, (seen) => notRepeated(seen, name), noneOf([]))
    })
  ),
  {
    ...everyAnswer,
    id: "TRANS-059",
    title: "Requests are answered at the URL to which they were sent",
    strength: "should",
    reference: `${chapter}, Client Owned Object Push; version_information_endpoint, Endpoint class`,
    passes: "no redirect to the same URL with or without a slash at its end",
    hint: "Serve the URL as the version details and the module have it, with and without a slash at its end: many clients do not follow a redirect of a PUT or POST.",
    judge: (evidence) => {
      const [first, ...others] = slashRedirects(evidence)
      const seen = allAnswers(evidence).length
      if (first === undefined)
        return seen === 0
          ? inconclusive("not_tested", "the partner has answered nothing")
          : noneOf([], `${seen} answers looked at`)
      return noneOf([
        finding(
          first,
          `${named(first)} is redirected to the same URL ${first.response.headers["location"]?.split("?")[0]?.endsWith("/") === true ? "with" : "without"} a slash at its end${others.length === 0 ? "" : `; so are ${others.length} other requests`}. We have followed it, and judged the answer there. OCPI does not speak of redirects`,
          { expected: "an answer of OCPI at this URL", actual: statusLine(first) }
        )
      ])
    }
  }
]
