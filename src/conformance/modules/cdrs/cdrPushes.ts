/** How a CPO sends us CDRs (mod_cdrs, Receiver Interface). */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { belowEndpoint } from "../../../findings/calledPath.ts"
import { mismatches } from "../../../findings/expectations.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, when } from "../../../findings/finding.ts"
import { type JsonObject, objectIn, sameId } from "../../../findings/json.ts"
import { toldOtherwise } from "../../../findings/objectDifferences.ts"
import { flawedPlaces } from "../../../findings/violations/flawedPlaces.ts"
import { inWords } from "../../../findings/words.ts"
import { blocked, type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { isPlaceFlawed } from "../charge/charging.ts"
import { cdrSeconds, chargingCalls, provokeCharge } from "../charge/chargingCalls.ts"
import {
  belongsTo,
  cdrCalls,
  completion,
  inPush,
  leavesSessionOut,
  listAfter,
  pushedCdrs,
  pushedSessions,
  unreadList,
  withoutCharge
} from "../charge/chargingPushes.ts"
import { allCdrs } from "../charge/toldCharges.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { lastReading, wholeListsOf } from "../shared/lists.ts"
import { toldOfList } from "../shared/objects/listedFlaws.ts"
import { blockedByNewIds } from "../shared/readings/newIds.ts"

const base = {
  module: "cdrs",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "OBS",
  strength: "must",
  reference: "mod_cdrs, Receiver Interface, POST Method",
  sends: "no request: the check looks at the CDRs that the partner sends during the run",
  needs: () => [chargingCalls]
} as const

const onCalls =
  (
    calls: (evidence: Evidence) => ReadonlyArray<Observation>,
    judge: (calls: ReadonlyArray<Observation>, evidence: Evidence) => ReadonlyArray<Finding>
  ) =>
  (evidence: Evidence): Judgement => {
    const found = calls(evidence)
    return found.length === 0
      ? inconclusive("unobservable", provokeCharge)
      : noneOf(judge(found, evidence), `${found.length} calls looked at`)
  }

/** A CDR is posted to the endpoint itself; its URL is the one that the answer gives (mod_cdrs, Receiver Interface, POST Method). */
const atAnotherUrl = (seen: Observation): ReadonlyArray<Finding> => {
  const below = belowEndpoint(seen.exchange)
  return when(below.length > 0, () =>
    finding(
      seen,
      `a CDR was posted to ${["cdrs", ...below].join("/")}, below the endpoint, and did not arrive`,
      {
        expected: "POST cdrs",
        actual: ["POST cdrs", ...below].join("/"),
        hint: "POST each CDR to the URL of our cdrs endpoint, with nothing added to it; read it back at the URL in the Location header of our answer."
      }
    )
  )
}

/** What is wrong with a CDR that was sent, or with how it was. */
const sentWrong = (seen: Observation, { profile }: Evidence): ReadonlyArray<Finding> => {
  const { method } = seen.exchange.request
  return method === "POST"
    ? [...atAnotherUrl(seen), ...mismatches(seen, profile.objects.CDR, seen.json)]
    : [inPush(seen, "", `a CDR was sent by ${method}`, { expected: "POST", actual: method })]
}

/** Judge how a CPO sends CDRs, and what its list says afterwards (mod_cdrs, Receiver Interface, POST Method). */
export const cdrPushesChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "CDR-034",
    title: "POST of a CDR: valid, and never PUT, PATCH or DELETE",
    passes:
      "POST to our cdrs endpoint of a CDR that conforms to the version's schema; never PUT, PATCH or DELETE",
    hint: "Send a CDR once and never change it; correct it by a Credit CDR where the version has them.",
    requires: () =>
      toldOfList(allCdrs, (evidence) => cdrCalls(evidence).flatMap((seen) => sentWrong(seen, evidence))),
    judge: onCalls(cdrCalls, (calls, evidence) => calls.flatMap((seen) => sentWrong(seen, evidence)))
  },
  {
    ...base,
    id: "CDR-035",
    title: "POST of a CDR: once for each id",
    strength: "should",
    passes: "no id twice, unless we did not accept it the first time",
    hint: "Repeat a POST only when its answer was lost or said that it failed.",
    judge: onCalls(pushedCdrs, (calls) =>
      calls
        .filter((seen, index) => calls.slice(0, index).some((one) => isTaken(one) && isSame(one, seen)))
        .map((seen) =>
          inPush(seen, "/id", "the CDR was sent before and accepted", {
            expected: "each id once",
            actual: objectIn(seen.json)["id"]
          })
        )
    )
  },
  {
    ...base,
    id: "CDR-036",
    consequenceOf: ["JRN-007", "SESS-029"],
    title: `CDR: sent or listed within ${cdrSeconds} s after a session is COMPLETED`,
    strength: "should",
    reference: "mod_cdrs, Flow and Lifecycle",
    sends: `GET cdrs from the start of the run; the check waits up to ${cdrSeconds} seconds for the last CDR`,
    passes: `a CDR of each COMPLETED session that took energy, sent or listed within ${cdrSeconds} seconds`,
    hint: "Make the CDR as soon as the session is COMPLETED; tell EMSPs when it takes longer by agreement.",
    needs: () => [chargingCalls, "cdrs.told"],
    partial: true,
    judge: onAllCalls(chargingCalls, ["cdrs"], (evidence) => {
      const ended = pushedSessions(evidence).flatMap((session) => {
        const end = completion(session)
        // A session without energy, for instance a reservation, may end without a CDR.
        return end?.state === undefined || end.state["kwh"] === 0 ? [] : [{ ...end, state: end.state }]
      })
      if (ended.length === 0) return withoutCharge(evidence)
      const list = listAfter(evidence, "cdrs")
      const known = [...pushedCdrs(evidence).map(({ json }) => objectIn(json)), ...(list ?? [])]
      // By an id, an EVSE or a start that is none, no CDR is found; SESS-024 tells of these.
      const without = ended.filter(
        ({ state }) => !known.some((cdr) => belongsTo(cdr, state, evidence)) && !isUnlinked(state, evidence)
      )
      if (list === undefined && without.length > 0) return inconclusive("not_tested", unreadList("CDRs"))
      const missing = without.filter(
        ({ state }) => !known.some((cdr) => leavesSessionOut(cdr, state, evidence))
      )
      const [unnamed] = without
      if (unnamed !== undefined && missing.length === 0)
        return blocked({
          check: "CDR-020",
          exchangeId: unnamed.seen.exchange.id,
          what: "a CDR has to name its session, and the one with the EVSE and the start of this session has no session_id"
        })
      return noneOf(
        missing.map(({ seen, state }) =>
          inPush(seen, "/id", "no CDR of the COMPLETED session was sent or listed", {
            expected: "a CDR of it",
            actual: state["id"]
          })
        ),
        `${ended.length} sessions looked at`
      )
    })
  },
  {
    ...base,
    id: "CDR-037",
    title: "GET cdrs: the same CDRs as were sent",
    reference: "mod_cdrs, Sender Interface, GET Method",
    sends: "GET cdrs from the start of the run, after what was sent",
    passes: "each CDR that was sent is in the list, with the same fields",
    hint: "Send and list the same object; check that both come from the same data.",
    requires: wholeListsOf(["cdrs.told"]),
    needs: () => [chargingCalls, "cdrs.told"],
    ifGathered: () => [`cdrs.${lastReading}`],
    judge: (evidence) => {
      const list = listAfter(evidence, "cdrs")
      const by = blockedByNewIds(evidence, "cdrs")
      if (by !== undefined) return blocked(by)
      return list === undefined
        ? inconclusive("not_tested", unreadList("CDRs"))
        : onCalls(pushedCdrs, (calls) => calls.flatMap((seen) => unlike(seen, list, evidence)))(evidence)
    }
  }
]

/** Is what a CDR would be found by (`belongsTo`), or whether one is due, a flaw of the session? */
const isUnlinked = (session: JsonObject, evidence: Evidence) => {
  const { cdrDetails, objects, sessionNames } = evidence.profile
  const isFlawed = flawedPlaces(objects.Session, session)
  const isLinkFlawed = cdrDetails
    ? isFlawed("/id")
    : isFlawed(`/${sessionNames.start}`) || isPlaceFlawed(session, evidence)
  return isLinkFlawed || isFlawed("/kwh")
}

const isTaken = ({ exchange }: Observation) =>
  exchange.response !== null &&
  exchange.response.httpStatus < 300 &&
  exchange.response.ocpiStatusCode === 1000

const isSame = (a: Observation, b: Observation) => sameId(objectIn(a.json)["id"], objectIn(b.json)["id"])

function unlike(
  seen: Observation,
  list: ReadonlyArray<Readonly<Record<string, unknown>>>,
  { profile }: Evidence
): ReadonlyArray<Finding> {
  const { id } = objectIn(seen.json)
  const found = list.find((cdr) => sameId(cdr["id"], id))
  if (found === undefined)
    return [inPush(seen, "/id", "the CDR is not in the list", { expected: inWords(id), actual: undefined })]
  return toldOtherwise(profile, "CDR", seen.json, found).map(({ actual, expected, pointer }) =>
    inPush(seen, pointer, "the CDR in the list differs from what was sent", {
      expected: JSON.stringify(expected),
      actual
    })
  )
}
