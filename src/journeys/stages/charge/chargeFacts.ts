/** Facts about the run's charge, from its ledger: commands with their results, its session and its CDR. */
import type { Exchange } from "../../../../schema/Exchange.ts"
import { belowEndpoint, wasTaken } from "../../../findings/calledPath.ts"
import { type JsonObject, objectIn, sameId, textIn } from "../../../findings/json.ts"
import {
  cdrsOf,
  resultsOf,
  type SeenCdr,
  type SeenResult,
  type SeenSession,
  sessionsOf
} from "../../model/partnerPushes.ts"
import {
  answerOf,
  dataOf,
  inboundOf,
  intentOf,
  jsonOf,
  oncePerState,
  type RunHistory
} from "../../model/RunHistory.ts"
import { givenReference, namesDriver } from "./driver.ts"

/** The `result` of the answer to a command; undefined: there was no answer, or it had no result. */
export const syncResultOf = (history: RunHistory, stageId: string): string | undefined =>
  textIn(objectIn(dataOf(answerOf(history, stageId)))["result"])

/** The `timeout` of the answer to a command, in seconds; undefined: none. */
export function promisedSeconds(history: RunHistory, stageId: string): number | undefined {
  const timeout = objectIn(dataOf(answerOf(history, stageId)))["timeout"]
  return typeof timeout === "number" && timeout > 0 ? timeout : undefined
}

/** The response_url of a request: in the body of a command, or in the URL of a charging profile request without body. */
export function responseUrlOf(history: RunHistory, stageId: string): string | undefined {
  const request = intentOf(history, stageId)?.request
  const inBody = textIn(objectIn(jsonOf(request))["response_url"])
  if (inBody !== undefined || request === undefined || !URL.canParse(request.url)) return inBody
  return new URL(request.url).searchParams.get("response_url") ?? undefined
}

/** The results of the command that the stage sent, oldest first. */
export const commandResultsOf = (history: RunHistory, stageId: string): ReadonlyArray<SeenResult> =>
  resultsOf(history, responseUrlOf(history, stageId))

const carriesReference = (history: RunHistory, json: JsonObject): boolean => {
  const reference = givenReference(history)
  return reference !== undefined && sameId(json["authorization_reference"], reference)
}

/** The session with our reference, or else with our driver's token; of several the one that charges. */
export const ourSession = oncePerState((history): SeenSession | undefined => {
  const sessions = sessionsOf(history)
  const referring = sessions.filter(({ state }) => carriesReference(history, state))
  const ours = referring.length > 0 ? referring : sessions.filter(({ state }) => namesDriver(history, state))
  return ours.find(isCharge) ?? ours[0]
})

/** Is it a charge, and not only a reservation? */
const isCharge = ({ messages, readings }: SeenSession): boolean =>
  [...messages.map(({ after }) => after), ...readings].some(({ status }) => status === "ACTIVE")

/** All sessions of our driver, in the order in which they first appeared. */
export const driverSessions = (history: RunHistory): ReadonlyArray<SeenSession> =>
  sessionsOf(history).filter(({ state }) => isOurSession(history, state))

/** Is it a session of ours? By its reference or its token. */
export const isOurSession = (history: RunHistory, json: JsonObject): boolean =>
  carriesReference(history, json) || namesDriver(history, json)

/** Is it a CDR of our session? By the session's id, the reference or the token. */
export const isOurCdr = (history: RunHistory, json: JsonObject): boolean => {
  const session = ourSession(history)
  return (session !== undefined && sameId(json["session_id"], session.id)) || isOurSession(history, json)
}

/** The CDR that bills the session; never a Credit CDR. */
export const ourCdr = (history: RunHistory): SeenCdr | undefined => {
  const session = ourSession(history)
  const cdrs = cdrsOf(history).filter(({ body }) => body["credit"] !== true)
  return (
    cdrs.find(({ body }) => session !== undefined && sameId(body["session_id"], session.id)) ??
    cdrs.find(({ body }) => isOurSession(history, body))
  )
}

/**
 * The CDR of the session that was posted below our endpoint, where no method takes it; undefined when none was. A CDR is posted to the
 * endpoint itself (mod_cdrs, Receiver Interface, POST Method).
 */
export const cdrBelowEndpoint = (history: RunHistory): Exchange | undefined =>
  inboundOf(history).find(
    (exchange) =>
      exchange.module === "cdrs" &&
      exchange.request.method === "POST" &&
      !wasTaken(exchange) &&
      belowEndpoint(exchange).length > 0 &&
      isOurCdr(history, objectIn(jsonOf(exchange.request)))
  )

/** A Price without tax, in the shape of any version; undefined for any other value. */
export function amountOf(price: unknown): number | undefined {
  const { before_taxes, excl_vat } = objectIn(price)
  const amount = excl_vat ?? before_taxes ?? price
  return typeof amount === "number" ? amount : undefined
}
