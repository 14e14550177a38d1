/**
 * How a call of the partner relates to the run. A call is evidence in any case, and a verdict that was given stays.
 * Pure.
 */

import type { Exchange } from "../../../schema/Exchange.ts"
import type { LedgerEvent, LedgerEventOf } from "../../../schema/LedgerEvent.ts"
import { type JsonObject, objectIn, textIn } from "../../findings/json.ts"
import type { Act, Sighting } from "../model/Act.ts"
import type { JourneyTemplate } from "../model/JourneyTemplate.ts"
import { isSamePlace, lastSegment } from "../model/partnerPushes.ts"
import { isOfWait, jsonOf, type RunHistory } from "../model/RunHistory.ts"
import { sightingOf } from "../model/served.ts"

/** The relation of a call to the run; empty if it is simply part of the run. */
type InboundRelation = Pick<NonNullable<LedgerEventOf<"inbound.received">["data"]>, "relation" | "lateFor">

/** What the relations of calls are judged by, gathered from the lines of a run: each is read once, however many calls there are. */
interface KnownLines {
  readonly add: (line: LedgerEvent) => void
  /** Has the partner sent the same request: same method, URL and body? A GET may be repeated. */
  readonly hasCall: (exchange: Exchange) => boolean
  /** The number of ids, references and tokens of the run's sessions and CDRs: those that we named, and those that came with them. */
  readonly marks: () => number
  readonly isMark: (name: string) => boolean
  /** The response_urls that our requests have named. */
  readonly responseUrls: () => ReadonlyArray<string>
  /** Has the stage's latest wait expired? */
  readonly hasExpired: (stageId: string) => boolean
}

const nothingKnown: KnownLines = {
  add: () => {},
  hasCall: () => false,
  marks: () => 0,
  isMark: () => false,
  responseUrls: () => [],
  hasExpired: () => false
}

/** What is known by lines that are added to the `earlier` ones, which stay as they are. */
export function knownLines(earlier: KnownLines = nothingKnown): KnownLines {
  /** The bodies of calls that are no GET, by method and URL. */
  const bodies = new Map<string, Set<string | null>>()
  const marks = new Set<string>()
  const responseUrls: Array<string> = []
  const expired = new Map<string, boolean>()
  const placeOf = ({ request }: Exchange) => `${request.method} ${request.url}`
  const markCount = () => earlier.marks() + marks.size
  const isMark = (name: string) => marks.has(name) || earlier.isMark(name)

  const add = (line: LedgerEvent) => {
    if (isOfWait(line)) expired.set(line.stageId, line.type === "wait.expired")
    if (line.type === "exchange.intended") {
      responseUrls.push(...responseUrlsIn(line.exchange))
      if (line.exchange.request.method !== "GET") addMarks(line.exchange)
    }
    if (line.type !== "inbound.received") return
    const { data, exchange } = line
    if (exchange.request.method !== "GET") {
      const place = placeOf(exchange)
      const known = bodies.get(place)
      if (known === undefined) bodies.set(place, new Set([exchange.request.body]))
      else known.add(exchange.request.body)
    }
    const isAboutCharge = exchange.module === "sessions" || exchange.module === "tokens"
    if (data?.relation !== "foreign" && isAboutCharge && markCount() > 0) addMarks(exchange)
  }
  const addMarks = ({ request }: Exchange) => {
    for (const name of namesIn(objectIn(jsonOf(request)))) if (!earlier.isMark(name)) marks.add(name)
  }

  return {
    add,
    hasCall: (exchange) =>
      bodies.get(placeOf(exchange))?.has(exchange.request.body) === true || earlier.hasCall(exchange),
    marks: markCount,
    isMark,
    responseUrls: () => [...earlier.responseUrls(), ...responseUrls],
    hasExpired: (stageId) => expired.get(stageId) ?? earlier.hasExpired(stageId)
  }
}

/** The relation of a call, by the lines before it. The histories without it (`before`) and with it (`after`) are rarely asked for. */
export function relationOf(
  template: JourneyTemplate,
  known: KnownLines,
  { after, before }: { readonly before: () => RunHistory; readonly after: () => RunHistory },
  exchange: Exchange
): InboundRelation {
  if (known.hasCall(exchange)) return { relation: "duplicate" }
  const missed = template.stages.find(
    (stage) => known.hasExpired(stage.id) && !looked(stage, before()).found && looked(stage, after()).found
  )
  if (missed !== undefined) return { relation: "late", lateFor: missed.id }
  return isForeign(known, exchange) ? { relation: "foreign" } : {}
}

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
function isForeign(known: KnownLines, { module, request }: Exchange): boolean {
  if (module === "commands" && request.method === "POST") {
    const isResult = objectIn(jsonOf(request))["response_url"] === undefined
    return isResult && !known.responseUrls().some((url) => isSamePlace(url, request.url))
  }
  if (module !== "sessions" && module !== "cdrs") return false
  const named = [...namesIn(objectIn(jsonOf(request))), lastSegment(request.url).toUpperCase()]
  return known.marks() > 0 && !named.some(known.isMark)
}

/** The response_urls that a request of ours names. */
const responseUrlsIn = ({ request }: Exchange): ReadonlyArray<string> => {
  const inBody = textIn(objectIn(jsonOf(request))["response_url"])
  const inUrl = URL.canParse(request.url) ? new URL(request.url).searchParams.get("response_url") : null
  return [inBody, inUrl].flatMap((url) => url ?? [])
}

/** The ids, references and tokens in a session, CDR, token or command, in upper case for a case-insensitive comparison. */
function namesIn(body: JsonObject): ReadonlyArray<string> {
  const tokens = [body["token"], body["cdr_token"]].map((token) => textIn(objectIn(token)["uid"]))
  const ids = ["uid", "id", "session_id", "authorization_reference", "auth_id", "reservation_id"]
  return [...tokens, ...ids.map((name) => textIn(body[name]))].flatMap((name) => name?.toUpperCase() ?? [])
}
