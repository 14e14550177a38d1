/** Renewing the registration (credentials, PUT Method): may end it, so it is graded only when asked for. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { dataOf } from "../../../findings/answers.ts"
import { http, ocpiStatus, revoked, success } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding } from "../../../findings/finding.ts"
import { isObject } from "../../../findings/json.ts"
import { type Check, either, inconclusive, noneOf, type Precondition, pass } from "../../model/Check.ts"
import { isWithheld } from "../../model/Evidence.ts"
import { expects } from "../../model/expects.ts"
import { stepOf } from "../shared/stepAnswers.ts"
import { notAllowed } from "./credentialsFlaws.ts"

const base = {
  module: "credentials",
  versions: versionNumbers,
  roles: either,
  mode: "RISK",
  strength: "must",
  reference: "credentials, PUT Method"
} as const

/** What a check of what follows from PUT credentials requires. */
const rotated: ReadonlyArray<Precondition> = [
  { answers: "credentials.rotate#put", what: "PUT credentials with a new token", check: "CRED-027" }
]

const fetched = ["credentials.rotate#versions fetched", "credentials.rotate#details fetched"]

/** Judge PUT and DELETE of credentials (credentials, PUT and DELETE Methods). */
export const rotationChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CRED-015",
    title: "POST credentials: HTTP 405 for a party that is registered",
    reference: "credentials, POST Method",
    sends: "POST credentials with the current token",
    passes: "HTTP 405",
    hint: "Answer 405 to POST credentials of a party that is registered; PUT is for changes.",
    ...expects(["credentials.again#post"], notAllowed)
  },
  {
    ...base,
    id: "CRED-027",
    title: "PUT credentials: answered with credentials and a new token",
    sends: "PUT credentials with the current token and a new one for the partner",
    passes: "HTTP 200, status_code 1000, credentials with a token other than the current one",
    hint: "Issue a new token for every PUT credentials, also when nothing else has changed.",
    needs: () => ["credentials.rotate#put"],
    judge: (evidence) => {
      const seen = stepOf(evidence, "credentials.rotate#put")
      if (seen === undefined) return inconclusive("not_tested", "PUT credentials was not sent")
      const status = success(seen)
      if (status.length > 0) return noneOf(status)
      const data = dataOf(seen)
      const token = isObject(data) ? data["token"] : undefined
      const current = seen.exchange.request.headers["authorization"] ?? ""
      if (typeof token !== "string" || token === "")
        return noneOf([
          at(seen, "/data/token", "there is no token", { expected: "a new token", actual: "none" })
        ])
      // Evidence of this process is not scrubbed; what the exchange shows is.
      const body = seen.exchange.response?.body ?? ""
      const shownToken = /«token[A-C]:[0-9a-f]+»/.exec(body)?.[0]
      return shownToken !== undefined && current.includes(shownToken)
        ? noneOf([
            {
              ...at(seen, "/data/token", "the token of the answer is the current token", {
                expected: "a new token",
                actual: ""
              }),
              actual: shownToken
            }
          ])
        : pass()
    }
  },
  {
    ...base,
    id: "CRED-028",
    title: "PUT credentials: our versions and details are fetched again",
    mode: "OBS",
    phase: "risk",
    sends: "no request: the check looks at the calls during PUT credentials",
    passes: "our versions and details are fetched while PUT credentials is open",
    hint: "Fetch our versions and details before you answer PUT credentials, as with POST: endpoints may have changed.",
    partial: true,
    requires: () => rotated,
    needs: () => ["credentials.rotate#put", ...fetched],
    judge: (evidence) => {
      const put = stepOf(evidence, "credentials.rotate#put")
      if (put === undefined) return inconclusive("not_tested", "PUT credentials was not sent")
      return noneOf(
        fetched.flatMap((step): ReadonlyArray<Finding> => {
          const gathered = evidence.gathered(step)
          if (gathered === undefined || !isWithheld(gathered) || gathered.withheld !== "unobservable")
            return []
          return [
            finding(put, gathered.reason, {
              expected: "GET of our versions and of our details",
              actual: "no such call"
            })
          ]
        })
      )
    }
  },
  {
    ...base,
    id: "CRED-029",
    title: "PUT credentials: the new token is valid at once",
    sends: "GET versions with the token of the answer to PUT credentials",
    passes: "HTTP 200",
    hint: "Accept the new token from the moment of your answer to PUT credentials.",
    requires: () => rotated,
    ...expects(["credentials.rotate#new token"], success)
  },
  {
    ...base,
    id: "CRED-030",
    consequenceOf: ["CRED-029"],
    title: "PUT credentials: HTTP 401 for the replaced token",
    strength: "should",
    sends: "GET versions with the old token, a minute after PUT credentials",
    passes: "HTTP 401",
    hint: "Forget the old token once the new one has been used, or after a short time.",
    ...expects(["credentials.rotate#old token"], revoked)
  },
  {
    ...base,
    id: "CRED-016",
    title: "POST credentials: a refused registration leaves the current token valid",
    reference: "credentials, POST Method",
    sends: "GET versions with the token that was current before POST credentials",
    passes: "HTTP 200: the token is still accepted",
    hint: "Keep registration and tokens as they are when you refuse POST credentials.",
    ...expects(["credentials.again#versions"], success)
  },
  {
    ...base,
    id: "CRED-034",
    consequenceOf: ["CRED-028", "CRED-027"],
    title: "PUT credentials: the current token stays valid when our versions URL cannot be reached",
    strength: "should",
    reference: "credentials, PUT Method; status_codes, 3001",
    sends:
      "PUT credentials with a versions URL where nothing listens, then GET versions with the current token",
    passes: "status_code 3001, and the current token still works",
    hint: "Fetch our versions first, and replace token and endpoints only when that has worked.",
    needs: () => ["credentials.unreachable#put", "credentials.unreachable#versions"],
    judge: (evidence) => {
      const put = stepOf(evidence, "credentials.unreachable#put")
      const still = stepOf(evidence, "credentials.unreachable#versions")
      if (put === undefined) return inconclusive("not_tested", "PUT credentials was not sent")
      return noneOf([...ocpiStatus(3001)(put), ...(still === undefined ? [] : success(still))])
    }
  },
  {
    ...base,
    id: "CRED-035",
    title: "DELETE credentials: HTTP 200, status_code 1000",
    reference: "credentials, DELETE Method",
    sends: "DELETE credentials with the current token; the connection has to be registered anew afterwards",
    passes: "HTTP 200, status_code 1000",
    hint: "Answer DELETE credentials of a registered party with status_code 1000.",
    ...expects(["credentials.end#delete"], success)
  },
  {
    ...base,
    id: "CRED-036",
    title: "DELETE credentials: HTTP 401 for the token afterwards",
    reference: "credentials, DELETE Method; transport_and_format, Authorization header",
    sends: "GET of a list with the token of the registration that was ended",
    passes: "HTTP 401",
    hint: "Make both tokens invalid as soon as you have answered DELETE credentials.",
    ...expects(["credentials.end#list"], revoked)
  },
  {
    ...base,
    id: "CRED-038",
    title: "PUT and DELETE credentials: HTTP 405 or 401 once the registration has ended",
    reference: "credentials, PUT Method and DELETE Method",
    sends: "PUT and DELETE credentials after the registration was ended",
    passes: "HTTP 405 or 401",
    hint: "Answer HTTP 405 when the party is not registered any more, or HTTP 401 as its token is not valid.",
    ...expects(["credentials.end#put", "credentials.end#delete again"], http(405, 401))
  }
]
