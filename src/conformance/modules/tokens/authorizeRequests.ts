/** Real-time authorization: forms of the request, requests that must be refused, and response times. */

import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import {
  dataOf,
  isServerError,
  isServerFault,
  named,
  statusCode,
  statusLine,
  succeeded,
  tookMillis
} from "../../../findings/answers.ts"
import { ofWrong, refused } from "../../../findings/expectations.ts"
import { at, given, unexpected, unless, when } from "../../../findings/finding.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import { blocked, type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import {
  allowedOf,
  answersBase,
  answersUnknown,
  informationBase,
  needs,
  noVerdict,
  onAnswers,
  refusedUnlikeListed,
  served,
  withAuthorizationDetails,
  withoutInformation
} from "./verdicts.ts"

/** Most time for an answer, and the share of calls that must keep it. */
const slowMillis = 3000

const percentile = 0.95

/** A finding where the answer has another verdict, or another HTTP status, than the one to another request. */
const sameVerdict = (seen: Answered, other: Answered, of: string) =>
  unless(
    allowedOf(seen) === allowedOf(other) && seen.response.httpStatus === other.response.httpStatus,
    () => ({
      ...unexpected(seen, `the verdict of ${of}: ${allowedOf(other) ?? statusLine(other)}`),
      actual: allowedOf(seen) ?? statusLine(seen)
    })
  )

/** The form of the answer is a finding of TOK-012. */
const ofPlace = onAnswers("authorize", (seen) =>
  when(
    isServerError(seen) || statusCode(seen) === ocpiStatus.unknownLocation || statusCode(seen) >= 3000,
    () => unexpected(seen, "an AuthorizationInfo")
  )
)

/** Judge which requests authorize answers, and how fast (mod_tokens, Sender Interface, POST Method). */
export const authorizeRequestsChecks: ReadonlyArray<Check> = [
  {
    ...informationBase,
    id: "TOK-019",
    title: "authorize: a request without a body is answered",
    sends: "POST authorize without a body",
    passes: "an AuthorizationInfo, or status_code 2002",
    hint: "Answer status_code 2002 when the location is needed, and an AuthorizationInfo otherwise.",
    needs: needs("authorize-bare"),
    judge: onAnswers("authorize-bare", (seen, evidence) =>
      unless(
        statusCode(seen) === ocpiStatus.notEnoughInformation || noVerdict(seen, evidence).length === 0,
        () =>
          unexpected(
            seen,
            "an AuthorizationInfo, or status_code 2002",
            evidence.profile.authorizationDetails ? {} : { strength: "should" }
          )
      )
    )
  },
  {
    ...answersBase,
    id: "TOK-020",
    title: "authorize: a token is judged at an unknown location too",
    strength: "should",
    passes: "an AuthorizationInfo, whatever its verdict; no HTTP 5xx, and neither status_code 2003 nor 3xxx",
    hint: "Judge the token also at a location that you do not know: a new location may reach drivers before it reaches your list.",
    needs: needs("authorize"),
    ifGathered: () => ["tokens.authorize-bare"],
    // Where it is refused at an unknown location alone, that is the finding of this check.
    requires: () => [{ check: served }],
    judge: (evidence) => {
      const [seen] = evidence.answered("tokens.authorize")
      const [bare] = evidence.answered("tokens.authorize-bare")
      if (seen !== undefined && bare !== undefined && [seen, bare].every(isServerFault))
        return blocked({
          check: "TOK-012",
          exchangeId: seen.exchange.id,
          what: `authorize has to answer without a location first, and ${named(bare)} was answered ${statusLine(bare)}`
        })
      const judgement = ofPlace(evidence)
      // What is refused for another reason than the place is a finding of TOK-012.
      return judgement.is === "pass" && seen !== undefined && !succeeded(seen)
        ? withoutInformation([seen])
        : judgement
    }
  },
  {
    ...answersBase,
    id: "TOK-021",
    title: "authorize: type defaults to RFID",
    sends: "POST authorize of an RFID token without a type, and with type=RFID",
    passes: "the same allowed in both answers",
    hint: "Use type RFID when the query has no type.",
    needs: needs("authorize-typed"),
    judge: (evidence) => {
      const [plain, typed] = ["without type", "type=RFID"].map((about) =>
        evidence.answered("tokens.authorize-typed").find((seen) => seen.about === about)
      )
      if (plain === undefined || typed === undefined)
        return inconclusive("not_tested", "one of the two was not answered")
      if (allowedOf(plain) === undefined && allowedOf(typed) === undefined)
        return withoutInformation([plain, typed])
      return noneOf(sameVerdict(plain, typed, "type=RFID"))
    }
  },
  {
    ...answersBase,
    id: "TOK-032",
    versions: versionsWhere(({ endpointRoles }) => endpointRoles),
    title: "authorize: the uid is found without regard to case",
    reference: "types, CiString type; mod_tokens, Token object (uid)",
    sends:
      "POST authorize of a listed token, with its uid as it is listed and with its letters in the other case",
    passes: "the same allowed in both answers",
    hint: "Compare uids without regard to case: readers of cards write them in upper or in lower case.",
    needs: needs("authorize-flipped"),
    judge: (evidence) => {
      const [listed, flipped] = evidence.answered("tokens.authorize-flipped")
      if (listed === undefined || flipped === undefined)
        return inconclusive("not_tested", "one of the two was not answered")
      if (allowedOf(listed) === undefined)
        return inconclusive("unobservable", `${named(listed)} brings no verdict`)
      return noneOf(sameVerdict(flipped, listed, "the uid as listed"))
    }
  },
  {
    ...answersBase,
    id: "TOK-022",
    consequenceOf: ["TOK-017"],
    title: "authorize: uid and type together identify the token",
    strength: "should",
    sends: "POST authorize of an RFID uid with type=OTHER and with type=BANANA",
    passes:
      "for type=OTHER an unknown token (before 2.2 also a verdict other than ALLOWED); for type=BANANA the same, or status_code 2001",
    hint: "Look the token up by uid and type together.",
    needs: needs("authorize-other"),
    ifGathered: () => ["tokens.authorize-unknown"],
    requires: () => [...refusedUnlikeListed("authorize-other"), { check: "TOK-012" }],
    judge: (evidence) => {
      const [unknown] = evidence.answered("tokens.authorize-unknown")
      const isAsUnknown = (seen: Answered): boolean =>
        unknown !== undefined &&
        answersUnknown(unknown, evidence).length > 0 &&
        allowedOf(seen) === allowedOf(unknown) &&
        statusLine(seen) === statusLine(unknown)
      const [first] = evidence.answered("tokens.authorize-other").filter(isAsUnknown)
      const judgement = onAnswers("authorize-other", (seen: Answered, of: Evidence) =>
        isAsUnknown(seen) ? [] : answersUnknown(seen, of)
      )(evidence)
      // What is answered to every unknown token is a finding of the check about these.
      return judgement.is === "pass" && first !== undefined
        ? blocked({
            check: "TOK-016",
            exchangeId: first.exchange.id,
            what: `an unknown token has to be answered with status_code 2004, and ${named(first)} was answered ${statusLine(first)}`
          })
        : judgement
    }
  },
  {
    ...answersBase,
    id: "TOK-023",
    consequenceOf: ["TRANS-017"],
    title: "authorize: a body that is not valid is refused",
    reference: "status_codes; mod_tokens, LocationReferences class",
    sends: "POST authorize with truncated JSON, and without location_id",
    passes: "a refusal of each; status_code 2001 where location_id is missing",
    hint: "Refuse a body that cannot be parsed, and answer status_code 2001 when a field is missing.",
    needs: needs("authorize-broken"),
    requires: () => refusedUnlikeListed("authorize-broken"),
    judge: onAnswers(
      "authorize-broken",
      ofWrong((seen: Answered) => {
        // By which status it is refused, TRANS-020 judges of all requests alike.
        if (seen.about === "truncated") return when(succeeded(seen), () => unexpected(seen, "a refusal"))
        const code = statusCode(seen)
        if (code === ocpiStatus.invalidParameters) return []
        const close = seen.response.httpStatus === 400 || (code >= 2000 && code < 3000)
        return [
          unexpected(seen, `status_code ${ocpiStatus.invalidParameters}`, close ? { strength: "should" } : {})
        ]
      })
    )
  },
  {
    ...answersBase,
    id: "TOK-024",
    title: "Tokens: POST without /authorize is refused",
    strength: "should",
    sends: "POST to a token, without /authorize",
    passes: "no success",
    hint: "Refuse POST without /authorize: the Sender Interface has no such request.",
    needs: needs("no-authorize"),
    requires: () => refusedUnlikeListed("no-authorize"),
    judge: onAnswers("no-authorize", refused("HTTP 404 or 405"))
  },
  {
    ...answersBase,
    id: "TOK-025",
    versions: withAuthorizationDetails,
    title: "authorize: authorization_reference is unique and has at most 36 characters",
    strength: "should",
    sends: "POST authorize of the same token twice",
    passes:
      "authorization_reference, if given, has at most 36 characters and differs between the two answers",
    hint: "Make a new authorization_reference for each call: CDRs are matched by it.",
    needs: needs("authorize", "authorize-again"),
    judge: (evidence) => {
      const references = [
        ...evidence.answered("tokens.authorize"),
        ...evidence.answered("tokens.authorize-again")
      ].flatMap((seen) => {
        const text = textIn(objectIn(dataOf(seen))["authorization_reference"])
        return text === undefined ? [] : [{ seen, text }]
      })
      if (references.length === 0)
        return inconclusive("unobservable", "no answer has an authorization_reference")
      const [first, second] = references
      const reference = (seen: Answered, message: string, expected: string, actual: string) =>
        at(seen, "/data/authorization_reference", message, { expected, actual })
      return noneOf([
        ...references
          .filter(({ text }) => text.length > 36)
          .map(({ seen, text }) =>
            reference(seen, "authorization_reference is too long", "at most 36 characters", text)
          ),
        ...given(first?.text === second?.text ? second : undefined, ({ seen, text }) =>
          reference(
            seen,
            "two calls of authorize got the same authorization_reference",
            "another reference",
            text
          )
        )
      ])
    }
  },
  {
    ...answersBase,
    id: "TOK-026",
    title: `authorize: 95 % of the answers within ${slowMillis / 1000} s`,
    strength: "should",
    sends: "POST authorize ten times",
    passes: `95 % of the answers within ${slowMillis / 1000} s`,
    hint: "Look the token up in memory or by an index; do nothing else before the answer.",
    needs: needs("authorize-many"),
    judge: (evidence) => {
      const answers = evidence.answered("tokens.authorize-many")
      // How fast a request is refused says nothing of how fast a token is found.
      if (!answers.some(succeeded)) return withoutInformation(answers)
      const durations = answers.map(tookMillis).toSorted((a, b) => a - b)
      const slow = durations[Math.ceil(durations.length * percentile) - 1] ?? 0
      return noneOf(
        slow < slowMillis
          ? []
          : [
              {
                message: `authorize takes up to ${Math.round(slow)} ms`,
                expected: `below ${slowMillis} ms`,
                actual: `${Math.round(slow)} ms`
              }
            ],
        `${Math.round(slow)} ms at most`
      )
    }
  }
]
