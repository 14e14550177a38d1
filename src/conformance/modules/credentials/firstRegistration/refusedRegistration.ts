/** Before a first registration: requests with Token A, or without it, that must be refused and register nobody. */

import { versionsWhere } from "../../../../../schema/ocpi/versions.ts"
import { named, statusCode, statusLine } from "../../../../findings/answers.ts"
import {
  answer,
  http,
  milder,
  onlyForRegistration,
  refused,
  unauthorized
} from "../../../../findings/expectations.ts"
import { finding, when } from "../../../../findings/finding.ts"
import { type Check, inconclusive, noneOf } from "../../../model/Check.ts"
import { expects, expectsOf, type ProbeRule } from "../../../model/expects.ts"
import { isAnsweredByRouter } from "../../shared/besideOcpi.ts"
import { stepOf } from "../../shared/stepAnswers.ts"
import { calledFor, notAllowed } from "../credentialsFlaws.ts"
import {
  firstRegistrationBase,
  stillKept,
  unlessTokenARefused,
  whereServed,
  whereTaken
} from "./firstRegistrationBase.ts"
import {
  calledBackUnauthorized,
  firstStep,
  incomplete,
  keptAfter,
  unreadable,
  withoutTokenA
} from "./firstRegistrationSteps.ts"

/** Of the answers to these steps, which send Token A to the credentials endpoint. */
const steps = (names: ReadonlyArray<string>, ...rules: ReadonlyArray<ProbeRule>) => {
  const { judge, needs } = expects(names.map(firstStep), ...rules)
  return { needs, judge: unlessTokenARefused(judge) }
}

/** This status code, or one that is tolerated; another one breaks no more than a `should`. */
const coded = (expected: number, ...tolerated: ReadonlyArray<number>) =>
  milder(
    () => true,
    answer(`status_code ${expected}`, (seen) => [expected, ...tolerated].includes(statusCode(seen)))
  )

/** Refused with HTTP 405, and nothing was done: Token A still opens versions. */
const refusedForGood = (step: keyof typeof keptAfter): Pick<Check, "judge" | "needs" | "partial"> => ({
  partial: true,
  needs: () => [step, keptAfter[step]].map(firstStep),
  judge: unlessTokenARefused((evidence) => {
    const seen = stepOf(evidence, firstStep(step))
    if (seen === undefined) return inconclusive("not_tested", "the request was not sent")
    const still = stepOf(evidence, firstStep(keptAfter[step]))
    return noneOf(
      [
        ...notAllowed(seen),
        ...when(still?.response.httpStatus === 401, () =>
          finding(
            still,
            `${named(seen)} was refused with ${statusLine(seen)}, and Token A is not accepted after it`,
            { expected: "HTTP 200: a refused request changes nothing", actual: "HTTP 401" }
          )
        )
      ],
      statusLine(seen)
    )
  })
})

/** Judge requests before the registration that must not register (credentials, POST, PUT and DELETE Method). */
export const refusedRegistrationChecks: ReadonlyArray<Check> = [
  {
    ...firstRegistrationBase,
    id: "CRED-014",
    mode: "RO",
    versions: versionsWhere(({ endpointRoles }) => endpointRoles),
    title: "Authorization: HTTP 401 for a list with Token A",
    reference: "transport_and_format, Authorization header",
    sends: "GET of a list with Token A before the registration",
    passes: "HTTP 401",
    hint: "Accept Token A for versions, version details and credentials, and refuse it everywhere else.",
    ...expectsOf(
      [firstStep("list")],
      {
        about: (seen) => !isAnsweredByRouter(seen),
        none: inconclusive("not_tested", "nothing is at the URL of the list: HTTP 404 without a status_code")
      },
      onlyForRegistration
    )
  },
  {
    ...firstRegistrationBase,
    id: "CRED-048",
    title: "POST credentials: HTTP 401 without a token and for an unknown one, without a call back",
    reference: "transport_and_format, Authorization header; credentials, Registration",
    sends: "POST credentials of ours without a token and with a random one, before the registration",
    passes:
      "HTTP 401 both times, no credentials in the answer, and no call to the versions URL of the request",
    hint: "Look the token up first: without a valid one neither read the body nor call the versions URL in it.",
    requires: () => whereServed,
    partial: true,
    needs: () => [...withoutTokenA, calledBackUnauthorized].map(firstStep),
    judge: (evidence) => {
      const sent = withoutTokenA.flatMap((step) => stepOf(evidence, firstStep(step)) ?? [])
      if (sent.length === 0)
        return inconclusive("not_tested", "details with Token A lead to no credentials endpoint")
      return noneOf(
        [...sent.flatMap(unauthorized), ...calledFor(evidence.seen(firstStep(calledBackUnauthorized)))],
        "HTTP 401"
      )
    }
  },
  {
    ...firstRegistrationBase,
    id: "CRED-017",
    title: "PUT credentials: HTTP 405 for a party that is not registered",
    reference: "credentials, PUT Method",
    sends: "PUT credentials with Token A before the registration, then GET versions with it",
    passes: "HTTP 405, and Token A is still accepted",
    hint: "Answer 405 to PUT credentials until the party has registered by POST.",
    requires: () => whereServed,
    ...refusedForGood("renewed")
  },
  {
    ...firstRegistrationBase,
    id: "CRED-018",
    consequenceOf: ["CRED-017"],
    title: "DELETE credentials: HTTP 405 for a party that is not registered",
    reference: "credentials, DELETE Method",
    sends: "DELETE credentials with Token A before the registration, then GET versions with it",
    passes: "HTTP 405, and Token A is still accepted",
    hint: "Answer 405 to DELETE credentials until the party has registered by POST.",
    requires: () => [...stillKept("renewed"), ...whereServed],
    ...refusedForGood("ended")
  },
  {
    ...firstRegistrationBase,
    requires: () => whereTaken,
    id: "CRED-020",
    title: "POST credentials: status_code 2001 for an incomplete object",
    reference: "credentials, Credentials object; status_codes, 2001",
    sends: "POST credentials with Token A, in turn without token, url, party and business",
    passes: "status_code 2xxx (2001 is expected), and no token is handed over",
    hint: "Check the body before you call back, and answer 2001 when a required field is missing.",
    partial: true,
    ...steps(
      incomplete,
      refused(
        "status_code 2001, and no token",
        // HTTP 401 is about Token A and a finding of another check.
        (seen) => statusCode(seen) === 2001 || seen.response.httpStatus === 401
      )
    )
  },
  {
    ...firstRegistrationBase,
    id: "CRED-021",
    mode: "RO",
    title: "POST credentials: HTTP 400 for a body that is not JSON",
    reference: "status_codes",
    sends: "POST credentials with Token A and a body that is cut short",
    passes: "HTTP 400",
    hint: "Answer HTTP 400 to a body that cannot be parsed, before anything else is done with it.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    ...steps(["cut short"], http(400))
  },
  {
    ...firstRegistrationBase,
    id: "CRED-022",
    strength: "should",
    title: "POST credentials: status_code 3001 when our versions URL cannot be reached",
    reference: "credentials, Registration; status_codes, 3001",
    sends: "POST credentials with Token A and a versions URL where nothing listens",
    passes: "status_code 3001",
    hint: "Answer status_code 3001 when the call back fails, and keep Token A valid.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    ...steps(["unreachable"], coded(3001))
  },
  {
    ...firstRegistrationBase,
    id: "CRED-023",
    consequenceOf: ["CRED-022"],
    strength: "should",
    title: "POST credentials: status_code 3001 when our versions cannot be read",
    reference: "credentials, Registration; status_codes, 3001",
    sends: "POST credentials with Token A while our versions answer HTTP 401, then 500, then no JSON",
    passes: "status_code 3001 each time",
    hint: "Answer status_code 3001 whenever our versions cannot be read: after an HTTP error, and for a body that is not JSON.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    partial: true,
    ...steps(unreadable, coded(3001))
  },
  {
    ...firstRegistrationBase,
    id: "CRED-024",
    strength: "should",
    title: "POST credentials: status_code 3002 when our versions list lacks the version",
    reference: "status_codes, 3002",
    sends: "POST credentials with Token A while our versions list lacks the version of the endpoint",
    passes: "status_code 3002; 3001 and 3003 are tolerated",
    hint: "Look for the version of your endpoint in the other side's list, and answer 3002 when it is not there.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    ...steps(["version missing"], coded(3002, 3001, 3003))
  },
  {
    ...firstRegistrationBase,
    id: "CRED-025",
    strength: "should",
    title: "POST credentials: success or status_code 3003 when our details list credentials only",
    reference: "credentials, Required endpoints not available",
    sends: "POST credentials with Token A while our details list credentials only",
    passes: "success, or status_code 3003",
    hint: "Answer status_code 3003 when our version details lack endpoints that you need, and register us otherwise.",
    requires: () => [...stillKept("renewed", "ended"), ...whereTaken],
    ...steps(["credentials only"], coded(3003, 1000))
  }
]
