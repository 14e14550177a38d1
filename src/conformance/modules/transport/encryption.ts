/** Checks that the URLs of a partner are https. */

import { named, nextOf } from "../../../findings/answers.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { isLocalHttp } from "../shared/localHttp.ts"
import { detailsSeen, endpointsOf } from "../versions/details.ts"
import { versionEntries } from "../versions/versionsProbes.ts"
import { allAnswers, everyAnswer, transportChapter } from "./everyAnswer.ts"

/** Judge that every URL that the partner gives is https (transport_and_format, JSON / HTTP implementation guide). */
export const encryptionChecks: ReadonlyArray<Check> = [
  {
    ...everyAnswer,
    id: "TRANS-010",
    title: "URLs in versions, details and Link headers: https",
    reference: `${transportChapter}, JSON / HTTP implementation guide`,
    passes: "valid TLS, and no plain-HTTP URL in versions, details and Link headers",
    hint: "Build all URLs with https and your public host, also behind a proxy that ends TLS.",
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

function announced(evidence: Evidence): ReadonlyArray<{ readonly url: string; readonly where: string }> {
  return [
    { url: evidence.party.counterpart.versionsUrl, where: "the versions URL" },
    ...versionEntries(evidence).map(({ url, version }) => ({
      url,
      where: `the details URL of ${shown(version)}`
    })),
    ...endpointsOf(detailsSeen(evidence)).map(({ identifier, url }) => ({
      url,
      where: `the endpoint ${shown(identifier)}`
    })),
    ...allAnswers(evidence).map((seen) => ({
      url: nextOf(seen)?.url,
      where: `the Link header of ${named(seen)}`
    }))
  ].flatMap(({ url, where }) => (typeof url === "string" ? [{ url, where }] : []))
}
