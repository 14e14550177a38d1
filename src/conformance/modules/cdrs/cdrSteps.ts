/** The requests about CDRs at an EMSP (mod_cdrs, Receiver Interface): POST, and what is asked at the URL that its answer names. */

import type { BlockedBy } from "../../../../schema/Assertion.ts"
import { dataOf, header, named, succeeded } from "../../../findings/answers.ts"
import { type JsonObject, keyText, objectIn, sameId } from "../../../findings/json.ts"
import { pass } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import type { ProbeRequest } from "../../model/Probe.ts"
import { cdr, ourCdrs } from "../charge/sentCdrs.ts"
import { absent, invalid, judging, optional } from "../shared/receivers/receiverProofs.ts"
import type { Proof } from "../shared/receivers/receiverScript.ts"
import {
  type Make,
  objectSteps,
  type ScriptEvidence,
  type ScriptStep
} from "../shared/receivers/receiverSteps.ts"

/** POST of a CDR. */
export const { post } = objectSteps(() => ourCdrs)

/** POST of a CDR that is valid. */
export const posted = post("post", cdr("C1"))

/** The URL in the answer's Location header; a relative one is resolved against the endpoint to which the CDR was posted. */
const cdrUrl = (evidence: ScriptEvidence): string | undefined => {
  const seen = evidence.answerTo(posted)
  const location = seen === undefined || !succeeded(seen) ? undefined : header(seen, "location")
  if (seen === undefined || location === undefined) return undefined
  const { url } = seen.exchange.request
  return URL.canParse(location, url) ? new URL(location, url).href : undefined
}

const linkedFrom = (seen: Answered | undefined) =>
  seen === undefined ? {} : { linkedFrom: seen.exchange.request.url }

/** A request to a URL of the partner; the step is left out if there is none, for what `otherwise` says. */
const at = (
  id: string,
  method: NonNullable<ProbeRequest["method"]>,
  urlOf: (evidence: ScriptEvidence) => string | undefined,
  body?: Make,
  otherwise: (evidence: ScriptEvidence) => BlockedBy | undefined = () => undefined
): ScriptStep => ({
  id,
  json: posted.json,
  act: (evidence) => {
    const url = urlOf(evidence)
    const by = url === undefined ? otherwise(evidence) : undefined
    if (by !== undefined) return { leftOut: by }
    return url === undefined
      ? undefined
      : {
          send: {
            module: "cdrs",
            interfaceRole: "RECEIVER",
            operation: `${method} cdr`,
            method,
            url,
            ...linkedFrom(evidence.answerTo(posted)),
            ...(method === "GET" ? {} : { wrongOnPurpose: { target: "a method that CDRs do not have" } }),
            ...(body === undefined ? {} : { body: body(evidence) })
          }
        }
  }
})

/** The answer to the POST that was accepted has no URL of the CDR, as CDR-102 reports. */
const withoutUrl = (evidence: ScriptEvidence): BlockedBy | undefined => {
  const seen = evidence.answerTo(posted)
  if (seen === undefined || !succeeded(seen)) return undefined
  const has =
    header(seen, "location") === undefined ? "has no Location header" : "has no URL in its Location header"
  return {
    check: "CDR-102",
    exchangeId: seen.exchange.id,
    what: `the answer to ${named(seen)} ${has}, so nobody knows the URL of the CDR`
  }
}

/** A request to the URL of the Location header of that CDR; the step is left out if the answer has none. */
export const atUrl = (id: string, method: NonNullable<ProbeRequest["method"]>, body?: Make): ScriptStep =>
  at(id, method, cdrUrl, body, withoutUrl)

/**
 * Where a CDR would be that was refused: the URL of its own Location header, or that of the accepted CDR with its id in the place of
 * that one's. Undefined where neither is known: the partner names its CDRs otherwise.
 */
const urlInstead = (evidence: ScriptEvidence, step: ScriptStep): string | undefined => {
  const seen = evidence.answerTo(step)
  const own = seen === undefined ? undefined : header(seen, "location")
  if (seen !== undefined && own !== undefined && URL.canParse(own, seen.exchange.request.url))
    return new URL(own, seen.exchange.request.url).href
  const [accepted = "", wanted = ""] = [posted, step].map(({ json }) =>
    encodeURIComponent(keyText(json(evidence)["id"]))
  )
  const known = cdrUrl(evidence) ?? ""
  const at = known.toUpperCase().lastIndexOf(accepted.toUpperCase())
  if (at < 0) return undefined
  const found = known.slice(at, at + accepted.length)
  const written = found === accepted ? wanted : inCaseOf(found, wanted)
  return `${known.slice(0, at)}${written}${known.slice(at + accepted.length)}`
}

/** Ids have no case, and a partner may write them in one of its own. */
const inCaseOf = (found: string, id: string) =>
  found === found.toLowerCase() ? id.toLowerCase() : id.toUpperCase()

/** POST of a CDR that is not valid, under an id of its own; and GET of where it would be, which must not find it. */
export const spoilt = (
  id: string,
  name: string,
  change: (whole: JsonObject) => JsonObject
): ReadonlyArray<Proof> => {
  const sent = post(id, cdr(name), { change, wrongOnPurpose: { body: id } })
  const read = at(`read ${id}`, "GET", (evidence) => urlInstead(evidence, sent))
  return [
    invalid(sent),
    optional(
      judging(read, (seen, evidence) => {
        const found = succeeded(seen) ? objectIn(dataOf(seen)) : {}
        return sameId(found["id"], cdr(name)(evidence)["id"])
          ? (absent(read).judge?.(seen, evidence) ?? pass())
          : pass()
      })
    )
  ]
}
