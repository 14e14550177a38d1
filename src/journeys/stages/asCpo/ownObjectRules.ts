/** What the partner made of an own object: whether it accepted it, and whether its copy is as we sent it. */
import type { Exchange } from "../../../../schema/Exchange.ts"
import { isEventOf } from "../../../../schema/LedgerEvent.ts"
import { ocpiStatus } from "../../../../schema/ocpi/envelope.ts"
import { isSuccessCode, requestName } from "../../../findings/answers.ts"
import { belowEndpoint } from "../../../findings/calledPath.ts"
import { httpWithin, ocpiStatusOf } from "../../../findings/expectations.ts"
import { isObject, type JsonObject, objectIn } from "../../../findings/json.ts"
import { isEmpty, objectDifferences } from "../../../findings/objectDifferences.ts"
import { readRouting } from "../../../ocpi/routing.ts"
import type { Rule, Ruling } from "../../model/JourneyTemplate.ts"
import { answerOf, dataOf, exchangesOf, type RunHistory } from "../../model/RunHistory.ts"
import { noAnswerReason, notAnswered } from "../../model/rulings.ts"

/** An own object at one moment; undefined: it cannot be sent yet. */
export type ToldObject = (history: RunHistory) => JsonObject | undefined

/** Was the stage's object sent in so many steps? Each was answered HTTP 2xx, or found at the partner afterwards. */
export const wasTold = (history: RunHistory, stageId: string, steps = 1): boolean =>
  new Set(
    history.events
      .filter(isEventOf("exchange.completed"))
      .flatMap(({ data, exchange: { request, response }, stageId: of }) =>
        of === stageId &&
        request.method !== "GET" &&
        (response === null ? data?.verified === "present" : response.httpStatus < 300)
          ? [Number(data?.step ?? 0)]
          : []
      )
  ).size >= steps

/** Did the partner accept all that the stage has sent? */
const wasAccepted = (history: RunHistory, stageId: string): boolean =>
  wasTold(history, stageId) &&
  exchangesOf(history, stageId).every(
    (exchange) =>
      exchange.response === null || notAnswered(exchange, httpWithin(200, 299), ocpiStatusOf(1)) === undefined
  )

/** The ruling, where the partner has accepted the writes of these stages: what it has not accepted it need not show. */
export const afterAccepted =
  (stageIds: ReadonlyArray<string>, judge: Rule["judge"]): Rule["judge"] =>
  (history) => {
    const missing = stageIds.find((id) => !wasAccepted(history, id))
    return missing === undefined
      ? judge(history)
      : { notTested: `The partner has not accepted the request of the stage ${missing}, as far as we know` }
  }

/** A rule: all requests of the stage were answered HTTP 2xx with OCPI success. */
export const taken = (
  stageId: string,
  details: Pick<Rule, "title" | "reference"> & Partial<Pick<Rule, "checkId" | "strength">>
): Rule => ({
  strength: "must",
  ...details,
  id: `${stageId}.taken`,
  judge: (history) => {
    const all = exchangesOf(history, stageId)
    if (all.length === 0) return { notTested: "Nothing was sent" }
    const [flaw] = all.flatMap((exchange) => {
      const found = notAnswered(exchange, httpWithin(200, 299), ocpiStatusOf(1))
      return found === undefined ? [] : [{ found, first: lostBefore(history, exchange) }]
    })
    return flaw?.first === undefined
      ? flaw?.found
      : {
          notTested: `The partner had not kept the object that it accepted, as its answer to ${requestName(flaw.first)} shows`
        }
  }
})

/** The place of the object below the endpoint: of a part of a location, that of the location. */
const placeOf = (exchange: Exchange): string => belowEndpoint(exchange).slice(0, 3).join("/").toUpperCase()

/** Does the answer say that the object is not there? To a GET it may say that nothing can be read, unless it has a code of its own. */
const isLost = ({ request, response }: Exchange): boolean =>
  response?.httpStatus === 404 &&
  (request.method !== "GET" || response.ocpiStatusCode === ocpiStatus.unknownLocation)

/** An earlier request about the same object that was answered in the same way, after the partner had accepted the object. */
function lostBefore(history: RunHistory, now: Exchange): Exchange | undefined {
  if (!isLost(now)) return undefined
  const all = history.events.filter(isEventOf("exchange.completed")).map(({ exchange }) => exchange)
  const about = all
    .slice(
      0,
      all.findIndex(({ id }) => id === now.id)
    )
    .filter((one) => one.module === now.module && placeOf(one) === placeOf(now))
  const put = about.findIndex(
    ({ request, response }) => request.method === "PUT" && isSuccessCode(response?.ocpiStatusCode)
  )
  return put < 0
    ? undefined
    : about
        .slice(put)
        .find((one) => isLost(one) && one.response?.ocpiStatusCode === now.response?.ocpiStatusCode)
}

/** The receiver does not offer to read back what it was told. */
const offersNone: ReadonlyArray<number> = [404, 405, 501]

/** Has the partner returned an object of that module to a GET of the run? Then it offers to read them. */
const hasReturned = ({ events }: RunHistory, module: string): boolean =>
  events
    .filter(isEventOf("exchange.completed"))
    .some(
      ({ exchange }) =>
        exchange.direction === "outbound" &&
        exchange.module === module &&
        exchange.request.method === "GET" &&
        exchange.response?.httpStatus === 200 &&
        !isEmpty(dataOf(exchange))
    )

/** Was that asked of a hub without a receiver, because no party behind it is known (transport_and_format, Open Routing Request)? */
const isAskedOfNobody = ({ profile, throughHub }: RunHistory, { request }: Exchange): boolean =>
  throughHub === true && profile.routingHeaders && readRouting(request.headers).to === undefined

/** How strictly a copy is compared with what was sent. */
export interface Comparison {
  /** The partner has said that the object is at that URL. */
  readonly mustReturn?: boolean
  /** Fields that an earlier PUT had and the last one has not: the last one replaces the whole object. */
  readonly dropped?: ReadonlyArray<string>
}

/**
 * The state of the location in a session or CDR of 2.1.1, which is that of the EVSE's later pushes where the partner keeps the
 * location once.
 */
const ofLocationNow = /^\/location\/(?:.+\/)?(?:status|last_updated)$/

/** A ruling: the data of the stage's answer equal that object. */
export const isAsSent =
  (stageId: string, expected: ToldObject, { dropped = [], mustReturn = false }: Comparison = {}) =>
  (history: RunHistory): Ruling => {
    const answer = answerOf(history, stageId)
    const sent = expected(history)
    if (answer === undefined || sent === undefined) return { notTested: "Nothing was read back" }
    if (answer.response === null)
      return { message: noAnswerReason(answer), expected: "the object", actual: answer.outcome }
    const { httpStatus, truncated } = answer.response
    if (truncated) return { unobservable: "The answer is larger than what we keep" }
    const data = dataOf(answer)
    if ((httpStatus !== 200 || isEmpty(data)) && isAskedOfNobody(history, answer))
      return {
        unobservable:
          "The partner is a hub, and has told us of no party behind it: GET without OCPI-to was not answered with the object, and a hub need not find the party by itself"
      }
    if (
      offersNone.includes(httpStatus) &&
      !isLost(answer) &&
      !mustReturn &&
      !hasReturned(history, answer.module)
    )
      return {
        message: "The object that was just stored cannot be read back",
        expected: "HTTP 200 with the object",
        actual: `HTTP ${httpStatus}`,
        strength: "should"
      }
    if (httpStatus !== 200 || isEmpty(data))
      return {
        message: "GET does not return the object that was sent",
        expected: "HTTP 200 with the object",
        actual: `HTTP ${httpStatus}`
      }
    if (!isObject(data))
      return {
        message: `The data of the answer to GET are ${Array.isArray(data) ? "a list" : "no object"}, not the object that was sent`,
        pointer: "/data",
        hint: "Answer GET of one object with that object as data, and not with a list."
      }
    const [first] = objectDifferences(sent, data, history.profile).filter(
      ({ pointer }) => !ofLocationNow.test(pointer)
    )
    const stayed = dropped.find((field) => !isEmpty(objectIn(data)[field]))
    if (first === undefined && stayed !== undefined)
      return {
        message: "The object that GET returns has a field that the last PUT did not have",
        pointer: `/data/${stayed}`,
        expected: "absent",
        actual: JSON.stringify(objectIn(data)[stayed])
      }
    return first === undefined
      ? undefined
      : {
          message: "The object that GET returns differs from the one that was sent",
          pointer: `/data${first.pointer}`,
          expected: JSON.stringify(first.expected) ?? "absent",
          actual: JSON.stringify(first.actual) ?? "absent"
        }
  }
