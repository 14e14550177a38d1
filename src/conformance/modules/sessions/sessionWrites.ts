/** What an EMSP does with the sessions that we write to it (mod_sessions, Receiver Interface), in one script. */

import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { dataOf, statusLine, succeeded } from "../../../findings/answers.ts"
import { isObject, type JsonObject, objectIn } from "../../../findings/json.ts"
import { pass } from "../../model/Check.ts"
import { ending, foreignCard, placeStep, tokenProbes } from "../charge/testCharge.ts"
import {
  addNone,
  addPeriods,
  afterTheEnd,
  elsewhere,
  foreign,
  kwhAfterTheEnd,
  noPeriods,
  onePeriod,
  ourSessions,
  plainSession,
  progress,
  reservation,
  session,
  twoPeriods
} from "../charge/toldSessions.ts"
import { belowSession } from "../shared/besideOcpi.ts"
import { whoseToken } from "../shared/emspParties.ts"
import { notOfHubs } from "../shared/hubs.ts"
import { caseScript } from "../shared/receivers/idCase.ts"
import { type PatchedObject, unlikePatch } from "../shared/receivers/likePatches.ts"
import { readBackAtAll } from "../shared/receivers/lostFields.ts"
import { receiver } from "../shared/receivers/receiver.ts"
import {
  absent,
  given,
  invalid,
  judging,
  needed,
  optional,
  same,
  taken
} from "../shared/receivers/receiverProofs.ts"
import {
  accepts,
  creates,
  merges,
  refuses,
  refusesInvalid,
  refusesUnknown,
  replaces,
  returns
} from "../shared/receivers/receiverRules.ts"
import { rule, script } from "../shared/receivers/receiverScript.ts"
import {
  type Make,
  type ObjectPart,
  objectSteps,
  type ScriptEvidence,
  without
} from "../shared/receivers/receiverSteps.ts"

const { get, patch, put } = objectSteps(() => ourSessions)

const patchMethod = "mod_sessions, Receiver Interface, PATCH Method"
const appends = { isIn: ({ patchAppendsPeriods }: VersionProfile) => patchAppendsPeriods === true }
const reserves = { isIn: ({ reservationSession }: VersionProfile) => reservationSession }

const begun = put("put", session("S1"))
const read = get("read back", session("S1"))
const completed = patch("complete", session("S1"), ending, { undoes: begun })
const readCompleted = get("read completed", session("S1"))
const patchedLate = patch("after the end", session("S1"), afterTheEnd)
const readLate = get("read after the end", session("S1"))
const appendedNone = patch("append none", onePeriod, addNone, appends)
const readAppended = get("read appended", onePeriod, appends)

const periods: ObjectPart = {
  of: onePeriod,
  below: () => ["charging_periods"],
  part: "/charging_periods",
  json: onePeriod
}

/** The session as it was read before it was patched: what was lost until then is the matter of another rule. */
const progressed = (evidence: ScriptEvidence): JsonObject => {
  const before = evidence.answerTo(read)
  const known = before !== undefined && succeeded(before) ? dataOf(before) : read.json(evidence)
  return { ...objectIn(known), ...progress(evidence) }
}
const bothPeriods: Make = (evidence) => ({ charging_periods: twoPeriods(evidence)["charging_periods"] })
const theEnd: Make = (evidence) => {
  const { end } = evidence.profile.sessionNames
  const { [end]: ended, status } = ending(evidence)
  return { status, [end]: ended }
}

/** A PATCH of the script, by the ids of its step and of the GET after it. */
const patched = (step: string, reading: string, before: Make): PatchedObject => ({
  patch: `sessions.write#${step}`,
  read: `sessions.write#${reading}`,
  before,
  plain: plainSession
})
const firstPatch = { check: "SESS-103", ...patched("patch", "read patched", session("S1")) }

/** PUT of a session that is not valid, under an id of its own; and GET, which must not find it. */
const spoilt = (id: string, name: string, change: (whole: JsonObject) => JsonObject) => [
  invalid(put(id, session(name), { change, wrongOnPurpose: { body: id } })),
  absent(get(`read ${id}`, session(name)))
]

/** The probes and checks of sessions that an EMSP receives. */
export const sessionWrites = receiver(
  {
    module: "sessions",
    noun: "session",
    roles: ["EMSP"],
    after: tokenProbes,
    plain: "SESS-101",
    excuse: foreignCard,
    returned: "SESS-102",
    reference: "mod_sessions, Receiver Interface"
  },
  [
    script("write", [
      placeStep("location", "L"),
      creates("SESS-101", begun, {
        sends: "PUT of a new ACTIVE session of one of the partner's tokens"
      }),
      returns("SESS-102", read, { reference: "mod_sessions, Receiver Interface, GET Method" }),
      merges("SESS-103", {
        proofs: [
          needed(read),
          taken(patch("patch", session("S1"), progress)),
          same(get("read patched", session("S1")), { expected: progressed })
        ],
        reference: patchMethod,
        sends: "PATCH of kwh and last_updated, then GET",
        passes: "only kwh and last_updated have changed"
      }),
      rule("SESS-110", {
        requires: () => [unlikePatch(firstPatch, patched("complete", "read completed", session("S1")))],
        proofs: [
          taken(completed),
          needed(readCompleted),
          // If nothing can be read back, only the success of the PATCH can be judged.
          optional(same(readCompleted, { expected: theEnd }))
        ],
        title: "PATCH completes a session",
        reference: "mod_sessions, Receiver Interface, PATCH Method; SessionStatus enum",
        sends: "PATCH of status COMPLETED and the end, then GET",
        passes: "HTTP 200, status_code 1000; the session is COMPLETED and has its end",
        hint: "Take status and end from the PATCH like any other field."
      }),
      rule("SESS-111", {
        proofs: [
          judging(patchedLate, (seen, evidence) => {
            if (!succeeded(seen)) return pass(`refused: ${statusLine(seen)}`)
            const back = evidence.answerTo(readLate)
            const data = back === undefined || !succeeded(back) ? undefined : dataOf(back)
            if (!isObject(data)) return pass("accepted; the stored session cannot be read back")
            return pass(data["kwh"] === kwhAfterTheEnd ? "applied" : "ignored")
          }),
          needed(readLate)
        ],
        title: "PATCH of a COMPLETED session: applied, ignored or refused",
        strength: "may",
        reference: "mod_sessions, SessionStatus enum",
        sends: "PATCH of kwh of a COMPLETED session, then GET",
        passes: "recorded only: refused, ignored or applied",
        partial: true
      }),
      put("put one period", onePeriod, appends),
      rule("SESS-104", {
        requires: () => [unlikePatch(firstPatch, patched("append", "read appended", onePeriod))],
        proofs: [
          taken(patch("append", onePeriod, addPeriods(30, 1), appends)),
          same(readAppended, { expected: bothPeriods })
        ],
        title: "PATCH appends charging periods",
        reference: patchMethod,
        sends: "PUT with one charging period, PATCH with another, then GET",
        passes: "both periods, in their order",
        hint: "Add the charging periods of a PATCH to those that are kept, and do not replace them."
      }),
      rule("SESS-105", {
        requires: () => [unlikePatch(firstPatch, patched("append none", "read unchanged", twoPeriods))],
        proofs: [
          needed(appendedNone),
          given(same(readAppended, { expected: bothPeriods }), "the periods were not all there before it"),
          taken(appendedNone),
          same(get("read unchanged", onePeriod, appends), { expected: bothPeriods })
        ],
        title: "PATCH with an empty list keeps the charging periods",
        reference: patchMethod,
        sends: "PATCH with an empty list of charging periods, then GET",
        passes: "the periods are what they were",
        hint: "Keep the charging periods when a PATCH has an empty list: only a PUT empties the list."
      }),
      refuses(
        "SESS-107",
        patch("below the session", periods, addPeriods(45, 2), {
          ...appends,
          wrongOnPurpose: { target: belowSession }
        }),
        {
          title: "PATCH below a session is refused",
          reference: patchMethod,
          sends: "PATCH of {session_id}/charging_periods",
          passes: "HTTP 404 or 405, or status_code 2xxx",
          hint: "Answer HTTP 404 to requests for anything below a session: only the whole session has a URL."
        }
      ),
      replaces("SESS-106", {
        proofs: [
          taken(put("put no periods", noPeriods, appends)),
          same(get("read emptied", onePeriod, appends), {
            expected: () => ({}),
            gone: ["charging_periods"]
          })
        ],
        reference: "mod_sessions, Receiver Interface, PUT Method",
        sends: "PUT of the same session without charging periods, then GET",
        passes: "the session has no charging periods any more"
      }),
      // TRANS-052 judges it.
      patch("patch undated", noPeriods, () => ({ kwh: 3.5 }), {
        isIn: ({ patchNeedsLastUpdated }) => patchNeedsLastUpdated,
        wrongOnPurpose: { body: "last_updated is missing" }
      }),
      refusesUnknown("SESS-108", {
        steps: [
          [
            patch("unknown", session("S0"), progress, { about: "unknown session" }),
            get("read unknown", session("S0"))
          ]
        ],
        hint: "Answer HTTP 404 to a PATCH of what is not there: the CPO then sends the whole session."
      }),
      refusesInvalid("SESS-109", {
        proofs: [
          ...spoilt("no currency", "W0", without("currency")),
          ...spoilt("status FINISHED", "W1", (whole) => ({ ...whole, status: "FINISHED" })),
          ...spoilt("kwh as text", "W2", (whole) => ({ ...whole, kwh: "1.5" }))
        ],
        sends: "PUT of a session without currency, with status FINISHED, with kwh as text; GET of each",
        passes: "status_code 2001 each time, and nothing was stored"
      }),
      accepts("SESS-112", put("reservation", reservation, reserves), {
        title: "PUT of a reservation whose EVSE is not known yet is accepted",
        reference: "mod_sessions, Session Object; transport_and_format, No Data Available",
        sends: "PUT of a session with status RESERVATION, #NA for EVSE and connector, auth_method COMMAND",
        hint: "Accept #NA as evse_uid and connector_id without looking it up: it stands for an id that is not known yet."
      }),
      accepts("SESS-113", put("elsewhere", elsewhere), {
        strength: "should",
        reference: "mod_sessions, Session Object; mod_locations, Location Object (publish)",
        sends: "PUT of a session at a location that was never pushed",
        hint: "Accept sessions at locations that you do not know: home chargers and others that are not published have sessions too."
      }),
      notOfHubs(
        refuses("SESS-114", put("foreign", foreign, { about: "token of another EMSP" }), {
          sends: "PUT of a session that names a token of another EMSP",
          passes: "status_code 2xxx",
          readings: whoseToken(
            "mod_sessions, Receiver Interface, PUT Method; status_codes, 2xxx: Client errors"
          ),
          hint: "Answer status_code 2004 where the version has it, else 2001: the token is not one of yours."
        })
      )
    ]),
    caseScript(
      "SESS-115",
      { get, put },
      {
        noun: "session",
        idField: "id",
        object: session("MiXed"),
        otherwise: "the session was not accepted",
        strength: "should",
        requires: () => [readBackAtAll(plainSession)]
      }
    )
  ]
)
