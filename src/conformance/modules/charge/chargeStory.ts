/** A whole charge as a CPO pushes it: whether session, CDR, EVSE and lists agree (mod_sessions, mod_cdrs). */

import type { BlockedBy } from "../../../../schema/Assertion.ts"
import { versionNumbers, versionsWhere } from "../../../../schema/ocpi/versions.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless } from "../../../findings/finding.ts"
import { isObject, type JsonObject, objectIn, sameId, textIn } from "../../../findings/json.ts"
import { isEmpty, objectDifferences, toldOtherwise } from "../../../findings/objectDifferences.ts"
import { flawedPlaces } from "../../../findings/violations/flawedPlaces.ts"
import { inWords } from "../../../findings/words.ts"
import { isReservation } from "../../../ocpi/reservedSession.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { blocked, type Check, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { lastReading, wholeListsOf } from "../shared/lists.ts"
import { blockedByNewIds } from "../shared/readings/newIds.ts"
import { unknownEvse } from "../shared/unknownEvse.ts"
import { dimensionsOf, isPlaceFlawed, placeIdsOf } from "./charging.ts"
import { chargingCalls, provokeCharge } from "./chargingCalls.ts"
import {
  belongsTo,
  completion,
  inPush,
  listAfter,
  type PushedCharge,
  pushedCdrs,
  pushedCharges,
  pushedSessions,
  pushedStatuses,
  unreadList,
  withoutCharge
} from "./chargingPushes.ts"

const base = {
  module: "cdrs",
  versions: versionNumbers,
  roles: ["CPO"],
  mode: "OBS",
  strength: "must",
  sends: "no request: the check looks at the session and the CDR that the partner sends of one charge",
  needs: () => [chargingCalls]
} as const

/** The fields that identify a token (mod_cdrs, CdrToken class): a partner's own fields beside them may differ. */
const tokenFields = ["country_code", "party_id", "uid", "type", "contract_id"]

const tokenIn = (named: unknown): unknown =>
  isObject(named)
    ? Object.fromEntries(Object.entries(named).filter(([name]) => tokenFields.includes(name)))
    : named

/** Judges each charge. `lacksIn`: what keeps a charge from being judged; where it does so with all of them, the check is blocked. */
const onCharges =
  (
    judge: (charge: PushedCharge, evidence: Evidence) => ReadonlyArray<Finding>,
    lacksIn: (charge: PushedCharge, evidence: Evidence) => BlockedBy | undefined = () => undefined
  ) =>
  (evidence: Evidence): Judgement => {
    const [first, ...rest] = pushedCharges(evidence)
    if (first === undefined) return withoutCharge(evidence)
    const all = [first, ...rest].filter((charge) => lacksIn(charge, evidence) === undefined)
    const by = lacksIn(first, evidence)
    return all.length === 0 && by !== undefined
      ? blocked(by)
      : noneOf(
          all.flatMap((charge) => judge(charge, evidence)),
          `${all.length} charges looked at`
        )
  }

/** Does the session or CDR name a token that is one? Of any other the check of its form tells. */
const namesToken = (name: "Session" | "CDR", json: JsonObject, { profile }: Evidence): boolean => {
  const { tokenReference } = profile
  const isFlawed = flawedPlaces(profile.objects[name], json)
  return (
    json[tokenReference] !== undefined &&
    ["", ...tokenFields.map((field) => `/${field}`)].every((part) => !isFlawed(`/${tokenReference}${part}`))
  )
}

/** No push of the session names a token, so that none can be kept; SESS-024 reports that. */
const untold = ({ pushed }: PushedCharge, evidence: Evidence): BlockedBy | undefined => {
  const [first] = pushed.pushes
  return first === undefined || pushed.pushes.some(({ body }) => namesToken("Session", body, evidence))
    ? undefined
    : {
        check: "SESS-024",
        exchangeId: first.seen.exchange.id,
        what: `no push of the session has a valid ${evidence.profile.tokenReference}`
      }
}

/**
 * Judge whether session, CDR, EVSE and lists of one charge agree (mod_sessions, Session Object; mod_cdrs, CDR Object;
 * mod_locations, Status enum).
 */
export const chargeStoryChecks: ReadonlyArray<Check> = [
  {
    ...base,
    id: "JRN-003",
    title: "Charge: session and CDR name the same token",
    reference: "mod_sessions, Session Object; mod_cdrs, CDR Object",
    passes: "the same token in every push of the session and in its CDR",
    hint: "Keep the token with which the session began, and copy it into the CDR.",
    judge: onCharges(({ cdr, pushed, seen }, evidence) => {
      const { profile } = evidence
      const name = profile.tokenReference
      const pushes = pushed.pushes.filter(({ body }) => namesToken("Session", body, evidence))
      const later = [
        ...pushes.map(({ body, seen: at }) => ({ body, at })),
        ...(namesToken("CDR", cdr, evidence) ? [{ body: cdr, at: seen }] : [])
      ]
      return later.flatMap(({ at, body }) =>
        objectDifferences(tokenIn(pushes[0]?.body[name]), body[name], profile).map(
          ({ actual, expected, pointer }) =>
            inPush(at, `/${name}${pointer}`, "the token is not that of the first push", {
              expected: inWords(expected),
              actual
            })
        )
      )
    }, untold)
  },
  {
    ...base,
    id: "JRN-004",
    title: "Charge: the EVSE is CHARGING during the session and AVAILABLE after it",
    strength: "should",
    reference: "mod_locations, Status enum",
    sends: "no request: the check looks at the status of the EVSE that the partner pushes with a session",
    passes: "CHARGING after the session begins, AVAILABLE after it ends",
    hint: "Push the status of the EVSE whenever a session begins or ends there.",
    judge: onAllCalls(
      chargingCalls,
      ["locations"],
      onCharges(({ pushed, session }, evidence) => {
        const { evse } = placeIdsOf(session, evidence.profile, "sessions")
        // A command of ours named this EVSE, which does not exist: the partner has no status of it to push.
        if (sameId(evse, unknownEvse)) return []
        if (isPlaceFlawed(session, evidence)) return []
        const statuses = pushedStatuses(evidence, evse)
        if (statuses.some((one) => one.isFlawed)) return []
        const [began, ended] = [pushed.pushes[0]?.seen, completion(pushed)?.seen]
        if (began === undefined || ended === undefined) return []
        const charging = statuses.findIndex(
          ({ seen, status }) => status === "CHARGING" && isNear(seen, began, ended)
        )
        if (charging === -1)
          return [
            inPush(began, "", `EVSE ${inWords(evse)} was not pushed as CHARGING`, {
              expected: "CHARGING",
              actual: "nothing"
            })
          ]
        const free = statuses.slice(charging).some(({ status }) => status === "AVAILABLE")
        return unless(free, () =>
          inPush(ended, "", `EVSE ${inWords(evse)} was not pushed as AVAILABLE again`, {
            expected: "AVAILABLE",
            actual: "nothing"
          })
        )
      })
    )
  },
  {
    ...base,
    id: "JRN-005",
    title: "Charge: kwh, total_cost and currency of the session are those of the CDR",
    strength: "should",
    reference: "mod_sessions, Session Object; mod_cdrs, CDR Object",
    passes: "total_energy of the CDR is kwh of the session; total_cost and currency are the same in both",
    hint: "Make the CDR from the final state of the session.",
    judge: onCharges(({ cdr, seen, session }, { profile }) => {
      // What the session lacks is told by the checks of its pushes, and is no difference of the CDR.
      const told = Object.fromEntries(
        Object.entries({
          total_energy: session["kwh"],
          currency: session["currency"],
          total_cost: session["total_cost"]
        }).filter(([, value]) => !isEmpty(value))
      )
      const isFlawed = flawedPlaces(profile.objects.CDR, cdr)
      return toldOtherwise(profile, "CDR", told, cdr)
        .filter(({ pointer }) => !isFlawed(pointer))
        .map(({ actual, expected, pointer }) =>
          inPush(seen, pointer, "the CDR differs from the session", {
            expected: JSON.stringify(expected),
            actual
          })
        )
    })
  },
  {
    ...base,
    id: "JRN-007",
    versions: versionsWhere(({ reservationSession }) => reservationSession),
    title: "Reservation without a charge: kwh and total_energy are 0",
    strength: "should",
    reference: "mod_sessions, Session Object; mod_cdrs, CdrDimensionType enum",
    sends:
      "no request: the check looks at reservations that end without a charge, and at their CDRs if there are any",
    passes: "COMPLETED with kwh 0; a CDR has total_energy 0, and RESERVATION_TIME or total_reservation_cost",
    hint: "Bill the time of the reservation by RESERVATION_TIME, never by energy.",
    judge: (evidence) => {
      const unused = pushedSessions(evidence).flatMap((pushed) => {
        const states = pushed.pushes.map(({ state }) => sessionStatus(state))
        const end = completion(pushed)
        return isReservation(states[0]) && !states.includes("ACTIVE") && end?.state !== undefined
          ? [{ seen: end.seen, session: end.state }]
          : []
      })
      return unused.length === 0
        ? inconclusive(
            "unobservable",
            "reserve an EVSE and let the reservation run out while the run goes on"
          )
        : noneOf(unused.flatMap((one) => billedAsCharge(one, evidence)))
    }
  },
  {
    ...base,
    id: "JRN-009",
    title: "GET sessions and GET cdrs: every object that was pushed is listed",
    reference: "mod_sessions, Sender Interface; mod_cdrs, Sender Interface",
    sends: "GET sessions and cdrs from the start of the run, after the pushes",
    passes: "every session and every CDR that was pushed is in its list",
    hint: "List the same objects as you push, by their last_updated: an EMSP that missed a push reads the list.",
    requires: wholeListsOf(["sessions.told"], ["cdrs.told"]),
    needs: () => [chargingCalls, "sessions.told", "cdrs.told"],
    ifGathered: () => ["sessions", "cdrs"].map((module) => `${module}.${lastReading}`),
    judge: (evidence) => {
      const [sessions, cdrs] = (["sessions", "cdrs"] as const).map((module) => listAfter(evidence, module))
      if (sessions === undefined || cdrs === undefined)
        return inconclusive("not_tested", unreadList(sessions === undefined ? "sessions" : "CDRs"))
      const [ofSessions, ofCdrs] = ["sessions", "cdrs"].map((module) => blockedByNewIds(evidence, module))
      const told = [
        ...(ofSessions === undefined ? pushedSessions(evidence) : []).flatMap(({ id, pushes }) =>
          pushes.slice(0, 1).map(({ seen }) => ({ id, seen, list: sessions }))
        ),
        ...(ofCdrs === undefined ? pushedCdrs(evidence) : []).flatMap((seen) => {
          const id = textIn(objectIn(seen.json)["id"])
          return id === undefined ? [] : [{ id, seen, list: cdrs }]
        })
      ]
      const by = ofSessions ?? ofCdrs
      if (told.length === 0 && by !== undefined) return blocked(by)
      return told.length === 0
        ? inconclusive("unobservable", provokeCharge)
        : noneOf(
            told
              .filter(({ id, list }) => !list.some((one) => sameId(one["id"], id)))
              .map(({ id, seen }) =>
                inPush(seen, "/id", "the pushed object is not in the list", {
                  expected: id,
                  actual: undefined
                })
              ),
            `${told.length} objects looked at`
          )
    }
  }
]

function billedAsCharge(
  { seen, session }: { readonly seen: Observation; readonly session: Readonly<Record<string, unknown>> },
  evidence: Evidence
): ReadonlyArray<Finding> {
  const cdrs = pushedCdrs(evidence).filter(({ json }) => belongsTo(objectIn(json), session, evidence))
  return [
    ...unless(session["kwh"] === 0 || flawedPlaces(evidence.profile.objects.Session, session)("/kwh"), () =>
      inPush(seen, "/kwh", "kwh of a reservation without a charge is not 0", {
        expected: "0",
        actual: session["kwh"]
      })
    ),
    ...cdrs.flatMap((one) => {
      const cdr = objectIn(one.json)
      const isNamed =
        !isEmpty(cdr["total_reservation_cost"]) ||
        dimensionsOf(cdr).some(({ dimension }) => dimension["type"] === "RESERVATION_TIME")
      return unless(cdr["total_energy"] === 0 && isNamed, () =>
        inPush(
          one,
          "/total_energy",
          "the CDR of a reservation without a charge has energy, or no reservation time or cost",
          {
            expected: "total_energy 0, and RESERVATION_TIME or total_reservation_cost",
            actual: cdr["total_energy"]
          }
        )
      )
    })
  ]
}

/** The status of an EVSE may be pushed this long before its session. */
const headStartMillis = 60_000

function isNear({ exchange }: Observation, began: Observation, ended: Observation): boolean {
  const at = Date.parse(exchange.startedAt)
  return (
    at >= Date.parse(began.exchange.startedAt) - headStartMillis && at <= Date.parse(ended.exchange.startedAt)
  )
}
