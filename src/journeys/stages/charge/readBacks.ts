/** How to find out by reading what a write did whose answer was lost; it is never sent again. */

import type { Exchange } from "../../../../schema/Exchange.ts"
import { isEventOf, type Trace } from "../../../../schema/LedgerEvent.ts"
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { objectIn, objectsIn, sameId } from "../../../findings/json.ts"
import type { ReadBack } from "../../model/Act.ts"
import type { CleanUp, CleanUpOccasion } from "../../model/JourneyTemplate.ts"
import { completionOf, dataOf, purposeOf, type RunHistory } from "../../model/RunHistory.ts"
import { listSince } from "./catchUps.ts"
import { commandResultsOf, isOurSession, ourSession, syncResultOf } from "./chargeFacts.ts"
import { appDriver, type Driver, tokenQuery, tokenUidOf } from "./driver.ts"

const ourListed = (history: RunHistory, answer: Exchange) => {
  const data = dataOf(answer)
  return {
    readable: Array.isArray(data),
    session: objectsIn(data).find((item) => isOurSession(history, item))
  }
}

/** For START_SESSION: the session is in the partner's list, or was pushed, or the result came. */
export const readStartBack: ReadBack = {
  reads: "GET sessions",
  call: (_, write) => listSince("sessions", write.startedAt),
  found: (history, _, answer): Trace => {
    const { readable, session } = ourListed(history, answer)
    return session !== undefined ? "present" : readable ? "absent" : "undecided"
  },
  proven: (history) =>
    ourSession(history) !== undefined || commandResultsOf(history, "start-session").length > 0,
  patienceSeconds: 15
}

/** For STOP_SESSION: the session is over, or the result came. */
export const readStopBack: ReadBack = {
  reads: "GET sessions",
  call: (history) => listSince("sessions", history.createdAt),
  found: (history, _, answer): Trace => {
    const { session } = ourListed(history, answer)
    return session === undefined ? "undecided" : session["status"] === "COMPLETED" ? "present" : "absent"
  },
  onPage: (history, answer) => ourListed(history, answer).session !== undefined,
  proven: (history) =>
    ourSession(history)?.state["status"] === "COMPLETED" ||
    commandResultsOf(history, "stop-session").length > 0,
  patienceSeconds: 15
}

/** For PUT token: the partner's copy. */
export const readTokenBack = (driver: Driver = appDriver): ReadBack => ({
  reads: "GET tokens",
  call: (history) => ({
    module: "tokens",
    interfaceRole: "RECEIVER",
    operation: "GET token",
    method: "GET",
    path: [history.us.countryCode, history.us.partyId, tokenUidOf(history)],
    ...tokenQuery(history, driver)
  }),
  found: (history, _, answer): Trace => {
    if (sameId(objectIn(dataOf(answer))["uid"], tokenUidOf(history))) return "present"
    const { response } = answer
    return response?.httpStatus === 404 || response?.ocpiStatusCode === ocpiStatus.unknownToken
      ? "absent"
      : "undecided"
  },
  proven: () => false,
  patienceSeconds: 0
})

/**
 * The clean-up that stops our running session, once; again only on the occasion of a decision, and if the first stop was not
 * accepted.
 */
export function stopOurSession(history: RunHistory, occasion: CleanUpOccasion): CleanUp | undefined {
  const session = ourSession(history)
  const status = session?.state["status"]
  if (session === undefined || (status !== "ACTIVE" && status !== "PENDING")) return undefined
  const stops = history.events
    .filter(isEventOf("exchange.intended"))
    .filter(({ exchange }) => exchange.operation === "STOP_SESSION")
  const accepted =
    syncResultOf(history, "stop-session") === "ACCEPTED" ||
    stops.some((stop) => purposeOf(stop) === "clean-up" && yes(history, stop.exchange.id))
  if (accepted || (stops.length > 0 && occasion !== "decision")) return undefined
  return {
    sends: "POST commands/STOP_SESSION",
    command: "STOP_SESSION",
    call: (responseUrl) => stopCall(session.id, responseUrl)
  }
}

const yes = (history: RunHistory, exchangeId: string) =>
  objectIn(dataOf(completionOf(history, exchangeId)?.exchange))["result"] === "ACCEPTED"

/** The request STOP_SESSION. */
const stopCall = (sessionId: string, responseUrl: string) =>
  ({
    module: "commands",
    interfaceRole: "RECEIVER",
    operation: "STOP_SESSION",
    method: "POST",
    path: ["STOP_SESSION"],
    body: { response_url: responseUrl, session_id: sessionId }
  }) as const
