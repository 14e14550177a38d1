/** What the partner has pushed to us during a run: sessions and CDRs with their histories, and results of commands. */
import type { Exchange } from "../../schema/Exchange.ts"
import { type JsonObject, objectIn, sameId, textIn } from "../party/json.ts"
import { inboundOf, jsonOf, type Memory, wasTaken } from "./Memory.ts"

export interface SessionMessage {
  readonly exchange: Exchange
  readonly method: "PUT" | "PATCH"
  readonly body: JsonObject
  /** The session as it stood after this message. */
  readonly after: JsonObject
}

export interface SeenSession {
  readonly id: string
  readonly state: JsonObject
  readonly messages: ReadonlyArray<SessionMessage>
}

/** Sessions as our side holds them: PUT replaces, PATCH merges and appends charging periods (mod_sessions). */
export function sessionsOf(memory: Memory): ReadonlyArray<SeenSession> {
  const seen = new Map<string, SeenSession>()
  for (const exchange of inboundOf(memory)) {
    const { method } = exchange.request
    if (exchange.module !== "sessions" || !wasTaken(exchange)) continue
    if (method !== "PUT" && method !== "PATCH") continue
    const body = objectIn(jsonOf(exchange.request))
    const id = lastSegment(exchange.request.url)
    const key = id.toUpperCase()
    const before = seen.get(key)
    const after = method === "PUT" ? body : merged(before?.state ?? {}, body)
    const message: SessionMessage = { exchange, method, body, after }
    seen.set(key, { id, state: after, messages: [...(before?.messages ?? []), message] })
  }
  return [...seen.values()]
}

function merged(state: JsonObject, change: JsonObject): JsonObject {
  const periods = [state["charging_periods"], change["charging_periods"]].flatMap((list) =>
    Array.isArray(list) ? (list as ReadonlyArray<unknown>) : []
  )
  return { ...state, ...change, ...(periods.length === 0 ? {} : { charging_periods: periods }) }
}

function lastSegment(url: string): string {
  const path = url.replace(/[?#].*$/, "").replace(/\/+$/, "")
  const segment = path.slice(path.lastIndexOf("/") + 1)
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

export interface SeenCdr {
  readonly exchange: Exchange
  readonly body: JsonObject
}

/** CDRs that were posted and taken, oldest first. */
export const cdrsOf = (memory: Memory): ReadonlyArray<SeenCdr> =>
  inboundOf(memory)
    .filter(({ module, request }) => module === "cdrs" && request.method === "POST")
    .filter(wasTaken)
    .map((exchange) => ({ exchange, body: objectIn(jsonOf(exchange.request)) }))

export interface SeenResult {
  readonly exchange: Exchange
  readonly result: string | undefined
  /** It came inside an OCPI envelope, where a bare object is due. */
  readonly enveloped: boolean
}

/** What was posted to a response_url, oldest first. */
export const resultsOf = (memory: Memory, responseUrl: string | undefined): ReadonlyArray<SeenResult> =>
  responseUrl === undefined
    ? []
    : inboundOf(memory)
        .filter(({ request }) => request.method === "POST" && samePlace(request.url, responseUrl))
        .map((exchange) => {
          const body = objectIn(jsonOf(exchange.request))
          const data = objectIn(body["data"])
          return {
            exchange,
            result: textIn(body["result"]) ?? textIn(data["result"]),
            enveloped: body["result"] === undefined && data["result"] !== undefined
          }
        })

/** Path and query decide: the host in between may be a proxy's. */
function samePlace(a: string, b: string): boolean {
  if (!URL.canParse(a) || !URL.canParse(b)) return a === b
  const place = (text: string) => {
    const { pathname, search } = new URL(text)
    return pathname.replace(/\/+$/, "") + search
  }
  return place(a) === place(b)
}

/** The session that bears the reference, or else the token, that we started it with. */
export const sessionOf = (
  memory: Memory,
  ours: { readonly authorizationReference: string; readonly tokenUid: string }
): SeenSession | undefined => {
  const sessions = sessionsOf(memory)
  return (
    sessions.find(({ state }) => sameId(state["authorization_reference"], ours.authorizationReference)) ??
    sessions.find(({ state }) => sameId(objectIn(state["cdr_token"])["uid"], ours.tokenUid))
  )
}
