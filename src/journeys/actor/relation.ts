/** How a message of the partner stands to the run. It is evidence either way; a verdict that was given stays. Pure. */

import type { Exchange } from "../../../schema/Exchange.ts"
import { isOf, type LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import { type JsonObject, objectIn, textIn } from "../../findings/json.ts"
import type { Act, Sighting } from "../model/Act.ts"
import type { JourneyStage, JourneyTemplate } from "../model/JourneyTemplate.ts"
import { isSamePlace, lastSegment } from "../model/partnerPushes.ts"
import { inboundOf, jsonOf, type RunHistory } from "../model/RunHistory.ts"
import { sightingOf } from "../model/served.ts"

export type InboundRelation = Pick<
  NonNullable<LedgerEventOf<"inbound.received">["data"]>,
  "relation" | "lateFor"
>

/** `before` and `after`: the run without and with this message. Empty: it is simply part of the run. */
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

/** Sent twice: the same request id on the same request, or the same change word for word. Reads may be repeated. */
function isSame(a: Exchange, b: Exchange): boolean {
  return (
    b.request.method !== "GET" &&
    a.request.method === b.request.method &&
    a.request.url === b.request.url &&
    a.request.body === b.request.body
  )
}

/** Its latest wait ended without what it was for. */
const hasExpired = ({ events }: RunHistory, { id }: JourneyStage): boolean =>
  events.findLast(({ stageId, type }) => stageId === id && type.startsWith("wait."))?.type === "wait.expired"

const nothing: Sighting = { found: false, nearMisses: [] }

/** What a stage that awaits something sees; other stages see nothing. */
export function looked(
  { act, id }: { readonly act: Act; readonly id: string },
  history: RunHistory
): Sighting {
  if (act.act === "await") return act.look(history)
  return act.act === "serve" ? sightingOf(history, id, act) : nothing
}

/**
 * Is it about a session, a CDR or a command that is not the run's? Only a run that has named something itself (a token,
 * a reference, a session) can tell.
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

/** Where results may come: what our requests named. */
const responseUrlsOf = ({ events }: RunHistory): ReadonlyArray<string> =>
  events.filter(isOf("exchange.intended")).flatMap(({ exchange }) => {
    const inBody = textIn(objectIn(jsonOf(exchange.request))["response_url"])
    const inUrl = URL.canParse(exchange.request.url)
      ? new URL(exchange.request.url).searchParams.get("response_url")
      : null
    return [inBody, inUrl].flatMap((url) => url ?? [])
  })

/** Everything by which the run's sessions and CDRs can be known: what we named, and the ids that came with it. */
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

/** Ids, references and tokens in a session, a CDR, a token or a command. Compared without regard to case. */
function namesIn(body: JsonObject): ReadonlyArray<string> {
  const tokens = [body["token"], body["cdr_token"]].map((token) => textIn(objectIn(token)["uid"]))
  const ids = ["uid", "id", "session_id", "authorization_reference", "auth_id", "reservation_id"]
  return [...tokens, ...ids.map((name) => textIn(body[name]))].flatMap((name) => name?.toUpperCase() ?? [])
}
