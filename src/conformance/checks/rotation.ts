/** Renewing the registration (credentials, PUT Method): may end it, so it is graded only when asked for. */
import { versionNumbers } from "../../../schema/ocpi/versions.ts"
import { dataOf, isObject, named, statusLine, succeeded } from "../answers.ts"
import { type Check, either, type Finding, kept, noneOf, undecided } from "../Check.ts"
import { type Answered, isWithheld } from "../Evidence.ts"
import { stepOf } from "../probes/waiting.ts"
import { at, notRefused, notSuccess } from "./findings.ts"

const base = {
  module: "credentials",
  versions: versionNumbers,
  roles: either,
  mode: "RISK",
  strength: "must",
  reference: "credentials, PUT Method"
} as const

const fetched = ["credentials.rotate#versions fetched", "credentials.rotate#details fetched"]

const isnt405 = (seen: Answered): ReadonlyArray<Finding> =>
  seen.response.httpStatus === 405
    ? []
    : [
        {
          message: `${named(seen)} of a registered party answered ${statusLine(seen)}`,
          expected: "HTTP 405",
          actual: statusLine(seen),
          exchangeId: seen.exchange.id,
          // Refused in another way: the registration is safe.
          ...(succeeded(seen) || seen.response.httpStatus >= 500 ? {} : { strength: "should" as const })
        }
      ]

export const rotationChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CRED-015",
    title: "Refuses a second registration",
    reference: "credentials, POST Method",
    sends: "POST credentials with the current token",
    passes: "HTTP 405",
    hint: "Answer 405 to POST credentials of a party that is registered; PUT is for changes.",
    needs: () => ["credentials.again#post"],
    judge: (evidence) => noneOf(evidence.answered("credentials.again#post").flatMap(isnt405))
  },
  {
    ...base,
    id: "CRED-027",
    title: "Takes new credentials and hands over new ones",
    sends: "PUT credentials with the current token and a new one for the partner",
    passes: "HTTP 200, status_code 1000, credentials with a token other than the current one",
    hint: "Every PUT makes a new token, also when nothing else has changed.",
    needs: () => ["credentials.rotate#put"],
    judge: (evidence) => {
      const seen = stepOf(evidence, "credentials.rotate#put")
      if (seen === undefined) return undecided("not_tested", "PUT credentials was not sent")
      const status = notSuccess(seen)
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
              ...at(seen, "/data/token", "it is the token in use", { expected: "a new token", actual: "" }),
              actual: shownToken
            }
          ])
        : kept()
    }
  },
  {
    ...base,
    id: "CRED-028",
    title: "Looks at us anew when credentials are renewed",
    mode: "OBS",
    phase: "risk",
    sends: "nothing: looks at the calls during PUT credentials",
    passes: "our versions and details are fetched while PUT credentials is open",
    hint: "On PUT as on POST: fetch versions and details before answering, endpoints may have changed.",
    partial: true,
    needs: () => ["credentials.rotate#put", ...fetched],
    judge: (evidence) => {
      const put = stepOf(evidence, "credentials.rotate#put")
      if (put === undefined) return undecided("not_tested", "PUT credentials was not sent")
      if (!succeeded(put)) return undecided("not_tested", `PUT credentials was refused: ${statusLine(put)}`)
      return noneOf(
        fetched.flatMap((step): ReadonlyArray<Finding> => {
          const gathered = evidence.gathered(step)
          if (gathered === undefined || !isWithheld(gathered) || gathered.withheld !== "unobservable")
            return []
          return [
            {
              message: gathered.reason,
              expected: "GET of our versions and of our details",
              actual: "no such call",
              exchangeId: put.exchange.id
            }
          ]
        })
      )
    }
  },
  {
    ...base,
    id: "CRED-029",
    title: "Accepts the token that it handed over",
    sends: "GET versions with the token of the answer to PUT credentials",
    passes: "HTTP 200",
    hint: "The new token must work from the moment of the answer.",
    needs: () => ["credentials.rotate#put", "credentials.rotate#new token"],
    judge: (evidence) => {
      const put = stepOf(evidence, "credentials.rotate#put")
      if (put === undefined || !succeeded(put)) return undecided("not_tested", "no new token was handed over")
      return noneOf(evidence.answered("credentials.rotate#new token").flatMap(notSuccess))
    }
  },
  {
    ...base,
    id: "CRED-030",
    title: "Refuses the token that was replaced",
    strength: "should",
    sends: "GET versions with the old token, a minute after PUT credentials",
    passes: "HTTP 401",
    hint: "Forget the old token once the new one has been used, or after a short time.",
    needs: () => ["credentials.rotate#old token"],
    judge: (evidence) => noneOf(evidence.answered("credentials.rotate#old token").flatMap(notRefused))
  }
]
