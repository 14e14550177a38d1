/**
 * How a call of the partner relates to the run. A call is evidence in any case, and a verdict that was given stays.
 * Pure.
 */

import type { Exchange } from "../../../schema/Exchange.ts"
import { isOf, type LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import { type JsonObject, objectIn, textIn } from "../../findings/json.ts"
import type { Act, Sighting } from "../model/Act.ts"
import type { JourneyStage, JourneyTemplate } from "../model/JourneyTemplate.ts"
import { isSamePlace, lastSegment } from "../model/partnerPushes.ts"
import { inboundOf, jsonOf, lastOfWaits, type RunHistory } from "../model/RunHistory.ts"
import { sightingOf } from "../model/served.ts"

/** The relation of a call to the run; empty if it is simply part of the run. */
export type InboundRelation = Pick<
  NonNullable<LedgerEventOf<"inbound.received">["data"]>,
  "relation" | "lateFor"
>

/** The relation of a call, given the history without it (`before`) and with it (`after`). */
export function relationOf(
  template: JourneyTemplate,
  before: RunHistory,
  after: RunHistory,
  exchange: Exchange
): InboundRelation {
  if (inboundOf(before).some((known) => isSame(known, exchange))) return { relation: "duplicate" }
  const missed = template.stages.find(
    (stage) => hasExpired(before, stage) && !looked(stage, before).found && looked(stage, after).found
  )
  if (missed !== undefined) return { relation: "late", lateFor: missed.id }
  return isForeign(before, exchange) ? { relation: "foreign" } : {}
}

/** Is it the same request sent twice: same method, URL and body? A GET may be repeated. */
function isSame(a: Exchange, b: Exchange): boolean {
  return (
    b.request.method !== "GET" &&
    a.request.method === b.request.method &&
    a.request.url === b.request.url &&
    a.request.body === b.request.body
  )
}

/** Has the stage's latest wait expired? */
const hasExpired = (history: RunHistory, { id }: JourneyStage): boolean =>
  lastOfWaits(history, id)?.type === "wait.expired"

const nothing: Sighting = { found: false, nearMisses: [] }

/** What a stage that awaits a call finds in the history; other stages find nothing. */
function looked({ act, id }: { readonly act: Act; readonly id: string }, history: RunHistory): Sighting {
  if (act.act === "await") return act.look(history)
  return act.act === "serve" ? sightingOf(history, id, act) : nothing
}

/**
 * Is the call about a session, a CDR or a command that does not belong to the run? Undecidable, hence false, for sessions
 * and CDRs if the run has named nothing itself: no token, reference or session.
 */
function isForeign(history: RunHistory, { module, request }: Exchange): boolean {
  if (module === "commands" && request.method === "POST") {
    const urls = responseUrlsOf(history)
    const isResult = objectIn(jsonOf(request))["response_url"] === undefined
    return isResult && !urls.some((url) => isSamePlace(url, request.url))
  }
  if (module !== "sessions" && module !== "cdrs") return false
  const marks = marksOf(history)
  const named = [...namesIn(objectIn(jsonOf(request))), lastSegment(request.url).toUpperCase()]
  return marks.size > 0 && !named.some((name) => marks.has(name))
}

/** The response_urls that our requests have named. */
const responseUrlsOf = ({ events }: RunHistory): ReadonlyArray<string> =>
  events.filter(isOf("exchange.intended")).flatMap(({ exchange }) => {
    const inBody = textIn(objectIn(jsonOf(exchange.request))["response_url"])
    const inUrl = URL.canParse(exchange.request.url)
      ? new URL(exchange.request.url).searchParams.get("response_url")
      : null
    return [inBody, inUrl].flatMap((url) => url ?? [])
  })

/** The ids, references and tokens of the run's sessions and CDRs: those that we named, and those that came with them. */
function marksOf(history: RunHistory): ReadonlySet<string> {
  const marks = new Set<string>()
  for (const event of history.events) {
    const isOurs = event.type === "exchange.intended" && event.exchange.request.method !== "GET"
    const isTheirs = event.type === "inbound.received" && event.data?.relation !== "foreign"
    if (!(isOurs || isTheirs)) continue
    const { exchange } = event
    if (isTheirs && exchange.module !== "sessions" && exchange.module !== "tokens") continue
    const body = objectIn(jsonOf(exchange.request))
    if (isOurs || marks.size > 0) for (const name of namesIn(body)) marks.add(name)
  }
  return marks
}

/** The ids, references and tokens in a session, CDR, token or command, in upper case for a case-insensitive comparison. */
function namesIn(body: JsonObject): ReadonlyArray<string> {
  const tokens = [body["token"], body["cdr_token"]].map((token) => textIn(objectIn(token)["uid"]))
  const ids = ["uid", "id", "session_id", "authorization_reference", "auth_id", "reservation_id"]
  return [...tokens, ...ids.map((name) => textIn(body[name]))].flatMap((name) => name?.toUpperCase() ?? [])
}
