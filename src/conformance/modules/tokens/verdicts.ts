/** What an EMSP answered about tokens, and what is wrong with it. */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, envelope } from "../../../findings/answers.ts"
import { success } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unexpected } from "../../../findings/finding.ts"
import { objectIn, textIn } from "../../../findings/json.ts"
import { violations } from "../../../findings/violations.ts"
import { noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { baseOf, tokens } from "../shared/readObjects.ts"

/** Where the specification speaks of it. */
export const reference = "mod_tokens, Sender Interface, POST Method; AuthorizationInfo object"

/** Versions whose answers have the token, and rules of their own about unknown ones. */
export const detailed = versionsWhere(({ authorizationDetails }) => authorizationDetails)

/** OCPI's answer of an EMSP that does not know the place. */
export const unknownPlaceCode = 2003

/** What the checks have in common. */
export const base = {
  ...baseOf(tokens),
  reference,
  sends: "POST authorize of a listed token, with the reference of a place"
} as const

/** The probes that read the tokens to ask about. */
export const list = ["tokens.list", "tokens.crawl"]

/** The list, and more probes about tokens. */
export const needs =
  (...probes: ReadonlyArray<string>) =>
  () => [...list, ...probes.map((probe) => `tokens.${probe}`)]

/** The status_code of an answer. */
export const codeOf = (seen: Answered) => Number(envelope(seen)?.["status_code"])

/** The verdict of an answer. */
export const allowedOf = (seen: Answered) => textIn(objectIn(dataOf(seen))["allowed"])

/** Judges the answers of one probe. */
export const onAnswers =
  (probe: string, judge: (seen: Answered, evidence: Evidence) => ReadonlyArray<Finding>) =>
  (evidence: Evidence) =>
    noneOf(evidence.answered(`tokens.${probe}`).flatMap((seen) => judge(seen, evidence)))

/** It was answered, and not as expected. */
export const otherwise = (seen: Answered, expected: string, strength?: Finding["strength"]): Finding =>
  unexpected(seen, expected, { ...(strength === undefined ? {} : { strength }) })

/** No successful AuthorizationInfo with a known verdict. Its token and location have rules of their own. */
export const noVerdict = (seen: Answered, { profile }: Evidence): ReadonlyArray<Finding> => {
  const status = success(seen)
  if (status.length > 0) return status
  const schema = profile.objects.AuthorizationInfo
  const flaws = schema === undefined ? [] : violations(schema, dataOf(seen), ["data"])
  return flaws
    .filter(({ pointer }) => !/^\/data\/(token|location|authorization_reference)(\/|$)/.test(pointer ?? ""))
    .map((flaw) => ({ ...flaw, exchangeId: seen.exchange.id }))
}

/** HTTP 404, or a client error of OCPI. */
export const refuses = (seen: Answered) =>
  seen.response.httpStatus === 404 ||
  (seen.response.httpStatus < 500 && codeOf(seen) >= 2000 && codeOf(seen) < 3000)
