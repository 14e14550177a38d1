/** Checks of authorization at every endpoint: a token is asked for, the right one is taken, and a write without one does nothing. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { dataOf, named, offersMethod, statusLine, succeeded } from "../../../findings/answers.ts"
import { unauthorized } from "../../../findings/expectations.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { isNoObject } from "../../../findings/objectDifferences.ts"
import { type Check, either, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import { expectsOf } from "../../model/expects.ts"
import { isUnknownCdrUrl } from "../shared/besideOcpi.ts"
import { listsOf } from "../shared/lists.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { emptyId, emptyWrite, unauthorizedWrites, writeStep } from "./authenticationProbes.ts"

const base = {
  module: "credentials",
  versions: versionNumbers,
  roles: either,
  // Some of the requests with a wrong token are PUTs and POSTs: a partner that takes them may store what they bring.
  mode: "MUT",
  strength: "must",
  reference: "transport_and_format, Authorization header"
} as const

/** The endpoint does not have the method at all, or nothing is at a URL that it never gave: it may say so before it looks at the token. */
const isOffered = (seen: Answered) => offersMethod(seen) && !isUnknownCdrUrl(seen)

/** HTTP 401; where a write of an object without fields succeeded, the finding says what may be left of it at the partner. */
const closed = (seen: Answered) =>
  unauthorized(seen).map((flaw) =>
    seen.exchange.operation === emptyWrite && succeeded(seen)
      ? { ...flaw, message: `${flaw.message}; ${leftBy(seen)} may be left at the partner` }
      : flaw
  )

const leftBy = ({ exchange: { module } }: Answered) =>
  module === "cdrs" ? "a CDR without any field" : `${emptyId} in ${module}`

/** Is the answer another one than a refusal of the token? */
const tokenAccepted = (seen: Answered) =>
  unless(![401, 403].includes(seen.response.httpStatus), () =>
    finding(seen, `${named(seen)} was answered ${statusLine(seen)}, and the request had the current token`, {
      expected: "another answer than HTTP 401 or 403",
      actual: statusLine(seen)
    })
  )

/** Judge authorization at credentials, receivers and writes (transport_and_format, Authorization header). */
export const authenticationChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CRED-049",
    title: "Every endpoint: HTTP 401 without a token and for an unknown one",
    sends: `GET of credentials and of unknown objects at each receiver, POST authorize and STOP_SESSION about unknown ones, PUT of {} as ${emptyId} to each receiver of objects and of charging profiles, and POST of {} to cdrs: without a token and with a random one; a receiver that takes {} may keep it`,
    passes: "HTTP 401 each time, but for HTTP 405 or 501 where the endpoint does not have the method",
    hint: "Check the token in front of all modules: an endpoint that is left out is open to anyone. Remove by hand what a finding names as left: OCPI has no DELETE for most objects.",
    partial: true,
    ...expectsOf(
      ["authentication.refused"],
      {
        about: isOffered,
        none: inconclusive("not_applicable", "no endpoint has the methods that were tried")
      },
      closed
    )
  },
  {
    ...base,
    id: "CRED-050",
    mode: "RO",
    title: "Every endpoint: the token is accepted, whatever the case of the header's name",
    sends:
      "GET of credentials and of unknown objects at each receiver of objects and of payments, with authorization in three spellings",
    passes: "never HTTP 401 or 403",
    hint: "Read headers without regard to the case of their names, at every endpoint.",
    partial: true,
    // Where a plain request with the token is refused, the spelling of a header is not why.
    requires: ({ profile, role }) =>
      listsOf(profile, role)
        .slice(0, 1)
        .map((list) => ({
          answers: `${list}.list`,
          what: `GET ${list} with the current token`,
          rule: tokenAccepted,
          check: "CRED-012"
        })),
    ...expectsOf(
      ["authentication.accepted"],
      {
        about: isOffered,
        none: inconclusive("not_applicable", "no endpoint has the methods that were tried")
      },
      tokenAccepted
    )
  },
  {
    ...base,
    id: "CRED-051",
    consequenceOf: ["CRED-049"],
    title: "A write without a valid token: HTTP 401, and nothing is stored",
    sends: "PUT of a token or tariff of ours without a token and with a random one, then GET of it",
    passes: "HTTP 401 both times, and GET does not find the object",
    hint: "Check the token before the body is read: without that check, anyone can change the data that drivers see.",
    partial: true,
    needs: () => [...Object.keys(unauthorizedWrites), "read back"].map(writeStep),
    judge: (evidence) => {
      const sent = Object.keys(unauthorizedWrites).flatMap((step) => stepOf(evidence, writeStep(step)) ?? [])
      if (sent.length === 0) return inconclusive("not_tested", "nothing was written without a valid token")
      const read = stepOf(evidence, writeStep("read back"))
      const isStored = read !== undefined && succeeded(read) && !isNoObject(dataOf(read))
      return noneOf([
        ...sent.flatMap(unauthorized),
        ...unless(!isStored, () =>
          finding(read, "an object that was written without a valid token is stored", {
            expected: "HTTP 404",
            actual: read === undefined ? "no answer" : statusLine(read)
          })
        )
      ])
    }
  }
]
