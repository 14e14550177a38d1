/** How an EMSP takes the results of its commands (mod_commands, Sender Interface). */

import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { envelope, named, statusLine, succeeded } from "../../../findings/answers.ts"
import { unauthorized } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { type Check, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import { stepOf } from "../shared/waiting.ts"
import { results, wordSteps } from "./sentResultsProbes.ts"

const base = {
  module: "commands",
  versions: versionNumbers,
  roles: ["EMSP"],
  mode: "MUT",
  strength: "must",
  reference: "mod_commands, Sender Interface, POST Method"
} as const

const at = (id: string) => `${results}#${id}`

const otherwise = (seen: Answered, expected: string, strength?: Finding["strength"]): Finding =>
  finding(seen, `${named(seen)} was answered ${statusLine(seen)}`, {
    expected,
    actual: statusLine(seen),
    ...(strength === undefined ? {} : { strength })
  })

const taken = (steps: ReadonlyArray<string>) => (evidence: Parameters<Check["judge"]>[0]) => {
  const answers = steps.flatMap(evidence.answered)
  return answers.length === 0
    ? inconclusive("not_tested", "no result was sent")
    : noneOf(
        answers
          .filter((seen) => !succeeded(seen))
          .map((seen) => otherwise(seen, "HTTP 2xx, status_code 1000")),
        `${answers.length} results sent`
      )
}

export const sentResultsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CMD-107",
    title: "Takes the result of its command",
    sends: "POST of ACCEPTED to the response_url of a command that the partner has sent",
    passes: "HTTP 2xx, status_code 1000",
    hint: "Answer with the envelope, without data.",
    needs: () => [at("accepted")],
    judge: taken([at("accepted")])
  },
  {
    ...base,
    id: "CMD-108",
    title: "Takes every result that there is",
    reference: "mod_commands, CommandResultType enum",
    sends: "POST of each other word of the version, to the response_urls of several commands where there are",
    passes: "status_code 1000 each time",
    hint: "A result that says no is a result too.",
    partial: true,
    needs: () => wordSteps,
    judge: taken(wordSteps)
  },
  {
    ...base,
    id: "CMD-109",
    title: "Refuses a result that there is not",
    strength: "should",
    reference: "status_codes, Client errors",
    sends: "POST of MAYBE",
    passes: "status_code 2001",
    hint: "Check the enumeration before the driver is told.",
    needs: () => [at("invalid")],
    judge: (evidence) => {
      const seen = stepOf(evidence, at("invalid"))
      if (seen === undefined) return inconclusive("not_tested", "no result was sent")
      const code = Number(envelope(seen)?.["status_code"])
      return noneOf(
        unless(seen.response.httpStatus < 500 && code === ocpiStatus.invalidParameters, () =>
          otherwise(seen, `status_code ${ocpiStatus.invalidParameters}`)
        )
      )
    }
  },
  {
    ...base,
    id: "CMD-110",
    mode: "RO",
    title: "Takes results from its partner only",
    reference: "transport_and_format, Authorization header",
    sends: "POST to a response_url without a token, and with a random one",
    passes: "HTTP 401 both times",
    hint: "The id in the response_url is no token: check the Authorization header.",
    needs: () => ["commands.results-open"],
    judge: (evidence) => noneOf(evidence.answered("commands.results-open").flatMap(unauthorized))
  },
  {
    ...base,
    id: "CMD-111",
    title: "Bears a result that comes again",
    strength: "should",
    sends: "POST of the same result twice, and long after the command",
    passes: "no HTTP 5xx",
    hint: "The first result counts; answer the others as if they were new.",
    needs: () => [at("accepted"), at("again")],
    judge: (evidence) =>
      noneOf(
        [at("accepted"), at("again")]
          .flatMap(evidence.answered)
          .filter(({ response }) => response.httpStatus >= 500)
          .map((seen) => otherwise(seen, "no HTTP 5xx"))
      )
  },
  {
    ...base,
    id: "CMD-112",
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    title: "Hears that its reservation was cancelled",
    reference: "mod_commands, CommandResultType enum",
    sends: "POST of CANCELED_RESERVATION to the response_url of an earlier RESERVE_NOW",
    passes: "HTTP 2xx, status_code 1000",
    hint: "Keep the response_url of a reservation open as long as the reservation.",
    needs: () => [at("cancelled")],
    judge: (evidence) =>
      stepOf(evidence, at("cancelled")) === undefined
        ? inconclusive(
            "unobservable",
            "the partner has reserved nothing: reserve from its app, then run again"
          )
        : taken([at("cancelled")])(evidence)
  }
]
