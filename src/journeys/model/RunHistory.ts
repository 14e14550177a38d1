/**
 * The history of a run: its plan and its ledger, nothing else. Facts are computed from it, so a replay on another day, in
 * another process, gives the same ones.
 */
import type { Exchange, ExchangeRequest, ExchangeResponse } from "../../../schema/Exchange.ts"
import type { RunId } from "../../../schema/Ids.ts"
import {
  isEventOf,
  isExchangeEvent,
  type LedgerEvent,
  type LedgerEventOf,
  type Purpose
} from "../../../schema/LedgerEvent.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { type JsonObject, objectsIn, sameId } from "../../findings/json.ts"
import { parseJson } from "../../findings/readJson.ts"
import { readEnvelope } from "../../ocpi/envelope.ts"
import { followUp, setEndSlash } from "../../ocpi/followUp.ts"
import { readKept } from "../../ocpi/keptBody.ts"
import { nextLink } from "../../ocpi/paging.ts"

/** The facts about a run that its rules and builders may use. */
export interface RunHistory {
  readonly runId: RunId
  /** ISO 8601 UTC. */
  readonly createdAt: string
  readonly inputs: Readonly<Record<string, unknown>>
  readonly profile: VersionProfile
  /** Our party, as it was when the run was ordered. */
  readonly us: { readonly countryCode: string; readonly partyId: string; readonly name: string }
  /** The partner's party; undefined if its credentials did not name it. */
  readonly them?: { readonly countryCode: string; readonly partyId: string } | undefined
  /** All parties of the partner with its role; undefined if there is one, or none is known. */
  readonly theirParties?:
    | ReadonlyArray<{ readonly countryCode: string; readonly partyId: string }>
    | undefined
  /** The partner's party is a hub: what belongs to the partner belongs to parties behind it, which its credentials need not name. */
  readonly throughHub?: true | undefined
  /** Of runs of earlier releases: from which EVSE of the list on the run looks for a free one; undefined: the first. */
  readonly lane?: number | undefined
  readonly events: ReadonlyArray<LedgerEvent>
}

/** Is that one of the partner's parties, or of those behind it? Undefined: none is known. */
export function isPartners(
  { them, theirParties, throughHub }: Pick<RunHistory, "them" | "theirParties" | "throughHub">,
  { country_code, party_id }: JsonObject
): boolean | undefined {
  if (them === undefined) return undefined
  return (
    throughHub === true ||
    (theirParties ?? [them]).some(
      ({ countryCode, partyId }) => sameId(country_code, countryCode) && sameId(party_id, partyId)
    )
  )
}

/** Why an exchange was made; default: as the request of its stage. */
export const purposeOf = (event: LedgerEventOf<"exchange.intended" | "exchange.completed">): Purpose =>
  event.data?.purpose ?? "stage"

const intentLine = (history: RunHistory, stageId: string): LedgerEventOf<"exchange.intended"> | undefined =>
  history.events
    .filter(isEventOf("exchange.intended"))
    .findLast((event) => event.stageId === stageId && purposeOf(event) === "stage")

/** The request of a stage's latest attempt, as it was intended. */
export const intentOf = (history: RunHistory, stageId: string): Exchange | undefined =>
  intentLine(history, stageId)?.exchange

/** Sequence of the line with that request. */
export const intentSequence = (history: RunHistory, stageId: string): number | undefined =>
  intentLine(history, stageId)?.sequence

/**
 * Did that call of the partner come before the other one? Its time says so, and so does the order in which both were recorded: two
 * processes may have served them, whose clocks agree but for a part of a second.
 */
export function cameBefore({ events }: RunHistory, call: Exchange, other: Exchange): boolean {
  const recorded = (of: Exchange) =>
    events.findIndex((event) => event.type === "inbound.received" && event.exchange?.id === of.id)
  return Date.parse(call.startedAt) < Date.parse(other.startedAt) && recorded(call) < recorded(other)
}

/** The exchange of a stage's latest attempt, as completed. */
export const answerOf = (history: RunHistory, stageId: string): Exchange | undefined => {
  const intent = intentOf(history, stageId)
  return intent === undefined ? undefined : completionOf(history, intent.id)?.exchange
}

/**
 * All completed exchanges of a stage's latest attempt, oldest first, for a stage that sends several; without redirects that were
 * followed, and without those that were sent once more because of a Retry-After.
 */
export const exchangesOf = (history: RunHistory, stageId: string): ReadonlyArray<Exchange> => {
  const attempt = intentLine(history, stageId)?.data?.attempt
  const completed = history.events.flatMap((event) =>
    event.type === "exchange.completed" &&
    event.stageId === stageId &&
    purposeOf(event) === "stage" &&
    event.data?.attempt === attempt
      ? [event.exchange]
      : []
  )
  return completed.filter((one, index) => !isFollowed(one, completed.slice(index + 1)))
}

/** Did it only lead to the same request once more: at the URL with or without a slash at its end, or after a Retry-After? */
const isFollowed = (one: Exchange, later: ReadonlyArray<Exchange>): boolean => {
  const next = followUp(one)
  if (next === undefined) return false
  const { body, method, url } = one.request
  const nextUrl = next.why === "slash" ? setEndSlash(url, next.endSlash) : url
  return later.some(
    ({ request }) =>
      request.url === nextUrl &&
      (next.why === "slash" || (request.method === method && request.body === body))
  )
}

/** The objects of a list that the stage has read, on all the pages that were read. */
export const listedObjects = (history: RunHistory, stageId: string): ReadonlyArray<JsonObject> =>
  exchangesOf(history, stageId).flatMap((page) => objectsIn(dataOf(page)))

/** Does the list that the stage has read go on after the last of these pages? What is not on them may be on a later one. */
export function listGoesOn(history: RunHistory, stageId: string): boolean {
  const last = exchangesOf(history, stageId).at(-1)
  return last !== undefined && nextLink(last.response?.headers["link"], last.request.url) !== undefined
}

/** The line that closes an exchange. */
export const completionOf = (
  history: RunHistory,
  exchangeId: string
): LedgerEventOf<"exchange.completed"> | undefined =>
  history.events
    .filter(isEventOf("exchange.completed"))
    .findLast(({ exchange }) => exchange.id === exchangeId)

/** The answer of a person in a stage's latest attempt; undefined: none came in time. */
export const checkpointAnswerOf = (
  history: RunHistory,
  stageId: string
): { readonly answer: string; readonly note: string | undefined } | undefined => {
  const last = history.events.findLast(
    ({ stageId: id, type }) =>
      id === stageId && (type === "checkpoint.requested" || type === "checkpoint.answered")
  )
  return last?.type === "checkpoint.answered" ? { answer: last.data.answer, note: last.data.note } : undefined
}

/** Is it an event of a stage's wait? */
export const isOfWait = isEventOf("wait.started", "wait.satisfied", "wait.expired")

/** The last event of a stage's waits; undefined: it has not waited. */
export const lastOfWaits = (
  { events }: Pick<RunHistory, "events">,
  stageId: string
): LedgerEventOf<"wait.started" | "wait.satisfied" | "wait.expired"> | undefined =>
  events.filter(isOfWait).findLast((event) => event.stageId === stageId)

/** Calls of the partner since the run was ordered, oldest first. */
export const inboundOf = (history: RunHistory): ReadonlyArray<Exchange> =>
  history.events.flatMap((event) => (event.type === "inbound.received" ? [event.exchange] : []))

/** A page of the partner's list, read to find what we may have missed, or what an unknown write did. */
interface ListReading {
  readonly exchange: Exchange
  readonly sequence: number
  /** The page's objects, as they came. */
  readonly items: ReadonlyArray<JsonObject>
}

/** The event as a reading of that module's list; undefined when it is none, or its answer has no list. */
export function readingIn(event: LedgerEvent, module: string): ListReading | undefined {
  if (event.type !== "exchange.completed" || event.exchange.module !== module) return undefined
  const { exchange, sequence } = event
  const purpose = purposeOf(event)
  if (purpose !== "catch-up" && purpose !== "verification") return undefined
  const data = dataOf(exchange)
  return Array.isArray(data) ? { exchange, sequence, items: objectsIn(data) } : undefined
}

/** All readings of a module's list, oldest first. */
export const readingsOf = (history: RunHistory, module: string): ReadonlyArray<ListReading> =>
  history.events.flatMap((event) => readingIn(event, module) ?? [])

/**
 * Why nothing of what a person at the partner has to begin can be judged: the stage's wait is over, and no call came that was almost
 * right, nor any other to its module. undefined: something came, or the stage still waits.
 */
export function whyNotBegun(
  { id, module }: { readonly id: string; readonly module: string | null },
  history: RunHistory
): string | undefined {
  const last = lastOfWaits(history, id)
  if (last?.type !== "wait.expired" || (last.data?.nearMisses ?? []).length > 0) return undefined
  const isCalled = history.events.some(
    (event) => event.type === "inbound.received" && event.stageId === id && event.exchange.module === module
  )
  return isCalled
    ? undefined
    : `No request of the partner to our endpoint ${module ?? ""} came while the stage waited: somebody at the partner has to do what the stage asks for, and its requests have to come to our URLs with the token that we issued; see to both, then run again`
}

/** The body as JSON; undefined when there is none, it is no JSON, or it was cut. To be read only: the value is shared. */
export function jsonOf(message: ExchangeRequest | ExchangeResponse | null | undefined): unknown {
  if (message === null || message === undefined || message.body === null || message.truncated)
    return undefined
  const known = parsed.get(message) ?? lastLists.get(message)
  if (known !== undefined) return known.json
  const read = { json: parseJson(message.body) }
  if (message.body.length <= mostRemembered) parsed.set(message, read)
  else if (message.body.length <= mostOfList) {
    lastLists.set(message, read)
    const [oldest] = lastLists.keys()
    if (lastLists.size > mostLists && oldest !== undefined) lastLists.delete(oldest)
  }
  return read.json
}

/** Longest body, in characters, that stays parsed for as long as its message is known. */
const mostRemembered = 4096
const parsed = new WeakMap<ExchangeRequest | ExchangeResponse, { readonly json: unknown }>()
/**
 * Longer bodies are lists, which would be most of a run's memory: of all runs the last ones stay parsed, because the rules of a stage
 * read the same ones many times.
 */
const [mostLists, mostOfList] = [8, 65_536]
const lastLists = new Map<ExchangeRequest | ExchangeResponse, { readonly json: unknown }>()

/**
 * The fact, computed once for each state of a run: rules and waits ask for the same ones many times between two events. What
 * `derive` answers is shared, so it is to be read only.
 */
export function oncePerState<A>(derive: (history: RunHistory) => A): (history: RunHistory) => A {
  const known = new WeakMap<RunHistory["events"], { readonly of: Planned; readonly fact: A }>()
  return (history) => {
    const last = known.get(history.events)
    if (last !== undefined && isSamePlan(last.of, history)) return last.fact
    const fact = derive(history)
    // Not the history, which refers to the key: until the next full collection, that would hold every state of the run (decision 39).
    const { inputs, profile, runId, us } = history
    known.set(history.events, { of: { inputs, profile, runId, us }, fact })
    return fact
  }
}

/** What a history has beside its events. */
type Planned = Pick<RunHistory, "inputs" | "profile" | "runId" | "us">

const isSamePlan = (a: Planned, b: Planned): boolean =>
  a.inputs === b.inputs && a.runId === b.runId && a.us === b.us && a.profile === b.profile

/** Why a message of the partner in this stage, or in its module, could not be read; undefined: all could. */
export function unreadIn(
  { events }: RunHistory,
  { id, module }: { readonly id: string; readonly module: string | null }
): string | undefined {
  for (const { exchange, stageId, type } of events.filter(isExchangeEvent)) {
    if (stageId !== id && exchange.module !== module) continue
    const message =
      type === "exchange.completed"
        ? exchange.response
        : type === "inbound.received"
          ? exchange.request
          : undefined
    const unread = message == null ? undefined : readKept(message).unread
    if (unread !== undefined) return unread
  }
  return undefined
}

/** The exchanges of the run with the JSON that the partner has sent in them. */
export const exchangedIn = (
  events: ReadonlyArray<LedgerEvent>
): ReadonlyArray<{ readonly exchange: Exchange; readonly json: unknown }> =>
  events.filter(isEventOf("exchange.completed", "inbound.received")).map(({ exchange }) => ({
    exchange,
    json: jsonOf(exchange.direction === "inbound" ? exchange.request : exchange.response)
  }))

/** `data` of the answer's envelope. */
export const dataOf = (exchange: Exchange | undefined): unknown =>
  readEnvelope(jsonOf(exchange?.response))?.data
