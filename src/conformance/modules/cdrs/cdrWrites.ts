/** What an EMSP does with the CDRs that we send to it (mod_cdrs, Receiver Interface), in one script. */

import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { dataOf, header, named, statusLine, succeeded } from "../../../findings/answers.ts"
import { refused } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { type JsonObject, objectIn } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import { blocked, type Judgement, noneOf, pass } from "../../model/Check.ts"
import type { Answered } from "../../model/Evidence.ts"
import { differsIn, isBlockedLink } from "../../model/isBlockedLink.ts"
import { cdr, cost, credit, dearer, elsewhere, foreign, minimal, reservation } from "../charge/sentCdrs.ts"
import { foreignCard, placeStep, tokenProbes } from "../charge/testCharge.ts"
import { whoseToken } from "../shared/emspParties.ts"
import { notOfHubs } from "../shared/hubs.ts"
import { receiver } from "../shared/receivers/receiver.ts"
import { given, judging, optional, rejected, same, taken } from "../shared/receivers/receiverProofs.ts"
import { accepts, refuses, refusesInvalid, returns } from "../shared/receivers/receiverRules.ts"
import { rule, script } from "../shared/receivers/receiverScript.ts"
import { type ScriptEvidence, type ScriptStep, without } from "../shared/receivers/receiverSteps.ts"
import { atUrl, post, posted, spoilt } from "./cdrSteps.ts"

const details = { isIn: ({ cdrDetails }: VersionProfile) => cdrDetails }
const reserves = { isIn: ({ reservationSession }: VersionProfile) => reservationSession }

/** Longest URL, in characters. */
const longestUrl = 255

const readBack = atUrl("read back", "GET")
const postedAgain = post("post again", cdr("C1"), { isCleanedUp: false })
const readAfterDearer = atUrl("read after dearer", "GET")

/** The CDR still has the total_cost of that object; not judged if it cannot be read. */
const unchanged = (step: ScriptStep, before: (evidence: ScriptEvidence) => JsonObject = posted.json) =>
  optional(same(step, { expected: (evidence) => ({ total_cost: before(evidence)["total_cost"] }) }))

/** The CDR as it was read after the POST of another one with its id: that it was replaced then, CDR-106 reports. */
const asLastRead = (evidence: ScriptEvidence): JsonObject => {
  const seen = evidence.answerTo(readAfterDearer)
  const read = seen === undefined || !succeeded(seen) ? {} : objectIn(dataOf(seen))
  return "total_cost" in read ? read : posted.json(evidence)
}

/** The probes and checks of CDRs that an EMSP receives. */
export const cdrWrites = receiver(
  {
    module: "cdrs",
    noun: "CDR",
    roles: ["EMSP"],
    after: tokenProbes,
    plain: "CDR-101",
    excuse: foreignCard,
    returned: "CDR-103",
    reference: "mod_cdrs, Receiver Interface, POST Method"
  },
  [
    script("write", [
      placeStep("location", "C"),
      accepts("CDR-101", posted, {
        title: "POST of a CDR is accepted",
        sends: "POST of a CDR of three cents for one of the partner's tokens",
        hint: "Compare your checks with the CDR object of the version: this CDR has every required field, and each field is valid."
      }),
      rule("CDR-102", {
        proofs: [
          given(taken(posted), "the CDR was not accepted"),
          judging(posted, wrongLocation),
          judging(posted, unreadable)
        ],
        title: "The answer to a POST has the URL of the CDR in its Location header",
        sends: "POST of a CDR",
        passes: `a Location header with an absolute URL of at most ${longestUrl} characters`,
        hint: "Give the URL of the CDR in the Location header of the answer: the CPO has no other way to read the CDR."
      }),
      {
        ...returns("CDR-103", readBack, {
          reference: "mod_cdrs, Receiver Interface, GET Method",
          sends: "GET of the URL of the Location header"
        }),
        proofs: [
          { ...judging(readBack, locationServes), isPrecondition: true },
          same(readBack, { main: true })
        ]
      },
      rule("CDR-105", {
        proofs: [
          given(taken(posted), "the CDR was not accepted the first time"),
          judging(postedAgain, (again, evidence) =>
            succeeded(again)
              ? (unreadFirst(again, evidence) ?? noneOf(otherPlace(evidence.answerTo(posted), again)))
              : noneOf(refused("HTTP 404, or status_code 2xxx")(again))
          )
        ],
        consequenceOf: ["CDR-102"],
        title: "A CDR that is posted twice is stored once",
        strength: "should",
        sends: "POST of the same CDR once more",
        passes: "the same Location as before, or status_code 2xxx",
        hint: "Look the id up first: a CPO repeats a POST whose answer it did not get."
      }),
      rule("CDR-106", {
        proofs: [
          given(taken(posted), "the first CDR was not accepted"),
          { ...judging(posted, storedTwice), isPrecondition: true },
          rejected(
            post("post dearer", dearer, { about: "known id, other total_cost", isCleanedUp: false }),
            "status_code 2xxx"
          ),
          unchanged(readAfterDearer)
        ],
        title: "Another CDR with a known id is refused",
        strength: "should",
        reference: "mod_cdrs, CDR Object; Credit CDRs",
        sends: "POST of a CDR with the same id and another total_cost, then GET",
        passes: "status_code 2xxx; the first CDR is unchanged",
        hint: "Refuse another CDR with a known id: corrections come as a Credit CDR and a new CDR."
      }),
      rule("CDR-109", {
        proofs: [
          ...[atUrl("put", "PUT", dearer), atUrl("patch", "PATCH", cost(9)), atUrl("delete", "DELETE")].map(
            (step) => rejected(step, "HTTP 405 or 404")
          ),
          unchanged(atUrl("read kept", "GET"), asLastRead)
        ],
        title: "A CDR is neither changed nor deleted",
        reference: "mod_cdrs, Receiver Interface",
        sends: "PUT, PATCH and DELETE of the URL of the CDR, then GET",
        passes: "no success, and the CDR is unchanged",
        hint: "Offer only GET at the URL of a CDR; answer HTTP 405 to every other method."
      }),
      refusesInvalid("CDR-104", {
        proofs: [
          ...spoilt("no total_cost", "W0", without("total_cost")),
          ...spoilt("no charging_periods", "W1", without("charging_periods")),
          ...spoilt("dimension KWH", "W2", (whole) => ({
            ...whole,
            charging_periods: [
              { start_date_time: whole["start_date_time"], dimensions: [{ type: "KWH", volume: 1.5 }] }
            ]
          }))
        ],
        sends:
          "POST of a CDR without total_cost, without charging_periods, with a dimension KWH; GET of each where its URL can be known",
        passes: "status_code 2001 each time, and nothing was stored"
      }),
      accepts("CDR-107", post("credit", credit, { ...details, undoes: posted, isCleanedUp: false }), {
        title: "POST of a Credit CDR is accepted",
        reference: "mod_cdrs, Credit CDRs",
        sends: "POST of a Credit CDR for the first one, its id with -C",
        hint: "Accept Credit CDRs: their ids have up to 39 characters, and their total_cost is negative."
      }),
      accepts("CDR-108", post("reservation", reservation, reserves), {
        title: "POST of the CDR of a reservation that was not used is accepted",
        reference: "mod_cdrs, CdrLocation class, CdrDimensionType enum",
        sends: "POST of a CDR with #NA for EVSE and connector, and RESERVATION_TIME only",
        hint: "Accept #NA as evse_uid and connector_id without looking it up: it stands for an id that was never known."
      }),
      accepts("CDR-110", post("elsewhere", elsewhere), {
        strength: "should",
        reference: "mod_cdrs, CDR Object",
        sends: "POST of a CDR at a location that was never pushed",
        hint: "Accept CDRs at locations that you do not know: cdr_location has the data of the location."
      }),
      notOfHubs(
        refuses("CDR-111", post("foreign", foreign, { about: "token of another EMSP" }), {
          sends: "POST of a CDR that names a token of another EMSP",
          passes: "status_code 2xxx",
          readings: whoseToken(
            "mod_cdrs, Receiver Interface, POST Method; status_codes, 2xxx: Client errors"
          ),
          hint: "Answer status_code 2004 where the version has it, else 2001: the token is not one of yours."
        })
      ),
      accepts("CDR-112", post("minimal", minimal, details), {
        title: "POST of a CDR with the required fields only is accepted",
        strength: "should",
        reference: "mod_cdrs, CDR Object",
        sends: "POST of a CDR without session_id and the other optional fields",
        hint: "Accept a CDR without its optional fields, session_id among them."
      })
    ])
  ]
)

function wrongLocation(seen: Answered) {
  const location = header(seen, "location")
  const wrong = (message: string, actual: string, strength?: Finding["strength"]) =>
    noneOf([
      {
        message,
        expected: `an absolute URL of at most ${longestUrl} characters`,
        actual,
        exchangeId: seen.exchange.id,
        ...(strength === undefined ? {} : { strength })
      }
    ])
  if (location === undefined) return wrong("the answer has no Location header", "absent")
  if (location.length > longestUrl)
    return wrong("the URL in the Location header is too long", `${location.length} characters`)
  return URL.canParse(location)
    ? noneOf([])
    : wrong("the Location header is not an absolute URL", location, "should")
}

/** Nothing can be read at the URL: it leads where our token must not go, or the partner has nothing there. */
function unreadable(seen: Answered, evidence: ScriptEvidence): Judgement {
  const [read] = evidence.seen(`cdrs.write#${readBack.id}`)
  if (read === undefined) return pass()
  const { exchange } = read
  const isElsewhere = isBlockedLink(read)
  if (!isElsewhere && exchange.response?.httpStatus !== 404) return pass()
  const came = isElsewhere
    ? `leads to ${differsIn(exchange, seen.exchange.request.url)}: ${exchange.fault?.message ?? exchange.outcome}`
    : "is answered HTTP 404"
  return noneOf([
    {
      message: `the URL in the Location header ${came}`,
      expected: "a URL at which the CPO can read the CDR",
      actual: exchange.request.url,
      exchangeId: isElsewhere ? seen.exchange.id : exchange.id,
      strength: "should"
    }
  ])
}

/** What is read at a URL that serves nothing says nothing about the CDR: CDR-102 reports the URL. */
function locationServes(seen: Answered): Judgement {
  return seen.response.httpStatus === 404
    ? blocked({
        check: "CDR-102",
        exchangeId: seen.exchange.id,
        what: `the URL in the Location header has to serve the CDR, and ${named(seen)} was answered ${statusLine(seen)}`
      })
    : pass()
}

/** Where the first answer gave no URL that serves the CDR, another one shows no second CDR: CDR-102 reports that. */
function unreadFirst(again: Answered, evidence: ScriptEvidence): Judgement | undefined {
  const first = evidence.answerTo(posted)
  if (first === undefined || otherPlace(first, again).length === 0) return undefined
  if (header(first, "location") === undefined)
    return blocked({
      check: "CDR-102",
      exchangeId: first.exchange.id,
      what: `the URL of the first CDR has to be known, and ${named(first)} had no Location header`
    })
  const read = evidence.answerTo(readBack)
  const served = read === undefined ? pass() : locationServes(read)
  return served.is === "pass" ? undefined : served
}

/** A partner that stores the same CDR twice does not look the id up, of another CDR with it either: CDR-105 reports that. */
function storedTwice(first: Answered, evidence: ScriptEvidence): Judgement {
  const again = evidence.answerTo(postedAgain)
  const isStored =
    again !== undefined &&
    succeeded(again) &&
    unreadFirst(again, evidence) === undefined &&
    otherPlace(first, again).length > 0
  return isStored
    ? blocked({
        check: "CDR-105",
        exchangeId: again.exchange.id,
        what: `a known id has to be looked up, and ${named(again)} stored the same CDR a second time`
      })
    : pass()
}

function otherPlace(first: Answered | undefined, again: Answered): ReadonlyArray<Finding> {
  const before = first && header(first, "location")
  const now = header(again, "location")
  return before === now || now === undefined
    ? []
    : [
        {
          message: "the same CDR was stored a second time at another address",
          expected: inWords(before),
          actual: now,
          exchangeId: again.exchange.id
        }
      ]
}
