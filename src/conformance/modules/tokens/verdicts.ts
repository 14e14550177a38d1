/** What an EMSP answered about tokens, and what is wrong with it. */

import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import {
  type AnsweredExchange,
  dataOf,
  named,
  statusCode,
  statusLine,
  succeeded
} from "../../../findings/answers.ts"
import {
  type AnswerRule,
  allOf,
  answer,
  anyOf,
  clientError,
  http,
  mismatches,
  ofWrong,
  refused,
  success
} from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unexpected, unless } from "../../../findings/finding.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import { blocked, type Check, inconclusive, type Judgement, type Precondition } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { expects, type ProbeRule } from "../../model/expects.ts"
import { tokens } from "../shared/objects/ListedKind.ts"
import { baseOf } from "../shared/objects/objectRules.ts"

/** Where the specification speaks of it. */
const reference = "mod_tokens, Sender Interface, POST Method; AuthorizationInfo object"

/** Versions whose answers have the token, and rules of their own about unknown ones. */
export const withAuthorizationDetails = versionsWhere(({ authorizationDetails }) => authorizationDetails)

/** What the checks have in common. */
export const authorizeBase = {
  ...baseOf(tokens),
  reference,
  sends: "POST authorize of a listed token, with LocationReferences"
} as const

/** The check that reports that there is no authorize at all. */
export const served = "TOK-010"

/** The check that reports an answer of another form: what is to be read in an AuthorizationInfo cannot be read there. */
const formed = "TOK-012"

/** The probe that asks about a listed token. */
const listed = "tokens.authorize"

/** Codes by which a listed token is not judged for want of a place, or is not known. */
const notJudged: ReadonlyArray<number> = [
  ocpiStatus.notEnoughInformation,
  ocpiStatus.unknownLocation,
  ocpiStatus.unknownToken
]

/** authorize is refused whatever the token is: neither judged, nor for want of a place, nor because the token is not known. */
const takenAtAll = (seen: AnsweredExchange): ReadonlyArray<Finding> =>
  unless(succeeded(seen) || seen.response.httpStatus === 404 || notJudged.includes(statusCode(seen)), () =>
    unexpected(seen, "an answer about the token")
  )

/** What the checks of the answers of authorize have in common: nothing can be said of them where it is not there. */
export const answersBase = {
  ...authorizeBase,
  requires: () => [
    { check: served },
    // Where a listed token is refused as well, what is said of another one, or to a body that is not valid, proves nothing.
    {
      answers: listed,
      what: "authorize of a listed token",
      rule: takenAtAll,
      check: formed,
      ifGathered: true,
      ofRefusals: true
    }
  ]
} as const

/**
 * As `answersBase`, for a check that a refusal passes: where a listed token gets the same one, it is no answer to what is wrong with
 * this request.
 */
export const refusedUnlikeListed = (probe: string): ReadonlyArray<Precondition> => [
  ...answersBase.requires(),
  {
    answers: listed,
    what: "authorize of a listed token",
    check: formed,
    ifGathered: true,
    ofRefusals: true,
    unless: (evidence) => {
      const lines = evidence.answered(listed).map(statusLine)
      return !evidence.answered(`tokens.${probe}`).some((seen) => lines.includes(statusLine(seen)))
    }
  }
]

/** The same of the checks of what an AuthorizationInfo says. */
export const informationBase = {
  ...authorizeBase,
  requires: () => [{ check: served }, { check: formed }]
} as const

/** No judgement of what an AuthorizationInfo says, since none of these answers has one. */
export const withoutInformation = ([first]: ReadonlyArray<Answered>): Judgement =>
  first === undefined
    ? inconclusive("not_tested", "the token was not judged")
    : blocked({
        check: formed,
        exchangeId: first.exchange.id,
        what: `${named(first)} was answered ${statusLine(first)}, without an AuthorizationInfo`
      })

/** The probes that read the tokens to ask about. */
const list = ["tokens.list", "tokens.crawl"]

/** The list, and more probes about tokens. */
export const needs =
  (...probes: ReadonlyArray<string>) =>
  () => [...list, ...probes.map((probe) => `tokens.${probe}`)]

/** The verdict of an answer. */
export const allowedOf = (seen: Answered) => textIn(objectIn(dataOf(seen))["allowed"])

/** Judges the answers of one probe. */
export const onAnswers = (probe: string, rule: ProbeRule): Check["judge"] =>
  expects([`tokens.${probe}`], rule).judge

/** Fields of an AuthorizationInfo whose form checks of their own report. */
const ownChecks = ["token", "location"]

/** No successful AuthorizationInfo with a known verdict. Its token and location have checks of their own. */
export const noVerdict = (seen: Answered, evidence: Evidence): ReadonlyArray<Finding> => {
  const status = success(seen)
  if (status.length > 0) return status
  // TOK-025 reads the text of a reference; a reference that is no text is reported here.
  const isRead = textIn(objectIn(dataOf(seen))["authorization_reference"]) !== undefined
  const others = isRead ? [...ownChecks, "authorization_reference"] : ownChecks
  return malformed(seen, evidence, (field) => !others.includes(field))
}

/** What breaks the schema of AuthorizationInfo, in those of its fields that are `asked` about. */
export const malformed = (
  seen: Answered,
  { profile }: Evidence,
  asked: (field: string) => boolean
): ReadonlyArray<Finding> =>
  mismatches(seen, profile.objects.AuthorizationInfo, dataOf(seen), ["data"]).filter(({ pointer }) =>
    asked(pointer?.split("/")[2] ?? "")
  )

/** HTTP 404, or a client error of OCPI. */
const unknownToken: AnswerRule = ofWrong(
  allOf(anyOf(http(404), clientError), refused("HTTP 404, or status_code 2xxx"))
)

/** The same, or a verdict other than ALLOWED. */
export const notAllowed: AnswerRule = ofWrong(
  anyOf(
    unknownToken,
    answer(
      "another verdict than ALLOWED",
      (seen) => succeeded(seen) && ![undefined, "ALLOWED"].includes(allowedOf(seen))
    )
  )
)

/** What an EMSP answers about a token that it does not know: before 2.2 a verdict, too. */
export const answersUnknown: ProbeRule = (seen, { profile }) =>
  (profile.authorizationDetails ? unknownToken : notAllowed)(seen)
