/** Finding out what a lost request did: by reading, never by sending it again. */
import type { Exchange } from "../../../../schema/Exchange.ts"
import { objectIn, objectsIn, sameId } from "../../../findings/json.ts"
import type { ReadBack, Trace } from "../../model/Act.ts"
import type { CleanUp } from "../../model/JourneyTemplate.ts"
import { completionOf, dataOf, type Memory, purposeOf } from "../../model/Memory.ts"
import { listSince } from "./catchUps.ts"
import { commandResultsOf, isOurSession, ourSession, syncResultOf } from "./chargeFacts.ts"
import { appDriver, type Driver, tokenQuery, tokenUidOf } from "./driver.ts"

const ourListed = (memory: Memory, answer: Exchange) => {
  const data = dataOf(answer)
  return {
    readable: Array.isArray(data),
    session: objectsIn(data).find((item) => isOurSession(memory, item))
  }
}

/** START_SESSION: the session is in the partner's list, or was pushed, or the result came. */
export const readStartBack: ReadBack = {
  reads: "GET sessions",
  call: (_, write) => listSince("sessions", write.startedAt),
  found: (memory, _, answer): Trace => {
    const { readable, session } = ourListed(memory, answer)
    return session !== undefined ? "present" : readable ? "absent" : "undecided"
  },
  proven: (memory) =>
    ourSession(memory) !== undefined || commandResultsOf(memory, "start-session").length > 0,
  patienceSeconds: 15
}

/** STOP_SESSION: the session is over, or the result came. */
export const readStopBack: ReadBack = {
  reads: "GET sessions",
  call: (memory) => listSince("sessions", memory.createdAt),
  found: (memory, _, answer): Trace => {
    const { session } = ourListed(memory, answer)
    return session === undefined ? "undecided" : session["status"] === "COMPLETED" ? "present" : "absent"
  },
  onPage: (memory, answer) => ourListed(memory, answer).session !== undefined,
  proven: (memory) =>
    ourSession(memory)?.state["status"] === "COMPLETED" ||
    commandResultsOf(memory, "stop-session").length > 0,
  patienceSeconds: 15
}

/** PUT token: the partner's copy. */
export const readTokenBack = (driver: Driver = appDriver): ReadBack => ({
  reads: "GET tokens",
  call: (memory) => ({
    module: "tokens",
    interfaceRole: "RECEIVER",
    operation: "GET token",
    method: "GET",
    path: [memory.us.countryCode, memory.us.partyId, tokenUidOf(memory)],
    ...tokenQuery(memory, driver)
  }),
  found: (memory, _, answer): Trace => {
    if (sameId(objectIn(dataOf(answer))["uid"], tokenUidOf(memory))) return "present"
    const { response } = answer
    return response?.httpStatus === 404 || response?.ocpiStatusCode === 2004 ? "absent" : "undecided"
  },
  proven: () => false,
  patienceSeconds: 0
})

/** A session of ours that runs is stopped, once; again only when a caller has decided so and the first got no yes. */
export function stopOurSession(memory: Memory, decided: boolean): CleanUp | undefined {
  const session = ourSession(memory)
  const status = session?.state["status"]
  if (session === undefined || (status !== "ACTIVE" && status !== "PENDING")) return undefined
  const stops = memory.events.filter(
    ({ exchange, type }) => type === "exchange.intended" && exchange?.operation === "STOP_SESSION"
  )
  const accepted =
    syncResultOf(memory, "stop-session") === "ACCEPTED" ||
    stops.some((stop) => purposeOf(stop) === "clean-up" && yes(memory, stop.exchange?.id ?? ""))
  if (accepted || (stops.length > 0 && !decided)) return undefined
  return {
    sends: "POST commands/STOP_SESSION",
    command: "STOP_SESSION",
    call: (responseUrl) => stopCall(session.id, responseUrl)
  }
}

const yes = (memory: Memory, exchangeId: string) =>
  objectIn(dataOf(completionOf(memory, exchangeId)?.exchange))["result"] === "ACCEPTED"

export const stopCall = (sessionId: string, responseUrl: string) =>
  ({
    module: "commands",
    interfaceRole: "RECEIVER",
    operation: "STOP_SESSION",
    method: "POST",
    path: ["STOP_SESSION"],
    body: { response_url: responseUrl, session_id: sessionId }
  }) as const
