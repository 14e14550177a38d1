/** A CDR beside the session that it is for (mod_cdrs, CDR Object; mod_sessions, Session Object). */
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { notAvailable } from "../../../../schema/ocpi/notAvailable.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { unless, when } from "../../../findings/finding.ts"
import { type JsonObject, objectIn, sameId, textIn } from "../../../findings/json.ts"
import { decimalOf, isMore, zero } from "../../../findings/money/decimal.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import { inWords } from "../../../findings/words.ts"
import { isReservation } from "../../../ocpi/reservedSession.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import type { Evidence } from "../../model/Evidence.ts"
import { isEpoch, isNear, placeIdsOf, summed } from "../charge/charging.ts"
import { pushedCharges, pushedSessions } from "../charge/chargingPushes.ts"
import { wrong } from "../shared/objects/objectRules.ts"
import { type Placed, withId } from "../shared/objects/Placed.ts"

/** Are the values the same, ids in any letters? */
export const sameValue = (a: unknown, b: unknown): boolean => a === b || sameId(a, b)

/** The session of those listed that a CDR is for. */
export function sessionOf({ json }: Placed, sessions: ReadonlyArray<Placed>): Placed | undefined {
  const isIts = (session: Placed | undefined) =>
    session !== undefined &&
    sameId(session.json["id"], json["session_id"]) &&
    sameId(session.json["party_id"], json["party_id"]) &&
    sameId(session.json["country_code"], json["country_code"])
  const first = withId(sessions, json["session_id"])
  // Several parties may have sessions of one id.
  return first === undefined || isIts(first) ? first : sessions.find(isIts)
}

/**
 * Did the charge begin as a reservation? Then the CDR starts with that, and the session when it became ACTIVE (mod_cdrs, CDR
 * Object, and mod_sessions, Session Object: start_date_time).
 */
function beganReserved(item: Placed, session: Placed, evidence: Evidence): boolean {
  const bills =
    !isEmpty(item.json["total_reservation_cost"]) ||
    [item, session].some(({ json }) => summed(json, "RESERVATION_TIME").some)
  return (
    bills ||
    pushedSessions(evidence).some(
      ({ id, pushes }) =>
        sameId(id, session.json["id"]) && pushes.some(({ state }) => isReservation(state?.["status"]))
    )
  )
}

/** Values of the SessionStatus enum beside COMPLETED: SESS-004 reports a status that there is not. */
const others = ["ACTIVE", "INVALID", "PENDING", "RESERVATION"]

/** Names the value nothing? That an id is missing is a finding of the object's own check. */
const isUnnamed = (id: unknown) => textIn(id) === undefined || id === notAvailable

/** Where the CDR differs from its session, of those listed; `session` is undefined if it is none of them. */
export function unlikeSession(
  item: Placed,
  session: Placed | undefined,
  evidence: Evidence
): ReadonlyArray<Finding> {
  const { profile } = evidence
  if (session === undefined)
    return [
      wrong(item, "session_id", "the session is not in the list of sessions", {
        expected: "a listed session",
        actual: item.json["session_id"]
      })
    ]
  const { json } = session
  const finding = (field: string, what: string, theirs: unknown, mine: unknown = item.json[field]) =>
    wrong(item, field, `${what} is not that of the session`, {
      expected: inWords(theirs),
      actual: mine
    })
  const uid = (of: JsonObject) => objectIn(of["cdr_token"])["uid"]
  const [total, kwh] = [decimalOf(item.json["total_energy"]), decimalOf(json["kwh"])]
  // CDR-008 reports a total_energy that is not that of its own periods, and CDR-005 an end before the start.
  const volumes = summed(item.json, "ENERGY")
  const isOwnSum = volumes.some && kwh !== undefined && isNear(volumes.sum, kwh, 0.01)
  // SESS-007 reports energy below 0.
  const isBelow = kwh !== undefined && isMore(zero, kwh)
  const [start, end] = [profile.cdrNames.start, profile.cdrNames.end].map((name) =>
    dateTimeMillis(item.json[name])
  )
  const isReversed = start !== undefined && end !== undefined && end < start
  // Where both were pushed, JRN-003 judges the token, and JRN-005 the energy.
  const isStory = pushedCharges(evidence).some(({ cdr }) => sameId(cdr["id"], item.json["id"]))
  const own = placeIdsOf(item.json, profile, "cdrs")
  const theirs = placeIdsOf(json, profile, "sessions")
  const names = [
    [profile.cdrNames.start, profile.sessionNames.start],
    [profile.cdrNames.end, profile.sessionNames.end]
  ] as const
  return [
    // What is not named at all is a finding about the form of the CDR or of the session.
    ...when(
      others.some((status) => status === sessionStatus(json)),
      () =>
        wrong(item, "session_id", "the session is not COMPLETED", {
          expected: "COMPLETED",
          actual: json["status"]
        })
    ),
    ...unless(
      isStory || isUnnamed(uid(item.json)) || isUnnamed(uid(json)) || sameValue(uid(item.json), uid(json)),
      () => finding("cdr_token", "the token", uid(json), uid(item.json))
    ),
    ...unless(isUnnamed(own.evse) || isUnnamed(theirs.evse) || sameValue(own.evse, theirs.evse), () =>
      finding("cdr_location", "the EVSE", theirs.evse, own.evse)
    ),
    ...unless(
      isStory || total === undefined || kwh === undefined || isOwnSum || isBelow || isNear(total, kwh, 0.01),
      () => finding("total_energy", "the energy", json["kwh"])
    ),
    ...(isReversed ? [] : names).flatMap(([mine, field]) => {
      const [at, there] = [dateTimeMillis(item.json[mine]), dateTimeMillis(json[field])]
      if (at === undefined || there === undefined || isEpoch(item.json[mine])) return []
      const isEarlier =
        mine === profile.cdrNames.start && at < there && beganReserved(item, session, evidence)
      return unless(Math.abs(at - there) <= 60_000 || isEarlier, () => finding(mine, "the time", json[field]))
    })
  ]
}
