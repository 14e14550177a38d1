/** How an EMSP takes the results of its commands (mod_commands, Sender Interface). */

import { versionNumbers, versionsWhere } from "../../../../../schema/ocpi/versions.ts"
import { isServerError, statusCode } from "../../../../findings/answers.ts"
import { accepted, answer, noServerError, unauthorized } from "../../../../findings/expectations.ts"
import { type Check, inconclusive } from "../../../model/Check.ts"
import type { Evidence } from "../../../model/Evidence.ts"
import { expects, expectsOf } from "../../../model/expects.ts"
import { stepOf } from "../../shared/stepAnswers.ts"
import { results, wordSteps } from "./sentResultsProbes.ts"

const base = {
  module: "commands",
  versions: versionNumbers,
  roles: ["EMSP"],
  mode: "MUT",
  // The commands that they answer come while the run listens.
  phase: "watch",
  strength: "must",
  reference: "mod_commands, Sender Interface, POST Method"
} as const

const at = (id: string) => `${results}#${id}`

/** Where a plain result is not taken, as at a response_url that leads nowhere, CMD-107 reports it. */
const plainResult = () => [{ check: "CMD-107" }]

const isFallenOver = (evidence: Evidence): boolean => {
  const seen = stepOf(evidence, at("accepted"))
  return seen !== undefined && isServerError(seen)
}

/** Every result that was sent is taken. */
const taken = (...steps: ReadonlyArray<string>) =>
  expectsOf(steps, { none: inconclusive("not_tested", "no result was sent") }, accepted)

/** The checks of an EMSP that receives command results. */
export const sentResultsChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CMD-107",
    consequenceOf: ["CMD-102"],
    title: "CommandResult: ACCEPTED is answered with status_code 1000",
    sends: "POST of ACCEPTED to the response_url of a command that the partner has sent",
    passes: "HTTP 2xx, status_code 1000",
    hint: "Answer with the OCPI envelope, without data.",
    ...taken(at("accepted"))
  },
  {
    ...base,
    id: "CMD-108",
    requires: plainResult,
    title: "CommandResult: every result of the version is answered with status_code 1000",
    reference: "mod_commands, CommandResultType enum",
    sends:
      "POST of each other value of CommandResultType, to the response_urls of several commands where there are",
    passes: "status_code 1000 each time",
    hint: "Accept every value of CommandResultType, also those that say that the command failed.",
    partial: true,
    ...taken(...wordSteps)
  },
  {
    ...base,
    id: "CMD-109",
    requires: plainResult,
    title: "CommandResult: status_code 2001 for an unknown result",
    strength: "should",
    reference: "status_codes, 2xxx: Client errors",
    sends: "POST of a CommandResult with the result MAYBE",
    passes: "status_code 2001",
    hint: "Compare result with CommandResultType before it is shown to the driver.",
    ...expectsOf(
      [at("invalid")],
      { none: inconclusive("not_tested", "no result was sent") },
      answer("status_code 2001", (seen) => !isServerError(seen) && statusCode(seen) === 2001)
    )
  },
  {
    ...base,
    id: "CMD-110",
    requires: plainResult,
    mode: "RO",
    title: "CommandResult: HTTP 401 without a token and for an unknown one",
    reference: "transport_and_format, Authorization header",
    sends: "POST to a response_url without a token, and with a random one",
    passes: "HTTP 401 both times",
    hint: "Check the Authorization header at the response_url too: the id in its path is no token.",
    ...expects(["commands.results-open"], unauthorized)
  },
  {
    ...base,
    id: "CMD-111",
    // A result of the command was sent before, so that the plain one may already be what is fallen over as a repeated one.
    requires: () => [{ check: "CMD-107", unless: isFallenOver }],
    title: "CommandResult: no HTTP 5xx when it is repeated",
    strength: "should",
    sends: "POST of the same result twice, and long after the command",
    passes: "no HTTP 5xx",
    hint: "Answer a repeated result with status_code 1000, and let the first one count.",
    ...expects([at("accepted"), at("again")], noServerError)
  },
  {
    ...base,
    id: "CMD-112",
    requires: plainResult,
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    title: "CommandResult: CANCELED_RESERVATION is answered with status_code 1000",
    reference: "mod_commands, CommandResultType enum",
    sends: "POST of CANCELED_RESERVATION to the response_url of an earlier RESERVE_NOW",
    passes: "HTTP 2xx, status_code 1000",
    hint: "Keep the response_url of a reservation open as long as the reservation.",
    ...expectsOf(
      [at("cancelled")],
      {
        none: inconclusive(
          "unobservable",
          "the partner has reserved nothing: reserve from its app, then run again"
        )
      },
      accepted
    )
  }
]
