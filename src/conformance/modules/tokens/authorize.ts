/** Real-time authorization: what an EMSP answers about tokens. */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import {
  codeOf,
  dataOf,
  named,
  offersMethod,
  statusCode,
  statusLine,
  succeeded
} from "../../../findings/answers.ts"
import { type AnswerRule, answer, http, ofWrong } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, unexpected, unless, when } from "../../../findings/finding.ts"
import { isObject, keyText, objectIn } from "../../../findings/json.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import { blocked, type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { tokens } from "../shared/objects/ListedKind.ts"
import { onEach } from "../shared/objects/objectRules.ts"
import { answeredToken } from "./answeredToken.ts"
import { unpublishedPlace } from "./authorizeProbes.ts"
import {
  allowedOf,
  answersBase,
  authorizeBase,
  informationBase,
  malformed,
  needs,
  notAllowed,
  noVerdict,
  onAnswers,
  refusedUnlikeListed,
  withAuthorizationDetails,
  withoutInformation
} from "./verdicts.ts"

/** The chapter about status codes wants no HTTP error where a request has reached the OCPI layer. */
const whichStatus: Ambiguity = {
  readings: [
    "HTTP 404, which the module asks for where the token is not known",
    "HTTP 200 with status_code 2004, because the request has reached the OCPI layer"
  ],
  section: "mod_tokens, Sender Interface, POST Method; status_codes"
}

const notFound: AnswerRule = (seen) =>
  http(404)(seen).map((flaw) =>
    statusCode(seen) === ocpiStatus.unknownToken && seen.response.httpStatus === 200
      ? { ...flaw, ambiguous: whichStatus }
      : flaw
  )

/**
 * Judge the answers to authorize: allowed, token, location, and unknown tokens (mod_tokens, Sender Interface, POST
 * Method; AuthorizationInfo object).
 */
export const authorizeChecks: ReadonlyArray<Check> = [
  {
    ...authorizeBase,
    id: "TOK-010",
    title: "authorize: available where a token has a whitelist other than ALWAYS",
    passes: "authorize answers where a token has a whitelist other than ALWAYS",
    hint: "Implement authorize, or give all tokens the whitelist ALWAYS.",
    needs: needs("authorize-bare"),
    judge: (evidence) => {
      const wanted = onEach(tokens, "has another whitelist than ALWAYS", ({ json }) =>
        json["whitelist"] === "ALWAYS" ? undefined : []
      )(evidence)
      return wanted.is === "inconclusive"
        ? wanted
        : onAnswers(
            "authorize-bare",
            answer(
              "an answer of authorize, not HTTP 404, 405 or 501",
              // The JSON of a router has no status_code.
              (seen) => offersMethod(seen) && (seen.response.httpStatus !== 404 || codeOf(seen) !== undefined)
            )
          )(evidence)
    }
  },
  {
    ...answersBase,
    id: "TOK-012",
    consequenceOf: ["TOK-004"],
    title: "authorize: an AuthorizationInfo whose allowed is an AllowedType",
    passes: "HTTP 200, status_code 1000, an AuthorizationInfo whose allowed is a value of AllowedType",
    hint: "Answer status_code 1000 with the AuthorizationInfo in data, also when allowed is BLOCKED or EXPIRED.",
    needs: needs("authorize"),
    judge: (evidence) => {
      const [seen] = evidence.answered("tokens.authorize")
      return seen !== undefined && statusCode(seen) === ocpiStatus.unknownLocation
        ? inconclusive(
            "unobservable",
            "the partner judges published locations only, and we have published none"
          )
        : onAnswers("authorize", noVerdict)(evidence)
    }
  },
  answeredToken,
  {
    ...answersBase,
    id: "TOK-014",
    title: "authorize: location in the answer is that of the request",
    sends: "POST authorize with and without LocationReferences",
    passes: "location only if one was sent: LocationReferences with the same location_id and no other EVSEs",
    hint: "Repeat the location that was sent, with those of its EVSEs that the driver may use.",
    needs: needs("authorize", "authorize-bare"),
    judge: (evidence) => {
      const placed = evidence.answered("tokens.authorize")
      const bare = evidence.answered("tokens.authorize-bare")
      return [...placed, ...bare].some(succeeded)
        ? noneOf([
            ...placed.filter(succeeded).flatMap((seen) => otherPlace(seen, evidence)),
            ...bare.filter(succeeded).flatMap((seen) => {
              const { location } = objectIn(dataOf(seen))
              return unless(isEmpty(location), () =>
                at(seen, "/data/location", "the answer has a location although the request had none", {
                  expected: "no location",
                  actual: location
                })
              )
            })
          ])
        : withoutInformation(placed)
    }
  },
  {
    ...answersBase,
    id: "TOK-015",
    requires: () => refusedUnlikeListed("authorize-unknown"),
    versions: withAuthorizationDetails,
    title: "authorize: HTTP 404 for an unknown token",
    sends: "POST authorize of an unknown token",
    passes: "HTTP 404",
    hint: "Answer HTTP 404 with status_code 2004 in the envelope.",
    lenient: () => true,
    needs: () => ["tokens.authorize-unknown"],
    judge: (evidence) => {
      const [seen] = evidence.answered("tokens.authorize-unknown")
      // A router answers the same where there is no authorize at all: the status_code tells the two apart.
      return seen?.response.httpStatus === 404 && codeOf(seen) === undefined
        ? blocked({
            check: "TOK-016",
            exchangeId: seen.exchange.id,
            what: `authorize has to be reached, and ${named(seen)} was answered ${statusLine(seen)} without a status_code, as any unknown path is`
          })
        : onAnswers("authorize-unknown", ofWrong(notFound))(evidence)
    }
  },
  {
    ...answersBase,
    id: "TOK-016",
    consequenceOf: ["TRANS-017"],
    requires: () => refusedUnlikeListed("authorize-unknown"),
    versions: withAuthorizationDetails,
    title: "authorize: status_code 2004 without data for an unknown token",
    sends: "POST authorize of an unknown token",
    passes: "status_code 2004, no data",
    hint: "Answer status_code 2004: it tells an unknown token from an unknown path.",
    lenient: () => true,
    needs: () => ["tokens.authorize-unknown"],
    judge: onAnswers(
      "authorize-unknown",
      ofWrong((seen: Answered, { profile }: Evidence) => {
        const expected = `status_code ${profile.unknownTokenStatus}, no data`
        const code = statusCode(seen)
        const data = dataOf(seen)
        if (code === profile.unknownTokenStatus && (data === undefined || data === null)) return []
        const close = code >= 2000 && code < 3000 && !isObject(data)
        return [unexpected(seen, expected, close ? { strength: "should" } : {})]
      })
    )
  },
  {
    ...answersBase,
    id: "TOK-017",
    requires: () => refusedUnlikeListed("authorize-unknown"),
    versions: versionsWhere(({ authorizationDetails }) => !authorizationDetails),
    title: "authorize: an unknown token is not ALLOWED",
    sends: "POST authorize of an unknown token",
    passes: "HTTP 404, a status_code 2xxx, or allowed other than ALLOWED",
    hint: "Answer HTTP 404, a status_code 2xxx or NOT_ALLOWED for a token that you do not know.",
    needs: () => ["tokens.authorize-unknown"],
    judge: onAnswers("authorize-unknown", notAllowed)
  },
  {
    ...informationBase,
    id: "TOK-018",
    title: "authorize: a token with valid = false is not ALLOWED",
    sends: "POST authorize of a listed token with valid false",
    passes: "HTTP 200, status_code 1000, an AuthorizationInfo; not ALLOWED",
    hint: "Answer BLOCKED or EXPIRED: the whitelist decides whether the CPO asks, not valid.",
    needs: needs("authorize-invalid"),
    judge: onAnswers("authorize-invalid", (seen, evidence) => [
      ...noVerdict(seen, evidence),
      ...when(allowedOf(seen) === "ALLOWED", () =>
        at(seen, "/data/allowed", "a token that is listed with valid = false is ALLOWED", {
          expected: "BLOCKED, EXPIRED or another refusal",
          actual: "ALLOWED",
          strength: "should" as const
        })
      )
    ])
  }
]

function otherPlace(seen: Answered, evidence: Evidence): ReadonlyArray<Finding> {
  const flaws = malformed(seen, evidence, (field) => field === "location")
  const { location } = objectIn(dataOf(seen))
  if (flaws.length > 0 || !isObject(location)) return flaws
  const uids = Array.isArray(location["evse_uids"]) ? location["evse_uids"] : []
  const strange = uids.find((uid) => !unpublishedPlace.evse_uids.includes(keyText(uid)))
  const finding = (field: string, message: string, expected: string) =>
    at(seen, `/data/location/${field}`, message, { expected, actual: location[field] })
  return [
    ...unless(location["location_id"] === unpublishedPlace.location_id, () =>
      finding("location_id", "location_id is not that of the request", unpublishedPlace.location_id)
    ),
    ...unless(strange === undefined, () =>
      finding(
        "evse_uids",
        "evse_uids has EVSEs that were not in the request",
        unpublishedPlace.evse_uids.join(", ")
      )
    ),
    ...when(evidence.profile.authorizationDetails && !isEmpty(location["connector_ids"]), () =>
      finding("connector_ids", "this version authorizes EVSEs, not connectors", "no connector_ids")
    )
  ]
}
