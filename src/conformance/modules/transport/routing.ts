/** Routing headers and message ids: on the answers to us. */

import type { Ambiguity } from "../../../../schema/Assertion.ts"
import { versionsWhere } from "../../../../schema/ocpi/versions.ts"
import { header, isServerError, itemsOf, named, succeeded } from "../../../findings/answers.ts"
import { accepted } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, given, unexpected, unless } from "../../../findings/finding.ts"
import { isFunctional } from "../../../party/wire/routing.ts"
import { type Check, either, inconclusive, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { expects, expectsUnless } from "../../model/expects.ts"
import { isHub } from "../shared/hubs.ts"
import { listsOf, refusedAnyway } from "../shared/lists.ts"
import { allAnswers, everyAnswer, transportChapter } from "./everyAnswer.ts"

/** Versions with routing headers. */
export const routed = versionsWhere(({ routingHeaders }) => routingHeaders)
/** OCPI document and section of message routing. */
export const routingReference = `${transportChapter}, Message routing`
/** The routing headers. */
export const routingNames = [
  "OCPI-from-country-code",
  "OCPI-from-party-id",
  "OCPI-to-country-code",
  "OCPI-to-party-id"
] as const

const base = {
  module: "transport",
  versions: routed,
  roles: either,
  mode: "RO",
  reference: routingReference
} as const

/** The text gives a status code for an unknown receiver to hubs, and says nothing of other platforms. */
const unknownReceiver: Ambiguity = {
  readings: [
    "a platform answers for its own parties, and refuses requests to others",
    "a platform that is no hub may ignore the routing headers"
  ],
  section: "status_codes, 4xxx: Hub errors; transport_and_format, Message routing"
}

/** Are both platforms one party each? Then the routing headers may be left out. Behind a hub there are always others. */
export const isPointToPoint = (evidence: Evidence): boolean =>
  (evidence.party.counterpart.parties?.length ?? 0) <= 1 && !isHub(evidence)

const swapped = (name: string) =>
  name.includes("-from-") ? name.replace("-from-", "-to-") : name.replace("-to-", "-from-")

/** Routing headers of a response that are not those of the request with from and to swapped. */
const notSwapped = (seen: Answered): ReadonlyArray<Finding> =>
  routingNames.flatMap((name) => {
    const expected = seen.exchange.request.headers[swapped(name).toLowerCase()]
    const actual = header(seen, name)
    return given(actual?.toUpperCase() === expected?.toUpperCase() ? undefined : expected, (expected) =>
      finding(seen, `${named(seen)}: ${name} is not the ${swapped(name)} of the request`, {
        expected,
        actual: actual ?? "absent"
      })
    )
  })

const present = (seen: Answered) => routingNames.filter((name) => header(seen, name) !== undefined)

const unknownRecipient = "routing.unknown-recipient"

/** The answer to a request to a party that does not exist. */
const toUnknownParty = expectsUnless([unknownRecipient], refusedAnyway, (seen, evidence) => {
  if (isServerError(seen)) return [unexpected(seen, "an OCPI status code 2xxx, or HTTP 4xx")]
  if (!succeeded(seen)) return []
  // A hub is there to find the receiver, and has a status code for one that it does not know.
  if (isHub(evidence)) return [unexpected(seen, "status_code 4001")]
  return unless((itemsOf(seen)?.length ?? 0) === 0, () => ({
    ...unexpected(seen, "an OCPI status code 2xxx, or HTTP 4xx"),
    ambiguous: unknownReceiver
  }))
})

/** Judge routing headers and message ids of the responses of the partner (transport_and_format, Message routing). */
export const routingChecks: ReadonlyArray<Check> = [
  {
    ...everyAnswer,
    id: "TRANS-029",
    versions: routed,
    title: "Responses: the routing headers are those of the request, from and to swapped",
    lenient: () => true,
    reference: routingReference,
    passes:
      "every response of success has all four, to and from swapped; they may be left out where both sides are one party",
    hint: "Swap the headers of the request: OCPI-from of the response is the party that was asked, OCPI-to the one that asked.",
    judge: (evidence) => {
      const toNobody = new Set(evidence.answered(unknownRecipient).map(({ exchange }) => exchange.id))
      // A partner that serves a request without our token cannot tell which party sent it.
      const seen = allAnswers(evidence).filter(
        (one) =>
          succeeded(one) &&
          one.isUnusual !== true &&
          isFunctional(one.exchange.module) &&
          !toNobody.has(one.exchange.id)
      )
      if (seen.length === 0) return inconclusive("not_tested", "no request to a functional module went well")
      const due = isPointToPoint(evidence) ? seen.filter((one) => present(one).length > 0) : seen
      return due.length === 0
        ? inconclusive(
            "not_applicable",
            "both platforms are one party each, and the partner leaves the headers out"
          )
        : noneOf(due.flatMap(notSwapped), `${due.length} answers looked at`)
    }
  },
  {
    ...base,
    id: "TRANS-031",
    title: "Responses of versions and credentials: no routing headers",
    strength: "must",
    lenient: () => true,
    sends: "no request of its own: the check looks at the answers to versions, details and credentials",
    passes: "no OCPI-to and OCPI-from headers",
    hint: "Leave OCPI-to and OCPI-from out of these responses: versions, credentials and hubclientinfo are between platforms.",
    partial: true,
    ...expects(["versions", "details", "credentials"], (seen) =>
      (isFunctional(seen.exchange.module) ? [] : present(seen)).map((name) =>
        finding(seen, `${named(seen)} came with ${name}`, {
          expected: "no routing headers",
          actual: header(seen, name) ?? ""
        })
      )
    )
  },
  {
    ...base,
    id: "TRANS-033",
    title: "Routing: a request to an unknown party is refused",
    strength: "should",
    sends: "GET of a list with OCPI-to naming a party that does not exist",
    passes: "no list: an OCPI or HTTP error",
    hint: "Look the addressed party up before the answer is made, as a platform with several parties must.",
    ...toUnknownParty,
    // Read first, so that it is known whether there is anything to be refused; what is wrong with it is another check's.
    requires: ({ profile, role }) =>
      listsOf(profile, role)
        .slice(0, 1)
        .map((list) => ({ answers: `${list}.list`, what: `GET of ${list}`, rule: () => [] })),
    judge: (evidence) => {
      const judgement = toUnknownParty.judge(evidence)
      const seen = evidence.answered(unknownRecipient).find(succeeded)
      const isEmpty = evidence
        .answered(`${seen?.exchange.module}.list`)
        .some((one) => itemsOf(one)?.length === 0)
      return judgement.is === "pass" && seen !== undefined && isEmpty
        ? inconclusive(
            "unobservable",
            "the list is empty for the party that is known, too: add an object, then run again"
          )
        : judgement
    }
  },
  {
    ...base,
    id: "TRANS-034",
    title: "Routing: names and values of the headers are read without regard to case",
    strength: "should",
    reference: `${routingReference}; types, CiString type`,
    sends: "GET of a list with names and values of the routing headers in lower case",
    passes: "answered as with upper case",
    hint: "Compare header names, country codes and party ids without regard to case.",
    ...expectsUnless(["routing.lower-case"], refusedAnyway, accepted)
  }
]
