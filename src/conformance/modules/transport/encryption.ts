/** Checks that the URLs of a partner are https. */

import { dataOf, header, named, nextOf, requestName, succeeded } from "../../../findings/answers.ts"
import { objectIn } from "../../../findings/json.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence, Observation } from "../../model/Evidence.ts"
import { isLocalHttp } from "../shared/localHttp.ts"
import { endpointsOf } from "../versions/details.ts"
import { versionEntries } from "../versions/versionsProbes.ts"
import { allAnswers, everyAnswer, transportChapter } from "./everyAnswer.ts"

/** The partner's calls, whatever they are about. */
const calls = "inbound"

/** Judge that every URL that the partner gives is https (transport_and_format, JSON / HTTP implementation guide). */
export const encryptionChecks: ReadonlyArray<Check> = [
  {
    ...everyAnswer,
    id: "TRANS-010",
    title: "URLs of the partner: https",
    reference: `${transportChapter}, JSON / HTTP implementation guide`,
    passes:
      "no plain-HTTP URL in versions, details of each version, the Credentials object, Link and Location headers, and in the response_url of the calls that the run has seen",
    hint: "Build all URLs with https and your public host, also behind a proxy that ends TLS.",
    ifGathered: () => [calls],
    judge: (evidence) => {
      const { versionsUrl } = evidence.party.counterpart
      if (isLocalHttp(versionsUrl, evidence.trustedPrefixes))
        return inconclusive(
          "not_applicable",
          "the partner runs over plain HTTP on our own or a private address"
        )
      return noneOf(
        announced(evidence)
          .filter(({ url }) => /^http:/i.test(url))
          .map(({ url, where }) => ({
            message: `${where} is plain HTTP`,
            expected: "https",
            actual: shown(url)
          }))
      )
    }
  }
]

interface Announced {
  readonly url: unknown
  /** What the URL is, in words. */
  readonly where: string
}

/** Every URL that the partner has given us to send requests to. */
function announced(evidence: Evidence): ReadonlyArray<{ readonly url: string; readonly where: string }> {
  return [
    { url: evidence.party.counterpart.versionsUrl, where: "the versions URL" },
    ...versionEntries(evidence).map(({ url, version }) => ({
      url,
      where: `the details URL of ${shown(version)}`
    })),
    ...evidence.answeredInAnyVersion("details").flatMap(endpointUrls),
    ...evidence
      .answered("credentials")
      .map((seen) => ({ url: objectIn(dataOf(seen))["url"], where: "url of the Credentials object" })),
    ...allAnswers(evidence).flatMap((seen) => [
      { url: nextOf(seen)?.url, where: `the Link header of ${named(seen)}` },
      { url: absoluteLocation(seen), where: `the Location header of ${named(seen)}` }
    ]),
    ...evidence.seen(calls).map((seen) => ({
      url: responseUrlIn(seen),
      where: `response_url of ${requestName(seen.exchange)}`
    }))
  ].flatMap(({ url, where }: Announced) => (typeof url === "string" ? [{ url, where }] : []))
}

/** The endpoints in the details of a version, whichever it is. */
const endpointUrls = (seen: Answered): ReadonlyArray<Announced> =>
  endpointsOf(seen).map(({ identifier, url }) => ({
    url,
    where: `the endpoint ${shown(identifier)}${seen.about === "" ? "" : ` of ${seen.about}`}`
  }))

/** The URL of what was created: the answer to a POST names it (mod_cdrs, Receiver Interface, POST Method). */
const absoluteLocation = (seen: Answered) =>
  seen.exchange.request.method === "POST" && succeeded(seen) ? header(seen, "location") : undefined

/** Where the partner wants the result of a command, or of a request about a charging profile. */
const responseUrlIn = ({ exchange: { request }, json }: Observation): unknown =>
  objectIn(json)["response_url"] ??
  (URL.canParse(request.url) ? new URL(request.url).searchParams.get("response_url") : undefined)
