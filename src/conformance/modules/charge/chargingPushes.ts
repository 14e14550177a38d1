/** The sessions and CDRs that a CPO pushed during the run; of each session all pushes, oldest first. */

import type { VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { itemsOf } from "../../../findings/answers.ts"
import { belowEndpoint, pushedIds, refusedCall } from "../../../findings/calledPath.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding } from "../../../findings/finding.ts"
import { type JsonObject, objectIn, objectsIn, sameId } from "../../../findings/json.ts"
import { beginningOf } from "../../../findings/money/periods.ts"
import { isEmpty } from "../../../findings/objectDifferences.ts"
import { flawedPlaces } from "../../../findings/violations/flawedPlaces.ts"
import { shown } from "../../../findings/words.ts"
import { sessionStatus } from "../../../ocpi/sessionStatus.ts"
import { blocked, inconclusive, type Judgement } from "../../model/Check.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { isWhole } from "../shared/lists.ts"
import { placeIdsOf } from "./charging.ts"
import { callsAt, chargingCalls, provokeCharge } from "./chargingCalls.ts"

/** One push of a session. */
export interface SessionPush {
  readonly seen: Observation
  readonly method: string
  /** `[country, party, id, …]`, as it stands in the path. */
  readonly path: ReadonlyArray<string>
  readonly body: JsonObject
  /** What is known of the session after it; undefined before a PUT was seen. */
  readonly state: JsonObject | undefined
  /** What was known before it. */
  readonly before: JsonObject | undefined
}

/** All that was pushed of one session. */
export interface PushedSession {
  readonly id: string
  readonly pushes: ReadonlyArray<SessionPush>
}

const writes: ReadonlyArray<string> = ["PUT", "PATCH", "POST", "DELETE"]

const isWrite = ({ exchange }: Observation, module: string) =>
  exchange.module === module && writes.includes(exchange.request.method)

/** The sessions that were pushed during the run, each with its pushes in order. */
export const pushedSessions = (evidence: Evidence): ReadonlyArray<PushedSession> =>
  evidence.once("charging.sessions", () => {
    const sessions = new Map<string, { id: string; pushes: Array<SessionPush> }>()
    const calls = callsAt(evidence, chargingCalls).filter((call) => isWrite(call, "sessions"))
    const ids = pushedIds(calls.map(({ exchange, json }) => ({ ...exchange, body: objectIn(json) })))
    for (const [index, seen] of calls.entries()) {
      const id = ids[index] ?? ""
      const path = belowEndpoint(seen.exchange)
      const session = sessions.get(id.toUpperCase()) ?? { id, pushes: [] }
      const before = session.pushes.at(-1)?.state
      const { method } = seen.exchange.request
      const body = objectIn(seen.json)
      session.pushes.push({ seen, method, path, body, before, state: after(before, method, body, evidence) })
      sessions.set(id.toUpperCase(), session)
    }
    return [...sessions.values()]
  })

/** No judgement for want of a charge: none was told, or we refused all that was pushed of sessions. `near`: what came instead. */
export const withoutCharge = (evidence: Evidence, near = ""): Judgement => {
  const pushes = pushedSessions(evidence).flatMap((session) => session.pushes)
  const refused = pushes.flatMap(({ method, seen }) => {
    const why = refusedCall(seen.exchange)
    return why === undefined ? [] : [{ exchangeId: seen.exchange.id, method, why }]
  })
  // A PATCH of a session from before the run, which we do not know, says nothing of those of the run.
  const first = refused.find(({ method }) => method !== "PATCH")
  return first !== undefined && refused.length === pushes.length
    ? blocked({
        exchangeId: first.exchangeId,
        what: `none of the ${pushes.length} pushes of sessions was taken: ${first.why}`
      })
    : inconclusive("unobservable", `${provokeCharge}${near}`)
}

/** A PUT is the whole session; a PATCH changes what is named, and adds periods where the version has it so. */
function after(
  before: JsonObject | undefined,
  method: string,
  body: JsonObject,
  { profile }: Evidence
): JsonObject | undefined {
  if (method === "PUT") return body
  if (method !== "PATCH" || before === undefined) return before
  if (profile.patchAppendsPeriods !== true) return { ...before, ...body }
  const known = objectsIn(before["charging_periods"])
  const beginnings = new Set(known.map(beginningOf))
  const isKnown = (beginning: ReturnType<typeof beginningOf>) =>
    beginning !== undefined && beginnings.has(beginning)
  const added = objectsIn(body["charging_periods"]).filter((period) => !isKnown(beginningOf(period)))
  return { ...before, ...body, charging_periods: [...known, ...added] }
}

/** The push that completed the session, with the state that it left. */
export const completion = ({ pushes }: PushedSession): SessionPush | undefined =>
  pushes.find(({ body }) => sessionStatus(body) === "COMPLETED")

/** Is the body the same as that of an earlier push? Then it was sent again because an answer was lost. */
export const isRepeat = ({ pushes }: PushedSession, index: number): boolean =>
  pushes.slice(0, index).some(({ body }) => JSON.stringify(body) === JSON.stringify(pushes[index]?.body))

/** Writes to our CDRs, whatever the method. */
export const cdrCalls = (evidence: Evidence): ReadonlyArray<Observation> =>
  callsAt(evidence, chargingCalls).filter((call) => isWrite(call, "cdrs"))
/** The CDRs that were posted during the run. */
export const pushedCdrs = (evidence: Evidence): ReadonlyArray<Observation> =>
  cdrCalls(evidence).filter(({ exchange }) => exchange.request.method === "POST")

/** The objects of the list that was read after the pushes; undefined when it could not be read to its end. */
export const listAfter = (
  evidence: Evidence,
  module: "sessions" | "cdrs"
): ReadonlyArray<JsonObject> | undefined => {
  const pages = evidence.answered(`${module}.told`)
  return isWhole(pages) && pages.every((page) => itemsOf(page) !== undefined)
    ? pages.flatMap((page) => objectsIn(itemsOf(page)))
    : undefined
}

/** Why what was pushed is not looked for in its list. */
export const unreadList = (what: "sessions" | "CDRs"): string =>
  `the list of ${what} could not be read to its end after the pushes`

/** Is the CDR that of the session? By the session's id where the version has it, else by EVSE and start. */
export const belongsTo = (cdr: JsonObject, session: JsonObject, { profile }: Evidence): boolean =>
  profile.cdrDetails ? sameId(cdr["session_id"], session["id"]) : isOfCharge(cdr, session, profile)

/** Is the CDR of the charge of that session, which it has to name and does not? CDR-020 reports it. */
export const leavesSessionOut = (cdr: JsonObject, session: JsonObject, { profile }: Evidence): boolean =>
  profile.cdrDetails && isEmpty(cdr["session_id"]) && isOfCharge(cdr, session, profile)

/** The EVSE and the start are the same. */
const isOfCharge = (cdr: JsonObject, session: JsonObject, profile: VersionProfile): boolean =>
  sameId(placeIdsOf(cdr, profile, "cdrs").evse, placeIdsOf(session, profile, "sessions").evse) &&
  cdr[profile.cdrNames.start] === session[profile.sessionNames.start]

/** A session that was pushed as a whole until it was COMPLETED, and the CDR that was sent of it. */
export interface PushedCharge {
  /** The session as it was known when it was COMPLETED. */
  readonly session: JsonObject
  readonly pushed: PushedSession
  readonly cdr: JsonObject
  readonly seen: Observation
}

/** The charges of which session and CDR were pushed during the run. */
export const pushedCharges = (evidence: Evidence): ReadonlyArray<PushedCharge> =>
  pushedSessions(evidence).flatMap((pushed) => {
    const session = completion(pushed)?.state
    if (session === undefined) return []
    const seen = pushedCdrs(evidence).find(({ json }) => belongsTo(objectIn(json), session, evidence))
    return seen === undefined ? [] : [{ session, pushed, cdr: objectIn(seen.json), seen }]
  })

/** The pushed statuses of an EVSE, oldest first: pushed with the EVSE itself or with its location. */
export const pushedStatuses = (
  evidence: Evidence,
  evseUid: unknown
): ReadonlyArray<{ readonly seen: Observation; readonly status: unknown; readonly isFlawed: boolean }> =>
  callsAt(evidence, chargingCalls)
    .filter((call) => isWrite(call, "locations"))
    .flatMap((seen) => {
      const path = belowEndpoint(seen.exchange)
      const body = objectIn(seen.json)
      const evses = path.length === 4 ? [{ uid: path[3], ...body }] : objectsIn(body["evses"])
      return evses.flatMap((evse) => {
        if (!sameId(evse["uid"], evseUid) || !("status" in evse)) return []
        const isFlawed = flawedPlaces(evidence.profile.objects.EVSE, evse)("/status")
        return [{ seen, status: evse["status"], isFlawed }]
      })
    })

/** A finding about what was pushed. */
export const inPush = (
  seen: Observation,
  pointer: string,
  message: string,
  { actual, ...more }: { readonly expected: string; readonly actual: unknown; readonly hint?: string }
): Finding =>
  finding(seen, `${seen.exchange.request.method} ${seen.exchange.module}: ${message}`, {
    ...more,
    actual: shown(actual),
    pointer
  })
