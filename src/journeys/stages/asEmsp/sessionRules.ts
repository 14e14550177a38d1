/** Rules for the session that the partner pushes. */

import type { Exchange } from "../../../../schema/Exchange.ts"
import { dateTimeMillis } from "../../../../schema/ocpi/DateTime.ts"
import { keyText, numberFrom } from "../../../findings/json.ts"
import { inWords } from "../../../findings/words.ts"
import { placeIdsOf } from "../../../party/simulation/chargePoint/sessionFields.ts"
import type { Rule, Ruling } from "../../model/JourneyTemplate.ts"
import { orLeftToRead, type SeenSession } from "../../model/partnerPushes.ts"
import { intentOf, type RunHistory } from "../../model/RunHistory.ts"
import { misfit } from "../../model/rulings.ts"
import { setOffByStart, setOffByStop } from "../charge/catchUps.ts"
import { ourSession } from "../charge/chargeFacts.ts"
import { authorizationsOf, differs, givenReference, tokenDiffers } from "../charge/driver.ts"
import { startedPlace } from "../charge/place.ts"

const must = { strength: "must" } as const
const should = { strength: "should" } as const

/** The ruling while no session of our driver is known. */
const noSession: Ruling = { notTested: "The partner pushed no session of ours that we could accept" }

/** Judges the pushes of our session: readings say nothing about them. */
const ofPushes =
  (judge: (session: SeenSession, history: RunHistory) => Ruling) =>
  (history: RunHistory): Ruling => {
    const session = ourSession(history)
    return session === undefined || session.messages.length === 0 ? noSession : judge(session, history)
  }

/** Judges our session; not tested while there is none. */
export const ofSession =
  (judge: (session: SeenSession, history: RunHistory) => Ruling) =>
  (history: RunHistory): Ruling => {
    const session = ourSession(history)
    return session === undefined ? noSession : judge(session, history)
  }

/** Rules of stage `session-active`. */
export const sessionActiveRules: ReadonlyArray<Rule> = [
  {
    id: "session-active.received",
    title: "The partner pushes the session as ACTIVE",
    ...must,
    reference: "mod_sessions, Receiver Interface, PUT Method",
    checkId: "JRN-002",
    setOffBy: setOffByStart,
    judge: orLeftToRead(
      (history) => wasActive(ourSession(history)),
      (history) =>
        wasPushedActive(ourSession(history))
          ? undefined
          : {
              message: "No session with our token or authorization_reference became ACTIVE in time",
              expected: "ACTIVE",
              actual: inWords(ourSession(history)?.state["status"] ?? "no session")
            }
    )
  },
  {
    id: "session-active.put-first",
    title: "The partner's first message about the session is a PUT",
    ...must,
    reference: "mod_sessions, Receiver Interface",
    setOffBy: setOffByStart,
    judge: ofPushes(({ messages }) => differs("The first method", "", messages[0]?.method, "PUT"))
  },
  {
    id: "session-active.shape",
    title: "The session is a valid Session object",
    ...must,
    reference: "mod_sessions, Session Object",
    judge: ofSession(({ messages, readings }, { profile }) => {
      const whole = messages.find(({ method }) => method === "PUT")?.body ?? readings[0]
      return whole === undefined
        ? { notTested: "The partner sent no PUT of the session" }
        : misfit(profile, "Session", whole)
    })
  },
  {
    id: "session-active.token",
    title: "The session names the token that started it",
    ...must,
    reference: "mod_sessions, Session Object",
    checkId: "JRN-003",
    judge: ofSession(({ state }, history) => tokenDiffers("the session's token", state, history))
  },
  {
    id: "session-active.authorization-reference",
    title: "The session has the authorization_reference of its start",
    ...must,
    reference: "mod_sessions, Session Object",
    judge: ofSession(({ state }, history) => {
      const given = givenReference(history)
      return given === undefined
        ? { notTested: "No authorization_reference was given" }
        : differs(
            "The authorization_reference",
            "/authorization_reference",
            state["authorization_reference"],
            given
          )
    })
  },
  {
    id: "session-active.auth-method",
    title: "auth_method of the session names how it was authorised",
    ...should,
    reference: "mod_cdrs, AuthMethod enum",
    judge: ofSession(({ state }, history) => {
      const lawful = authMethods(history)
      return lawful.some((method) => method === state["auth_method"])
        ? undefined
        : differs("auth_method", "/auth_method", state["auth_method"], lawful.join(" or "))
    })
  },
  {
    id: "session-active.place",
    title: "The session names the EVSE where it was started",
    ...must,
    reference: "mod_commands, StartSession Object",
    judge: ofSession(({ state }, history) => {
      const place = startedPlace(history)
      const at = placeIdsOf(history.profile, state)
      if (place["location_id"] === undefined)
        return { notTested: "No command and no authorization request named a location" }
      return (
        differs("The location", "/location_id", at.location, place["location_id"]) ??
        (place["evse_uid"] === undefined
          ? undefined
          : differs("The EVSE", "/evse_uid", at.evse, place["evse_uid"]))
      )
    })
  }
]

/** The AuthMethods that are right after what came before the session. */
function authMethods(history: RunHistory): ReadonlyArray<string> {
  const { commandAuthMethod } = history.profile
  if (intentOf(history, "start-session") !== undefined)
    // In versions without the AuthMethod COMMAND any of the others is right.
    return commandAuthMethod === "COMMAND" ? ["COMMAND"] : ["AUTH_REQUEST", "WHITELIST"]
  return authorizationsOf(history).some(isAnswered) ? ["AUTH_REQUEST"] : ["WHITELIST"]
}

const isAnswered = ({ response }: Exchange): boolean => response !== null && response.httpStatus < 500

const wasPushedActive = (session: SeenSession | undefined): boolean =>
  session?.messages.some(({ after }) => after["status"] === "ACTIVE") ?? false

/**
 * Was the session pushed or read as ACTIVE, or read as completed with energy? Without energy it may be an expired
 * reservation.
 */
export const wasActive = (session: SeenSession | undefined): boolean =>
  wasPushedActive(session) ||
  (session?.readings.some(
    ({ kwh, status }) => status === "ACTIVE" || (status === "COMPLETED" && numberFrom(kwh) > 0)
  ) ??
    false)

/** Did a push show more energy since the session became ACTIVE? A reading counts as the state before. */
export function hasGrown({ messages, readings }: SeenSession): boolean {
  const first = messages.findIndex(({ after }) => after["status"] === "ACTIVE")
  const grows = (from: unknown, later: SeenSession["messages"]) =>
    typeof from === "number" &&
    later.some(({ after }) => typeof after["kwh"] === "number" && after["kwh"] > from)
  return (
    (first >= 0 && grows(messages[first]?.after["kwh"], messages.slice(first + 1))) ||
    readings.some(({ kwh }) => grows(kwh, messages))
  )
}

/** Does a later reading show more energy than an earlier one? It says nothing about pushes. */
export const wasReadGrowing = ({ readings }: SeenSession): boolean =>
  readings.some(({ kwh: from }, index) =>
    readings
      .slice(index + 1)
      .some(({ kwh }) => typeof from === "number" && typeof kwh === "number" && kwh > from)
  )

/** No push of the session has less energy than the one before. */
const energyGrows: Rule["judge"] = ofPushes(({ messages }) => {
  const amounts = messages.flatMap(({ body }) => (typeof body["kwh"] === "number" ? [body["kwh"]] : []))
  const at = amounts.findIndex((kwh, index) => index > 0 && kwh < amounts[index - 1]!)
  return at < 0
    ? undefined
    : {
        message: "kwh of the session decreased",
        pointer: "/kwh",
        expected: `at least ${amounts[at - 1]}`,
        actual: `${amounts[at]}`
      }
})

/** No push of the session is older than the one before. */
const timeGoesOn: Rule["judge"] = ofPushes(({ messages }, { profile }) => {
  const times = messages
    // Not every version asks for it in a PATCH.
    .filter(({ body, method }) => method === "PUT" || profile.patchNeedsLastUpdated || "last_updated" in body)
    .map(({ body }) => dateTimeMillis(body["last_updated"]))
  const missing = times.indexOf(undefined)
  if (missing >= 0)
    return {
      message: `Message ${missing + 1} about the session has no last_updated`,
      pointer: "/last_updated"
    }
  const back = times.findIndex((time, index) => index > 0 && time! < times[index - 1]!)
  return back < 0
    ? undefined
    : { message: `last_updated of message ${back + 1} goes back in time`, pointer: "/last_updated" }
})

/** Each push of the session since it became ACTIVE has the same start, which is when it did. */
const startStays: Rule["judge"] = ofPushes(({ messages }, { profile: { sessionNames } }) => {
  const from = messages.findIndex(({ after }) => after["status"] === "ACTIVE")
  if (from < 0) return { notTested: "The session was not pushed as ACTIVE" }
  const [first, ...later] = messages.slice(from).map(({ after }) => keyText(after[sessionNames.start]))
  const other = later.find((start) => dateTimeMillis(start) !== dateTimeMillis(first))
  return other === undefined
    ? undefined
    : {
        message: `${sessionNames.start} of the session changed while it was ACTIVE`,
        pointer: `/${sessionNames.start}`,
        expected: first ?? "",
        actual: other
      }
})

/** Rules of stage `session-updates`. */
export const sessionUpdatesRules: ReadonlyArray<Rule> = [
  {
    id: "session-updates.received",
    title: "The partner updates the session while it charges",
    ...should,
    reference: "mod_sessions, Receiver Interface, PATCH Method",
    setOffBy: setOffByStart,
    judge: orLeftToRead(
      (history) => ourSession(history) !== undefined,
      ofPushes((session) =>
        hasGrown(session)
          ? undefined
          : {
              message: "The partner sent no update with more kwh in time",
              expected: "kwh grows",
              actual: "no growth"
            }
      )
    )
  },
  {
    id: "session-updates.energy-never-shrinks",
    title: "kwh of the session never decreases",
    ...should,
    reference: "mod_sessions, Session Object",
    setOffBy: setOffByStart,
    judge: energyGrows
  },
  {
    id: "session-updates.last-updated",
    title: "last_updated of the session never goes back",
    ...must,
    reference: "mod_sessions, Receiver Interface, PATCH Method",
    setOffBy: setOffByStart,
    judge: timeGoesOn
  }
]

/** Rules of stage `session-completed`: those on all pushes too, because most come after the first update. */
export const sessionCompletedRules: ReadonlyArray<Rule> = [
  {
    id: "session-completed.received",
    title: "The partner pushes the session as COMPLETED",
    ...must,
    reference: "mod_sessions, SessionStatus enum",
    checkId: "JRN-002",
    setOffBy: setOffByStop,
    judge: ofPushes(({ messages }) =>
      differs("The status", "/status", messages.at(-1)?.after["status"], "COMPLETED")
    )
  },
  {
    id: "session-completed.end",
    title: "The completed session has an end after its start",
    ...must,
    reference: "mod_sessions, Session Object",
    judge: ofSession(({ state }, { profile: { sessionNames } }) => {
      if (state["status"] !== "COMPLETED") return { notTested: "The session was not completed" }
      const [start, end] = [state[sessionNames.start], state[sessionNames.end]]
      const [from, to] = [dateTimeMillis(start), dateTimeMillis(end)]
      const pointer = `/${sessionNames.end}`
      if (to === undefined) return { message: `${sessionNames.end} is missing or no DateTime`, pointer }
      return from === undefined || from <= to
        ? undefined
        : { message: "The session ends before it begins", pointer, actual: inWords(end) }
    })
  },
  {
    id: "session-completed.start",
    title: "The start of the session stays the same from ACTIVE to COMPLETED",
    ...should,
    reference: "mod_sessions, Session Object",
    setOffBy: setOffByStart,
    judge: startStays
  },
  {
    id: "session-completed.energy-never-shrinks",
    title: "kwh of the session never decreases, to its end",
    ...should,
    reference: "mod_sessions, Session Object",
    setOffBy: setOffByStart,
    judge: energyGrows
  },
  {
    id: "session-completed.last-updated",
    title: "last_updated of the session never goes back, to its end",
    ...must,
    reference: "mod_sessions, Receiver Interface, PATCH Method",
    setOffBy: setOffByStart,
    judge: timeGoesOn
  }
]
