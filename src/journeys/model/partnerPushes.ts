/**
 * What the partner has sent during a run: sessions and CDRs with their histories, and results of commands. They were
 * pushed, or we read them after an absence: a reading shows an object's state, never that it was pushed.
 */
import type { Exchange } from "../../../schema/Exchange.ts"
import type { LedgerEvent } from "../../../schema/LedgerEvent.ts"
import { dateTimeMillis } from "../../../schema/ocpi/DateTime.ts"
import { isPush, pathSegments, pushedIds, wasTaken } from "../../findings/calledPath.ts"
import { type JsonObject, objectIn, textIn } from "../../findings/json.ts"
import { withoutEndSlashes } from "../../ocpi/urls.ts"
import { lastAbsence } from "./absence.ts"
import type { Ruling } from "./JourneyTemplate.ts"
import { inboundOf, jsonOf, oncePerState, type RunHistory, readingIn, readingsOf } from "./RunHistory.ts"

/** One push of a session. */
export interface SessionMessage {
  readonly exchange: Exchange
  readonly method: "PUT" | "PATCH"
  readonly body: JsonObject
  /** The session after this message. */
  readonly after: JsonObject
}

/** A session of the partner, as its pushes and our readings show it. */
export interface SeenSession {
  readonly id: string
  /** Its latest known state. */
  readonly state: JsonObject
  /** The pushes, oldest first. */
  readonly messages: ReadonlyArray<SessionMessage>
  /** The object in our readings of the partner's list, oldest first. */
  readonly readings: ReadonlyArray<JsonObject>
}

/**
 * Has the partner pushed nothing of any module, while we were there all the time? OCPI leaves pushing to each party
 * (transport_and_format, Pull and Push).
 */
export const pushesNothing = oncePerState(
  (history): boolean => lastAbsence(history.events) === undefined && !inboundOf(history).some(isPush)
)

/** Judges that an object was pushed: a partner that pushes nothing may leave it to be read, and `read` says whether it was. */
export const orLeftToRead =
  (read: (history: RunHistory) => boolean, judge: (history: RunHistory) => Ruling) =>
  (history: RunHistory): Ruling =>
    pushesNothing(history) && read(history)
      ? {
          notTested:
            "The partner pushed no object of any module, and we read this one from its list: OCPI does not require parties to implement push"
        }
      : judge(history)

/** Sessions as our side holds them: PUT replaces, PATCH merges and appends charging periods (mod_sessions). */
export const sessionsOf = oncePerState((history): ReadonlyArray<SeenSession> => {
  const seen = new Map<string, SeenSession>()
  const pushes = history.events.flatMap((event) => {
    const push = sessionPush(event)
    return push === undefined ? [] : [{ event, push, body: objectIn(jsonOf(push.exchange.request)) }]
  })
  const ids = pushedIds(pushes.map(({ body, push }) => ({ ...push.exchange, body })))
  const heard = new Map(pushes.map(({ event, ...push }, index) => [event, { ...push, id: ids[index] ?? "" }]))
  for (const event of history.events) {
    const one = heard.get(event)
    if (one !== undefined) hear(seen, one.push, one.body, one.id)
    for (const item of readingIn(event, "sessions")?.items ?? []) see(seen, item)
  }
  return [...seen.values()]
})

function sessionPush(event: LedgerEvent): Pick<SessionMessage, "exchange" | "method"> | undefined {
  if (event.type !== "inbound.received") return undefined
  const { exchange } = event
  if (exchange.module !== "sessions" || !wasTaken(exchange)) return undefined
  const { method } = exchange.request
  return method === "PUT" || method === "PATCH" ? { exchange, method } : undefined
}

function hear(
  seen: Map<string, SeenSession>,
  { exchange, method }: Pick<SessionMessage, "exchange" | "method">,
  body: JsonObject,
  id: string
): void {
  const before = seen.get(id.toUpperCase())
  // A push that a reading already includes is not applied a second time.
  const isKnown = before?.readings.some((reading) => !isOlder(reading, body)) === true
  const base = isKnown ? before?.messages.at(-1)?.after : before?.state
  const after = method === "PUT" ? body : merged(base ?? {}, body)
  seen.set(id.toUpperCase(), {
    id,
    state: isKnown && before !== undefined ? before.state : after,
    messages: [...(before?.messages ?? []), { exchange, method, body, after }],
    readings: before?.readings ?? []
  })
}

function see(seen: Map<string, SeenSession>, item: JsonObject): void {
  const id = textIn(item["id"])
  if (id === undefined) return
  const before = seen.get(id.toUpperCase())
  seen.set(id.toUpperCase(), {
    id,
    state: before === undefined || !isOlder(item, before.state) ? item : before.state,
    messages: before?.messages ?? [],
    readings: [...(before?.readings ?? []), item]
  })
}

/** Compares last_updated; an object without one is not older. */
function isOlder(a: JsonObject, b: JsonObject): boolean {
  const [left, right] = [a, b].map((json) => dateTimeMillis(json["last_updated"]))
  return left !== undefined && right !== undefined && left < right
}

function merged(state: JsonObject, change: JsonObject): JsonObject {
  const periods = [state["charging_periods"], change["charging_periods"]].flatMap((list) =>
    Array.isArray(list) ? (list as ReadonlyArray<unknown>) : []
  )
  return { ...state, ...change, ...(periods.length === 0 ? {} : { charging_periods: periods }) }
}

/** The last path segment of a URL, decoded, without query. */
export const lastSegment = (url: string): string => pathSegments(url).at(-1) ?? ""

/** A CDR of the partner. */
export interface SeenCdr {
  readonly exchange: Exchange
  readonly body: JsonObject
  /** False: we read it in the partner's list. */
  readonly pushed: boolean
}

/** The CDRs that were posted and accepted, oldest first; then those that we read. */
export const cdrsOf = (history: RunHistory): ReadonlyArray<SeenCdr> => [
  ...inboundOf(history)
    .filter(({ module, request }) => module === "cdrs" && request.method === "POST")
    .filter(wasTaken)
    .map((exchange) => ({ exchange, body: objectIn(jsonOf(exchange.request)), pushed: true })),
  ...readingsOf(history, "cdrs").flatMap(({ exchange, items }) =>
    items.map((body) => ({ exchange, body, pushed: false }))
  )
]

/** A result that was posted to a response_url. */
export interface SeenResult {
  readonly exchange: Exchange
  readonly result: string | undefined
  /** It came inside an OCPI envelope; OCPI requires the bare object. */
  readonly enveloped: boolean
}

/** The results posted to a response_url, oldest first. */
export const resultsOf = (history: RunHistory, responseUrl: string | undefined): ReadonlyArray<SeenResult> =>
  responseUrl === undefined
    ? []
    : inboundOf(history)
        .filter(({ request }) => request.method === "POST" && isSamePlace(request.url, responseUrl))
        // A POST without our token may come from anybody: it is no result of the partner.
        .filter(({ response }) => response?.httpStatus !== 401)
        .map((exchange) => {
          const body = objectIn(jsonOf(exchange.request))
          const data = objectIn(body["data"])
          return {
            exchange,
            result: textIn(body["result"]) ?? textIn(data["result"]),
            enveloped: body["result"] === undefined && data["result"] !== undefined
          }
        })

/** Have both URLs the same path and query? The host may be a proxy's. */
export function isSamePlace(a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return a === b
  const place = (text: string) => {
    const { pathname, search } = new URL(text)
    return withoutEndSlashes(pathname) + search
  }
  return place(a) === place(b)
}
