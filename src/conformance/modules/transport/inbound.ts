/** How the partner identifies itself to us: judged on the calls that it has made, scrubbed as they are stored. */

import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding } from "../../../findings/finding.ts"
import { type Check, either, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { isWithheld } from "../../model/Evidence.ts"

const reference = "transport_and_format, Authorization header"
const noTraffic = "the partner has not called us yet: make it register or push, then run again"
const base = { module: "transport", roles: either, mode: "OBS", reference, needs: () => ["inbound"] } as const

/** The calls with a token that we issued: the scrubber replaces the token by a placeholder and keeps the form around it. */
const withToken = (
  evidence: Evidence
): ReadonlyArray<{ readonly seen: Observation; readonly value: string }> => {
  const gathered = evidence.gathered("inbound")
  if (gathered === undefined || isWithheld(gathered)) return []
  return gathered.seen.flatMap((seen) => {
    const value = seen.exchange.request.headers["authorization"]
    return value?.includes("«") === true ? [{ seen, value }] : []
  })
}

/** `Token`, one space, and strict padded Base64 of the whole token, or the token as it is. */
const forms = { base64: /^Token base64\(«[^»]*»\)$/, raw: /^Token «[^»]*»$/ } as const

const deviation = (seen: Observation, value: string, expected: string): Finding =>
  finding(
    seen,
    `${seen.exchange.request.method} ${seen.exchange.module} from the partner has another form of Authorization header`,
    { expected, actual: value }
  )

/** Every call that we know of carried the token in the form that the version's text has. */
const inTheForm = (evidence: Evidence): Judgement => {
  const calls = withToken(evidence)
  if (calls.length === 0) return inconclusive("unobservable", noTraffic)
  const { authorization } = evidence.profile
  const expected = authorization === "base64" ? "Token base64(our token)" : "Token (our token as it is)"
  return noneOf(
    calls
      .filter(({ value }) => !forms[authorization].test(value))
      .map(({ seen, value }) => deviation(seen, value, expected)),
    `${calls.length} calls looked at`
  )
}

/** Is there no doubt that the token is to be encoded? */
const certain = ({ authorization, authorizationDisputed }: VersionProfile) =>
  authorization === "base64" && !authorizationDisputed

/** Judge how the partner authenticates at our endpoints (transport_and_format, Authorization header). */
export const inboundChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "TRANS-007",
    versions: versionsWhere(certain),
    title: "Authorization header of the partner: the token is Base64 encoded",
    strength: "must",
    sends: "no request: the check looks at the calls that the partner made to us",
    passes: "Token, one space, strict padded Base64 of our token, nothing appended",
    hint: "Encode the token itself: a line feed at its end (as echo adds) or a second encoding breaks it.",
    judge: inTheForm
  },
  {
    ...base,
    id: "TRANS-008",
    versions: versionsWhere((profile) => !certain(profile)),
    title: "Authorization header of the partner: the token has the form of the version",
    strength: "should",
    sends: "no request: the check looks at the calls that the partner made to us",
    passes: "the token as the version's text has it, the same in all calls",
    hint: "Send the token as the version has it: Base64 encoded from 2.2 on, without encoding in 2.1.1.",
    judge: inTheForm
  }
]
