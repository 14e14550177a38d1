/** Deviations from OCPI that answers show after a handshake: each kind is noted once in the dialect. */
import { Effect, Option } from "effect"
import type { Dialect } from "../../../schema/Connection.ts"
import { isObject } from "../../findings/json.ts"
import { nextIn } from "../../findings/links.ts"
import { originOf } from "../../ocpi/audience.ts"
import { type EndSlash, followUp } from "../../ocpi/followUp.ts"
import type { PartnerAnswer } from "../../ocpi/OcpiClient.ts"
import type { Party } from "../../store/parties/Party.ts"
import { PartyStore } from "../../store/parties/PartyStore.ts"
import { traced } from "../../telemetry/traced.ts"
import { deviationsOf, readJsonOf } from "../wire/answerDeviations.ts"
import { dialectAfterRedirect, inTraffic, isOverridden } from "../wire/dialect.ts"
import { listed, unwrapped } from "../wire/shapes.ts"
import { answerKindOf, isOfRegistration, type RequestTarget } from "./expectedAnswer.ts"

/**
 * Notes the deviations of an answer, and the page limit that a list shows. Known ones are not noted again; writes only
 * when there is something new.
 */
export const noteTraffic = traced("party.noteTraffic")(function* (
  { id }: Pick<Party, "id">,
  request: RequestTarget,
  answer: PartnerAnswer
) {
  const redirect = objectRedirect(request, answer)
  if (redirect !== undefined) {
    const store = yield* PartyStore
    return yield* Effect.asVoid(
      store.update(id, (party) => ({ ...party, dialect: dialectAfterRedirect(party.dialect, redirect) }))
    )
  }
  if (isOfRegistration(request)) return
  const what = `${request.method ?? "GET"} ${request.module}`
  const json = readJsonOf(answer)
  const deviations = [
    ...strangeHostOf(answer),
    ...deviationsOf(answer, json),
    ...shapeOf(request, answer, json)
  ]
  const limit = answerKindOf(request) === "list" ? limitOf(answer) : undefined
  if (deviations.length === 0 && limit === undefined) return
  const store = yield* PartyStore
  // A run has mostly read the party to record the answer. A reading that began after the request was sent is new enough.
  const asked = performance.now() - answer.exchange.durationMs
  const taught = (dialect: Dialect) => withLimit(withDeviations(dialect, what, deviations), limit)
  const known = Option.filter(yield* store.find(id, asked), ({ dialect }) => taught(dialect) === dialect)
  if (Option.isNone(known)) yield* store.update(id, (party) => ({ ...party, dialect: taught(party.dialect) }))
})

/** Whether the answer redirects the URL of an object to the one with or without a slash at its end; undefined: it does not. */
export const objectRedirect = (
  { path = [], url }: Pick<RequestTarget, "path" | "url">,
  { exchange }: Pick<PartnerAnswer, "exchange">
): EndSlash | undefined => {
  if (url !== undefined || path.length === 0) return undefined
  const next = followUp(exchange)
  return next?.why === "slash" ? next.endSlash : undefined
}

/** The dialect with the new deviations; the same object when there are none. */
function withDeviations(dialect: Dialect, what: string, deviations: ReadonlyArray<string>): Dialect {
  const fresh = deviations.filter((deviation) => {
    // The target of a redirect may differ each time: compare without it.
    const kind = deviation.startsWith("answers 3") ? deviation.replace(/ (\(\S+\)|to \S+)$/, "") : deviation
    return !dialect.deviations.some((known) => known.includes(kind))
  })
  if (fresh.length === 0) return dialect
  const noted = fresh.map((deviation) => `${inTraffic}${what}: ${deviation}`)
  return { ...dialect, deviations: [...dialect.deviations, ...noted] }
}

/** A URL of the partner's on a host that may not get our token: notes the host, not each URL. */
function strangeHostOf({ exchange: { fault, request } }: PartnerAnswer): ReadonlyArray<string> {
  return fault?.kind === "other_host"
    ? [`names a URL at ${originOf(request.url)}, none of the hosts of the handshake; we did not follow it`]
    : []
}

function withLimit(dialect: Dialect, limit: number | undefined): Dialect {
  const isNews = limit !== undefined && limit !== dialect.pageLimit && !isOverridden(dialect, "pageLimit")
  return isNews ? { ...dialect, pageLimit: limit } : dialect
}

/** Deviations of shape (an object in a list, a list without brackets), and links that are relative to their page. */
function shapeOf(request: RequestTarget, { exchange }: PartnerAnswer, json: unknown): ReadonlyArray<string> {
  const data = isObject(json) ? json["data"] : undefined
  const deviations: Array<string> = []
  const kind = answerKindOf(request)
  if (kind === "object") unwrapped("", data, deviations)
  if (kind === "list") listed("", data, () => true, deviations)
  const said = deviations.map((text) => text.replace(/^: /, ""))
  const next = nextIn(exchange.response?.headers["link"], exchange.request.url)
  const isRelative = next?.resolved !== undefined && next.url === undefined
  return isRelative ? [...said, "the Link to the next page is relative"] : said
}

/** The X-Limit of a page, unless it merely repeats the limit that we asked for. */
function limitOf({ exchange }: PartnerAnswer): number | undefined {
  const { request, response } = exchange
  const told = response?.headers["x-limit"]?.trim() ?? ""
  const asked = URL.canParse(request.url) ? new URL(request.url).searchParams.get("limit") : null
  return /^[1-9]\d{0,8}$/.test(told) && told !== asked ? Number(told) : undefined
}
