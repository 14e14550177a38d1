/** How an EMSP asks for charging profiles, and how it takes what comes of that (mod_charging_profiles). */

import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { dataOf, named, succeeded } from "../../../findings/answers.ts"
import { accepted, mismatches } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { at, finding, unless } from "../../../findings/finding.ts"
import { shown } from "../../../findings/words.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import { type Answered, type Evidence, isWithheld, type Observation } from "../../model/Evidence.ts"
import { observed } from "../../model/observed.ts"
import { activeStep, resultSteps } from "./sentProfilesProbes.ts"

const base = {
  module: "chargingprofiles",
  versions: versionsWhere(({ modules }) => modules.includes("chargingprofiles")),
  roles: ["EMSP"],
  strength: "must"
} as const

const sent = {
  ...base,
  mode: "MUT",
  // What they answer comes while the run listens.
  phase: "watch",
  passes: "HTTP 2xx, status_code 1000, no data",
  hint: "Answer with the OCPI envelope, without data."
} as const

const notEmpty = (seen: Answered): ReadonlyArray<Finding> => {
  const data = dataOf(seen)
  return unless(data === undefined || data === null, () =>
    at(seen, "/data", `${named(seen)} was answered with data`, { expected: "no data", actual: data })
  )
}

const judge =
  (steps: ReadonlyArray<string>): Check["judge"] =>
  (evidence) => {
    const answers = steps.flatMap(evidence.answered)
    const [reason] = steps.flatMap((step) => {
      const gathered = evidence.gathered(step)
      return gathered !== undefined && isWithheld(gathered) ? [gathered.reason] : []
    })
    return answers.length === 0
      ? inconclusive("unobservable", reason ?? "nothing could be sent")
      : noneOf(
          answers.flatMap((seen) => (succeeded(seen) ? notEmpty(seen) : accepted(seen))),
          `${answers.length} of ${steps.length} taken`
        )
  }

/** Is it a request of the partner about the charging profile of a session? */
const asks = ({ exchange }: Observation): boolean =>
  exchange.module === "chargingprofiles" && ["DELETE", "GET", "PUT"].includes(exchange.request.method)

/** What a request lacks, or says wrong: the body of a PUT, the query of GET and DELETE. */
const flawsOfRequest = (seen: Observation, { profile }: Evidence): ReadonlyArray<Finding> => {
  const { method, url } = seen.exchange.request
  if (method === "PUT") return mismatches(seen, profile.objects.SetChargingProfile, seen.json)
  const query = new URL(url).searchParams
  const wrong = (name: string, expected: string) =>
    finding(seen, `${method} chargingprofile: ${name} is missing or wrong`, {
      expected,
      actual: shown(query.get(name) ?? undefined)
    })
  return [
    ...unless(method === "DELETE" || /^\d+$/.test(query.get("duration") ?? ""), () =>
      wrong("duration", "whole seconds")
    ),
    ...unless(URL.canParse(query.get("response_url") ?? ""), () => wrong("response_url", "an absolute URL"))
  ]
}

/** The checks of an EMSP that asks for charging profiles, and receives their results and active profiles. */
export const sentProfilesChecks: ReadonlyArray<Check> = [
  {
    ...sent,
    id: "CP-101",
    title: "ChargingProfileResult: the result of each request is accepted",
    reference: "mod_charging_profiles, Sender Interface, POST Method",
    sends:
      "POST of a ChargingProfileResult, an ActiveChargingProfileResult and a ClearProfileResult to the response_urls of requests that we accepted",
    partial: true,
    needs: () => resultSteps,
    judge: judge(resultSteps)
  },
  {
    ...sent,
    id: "CP-102",
    title: "ActiveChargingProfile: PUT by the CPO is accepted",
    reference: "mod_charging_profiles, Sender Interface, PUT Method",
    sends: "PUT of an ActiveChargingProfile for a session on which the partner has set a profile",
    needs: () => [activeStep],
    judge: judge([activeStep])
  },
  {
    ...base,
    id: "CP-103",
    mode: "OBS",
    title: "Charging profiles: each request is complete and valid",
    reference: "mod_charging_profiles, Receiver Interface; SetChargingProfile Object",
    sends: "no request: the check looks at the requests about charging profiles that the partner sends to us",
    passes:
      "PUT has a valid SetChargingProfile, GET a duration and a response_url, and DELETE a response_url in the query",
    hint: "Send charging_profile and response_url in the body of PUT; duration and response_url in the query of GET, response_url in that of DELETE.",
    needs: () => ["inbound"],
    judge: observed({
      source: "inbound",
      provoke:
        "the partner has asked us for no charging profile: order listenSeconds, and meanwhile set one from its app on the session that the run publishes",
      matches: asks,
      findings: (calls, evidence) => calls.flatMap((seen) => flawsOfRequest(seen, evidence))
    })
  }
]
