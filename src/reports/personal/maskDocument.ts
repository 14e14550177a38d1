/**
 * Masks personal data of drivers in a report: ids of tokens and contracts, printed card numbers, and what partners add
 * (plates, contacts, names). First it replaces the fields that our OCPI schemas mark, in bodies and URLs; then it replaces
 * the same values in every other text of the report. Everything else stays as it was sent, byte for byte.
 */
import type { Exchange } from "../../../schema/Exchange.ts"
import { type KindOf, personalFields } from "../../../schema/ocpi/personal.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import type { ReportExchange, RunDocument } from "../RunDocument.ts"
import { valuesIn } from "./jsonValues.ts"
import { makePseudonyms, type Pseudonyms } from "./Pseudonyms.ts"

/** Masks the document step by step; yields after each exchange, so that the caller can let other work run. */
export function* masking(document: RunDocument): Generator<void, RunDocument> {
  const kindOf = personalFields(profileOf(document.report.ocpiVersion))
  const names = makePseudonyms()
  // Collect all values before searching the first text.
  const known: Array<ReportExchange> = []
  for (const { exchange, stageId } of document.exchanges) {
    known.push({ stageId, exchange: named(exchange, kindOf, names) })
    yield
  }
  const exchanges: Array<ReportExchange> = []
  for (const one of known) {
    exchanges.push(searched(one, names) as ReportExchange) // the same fields, with other texts in them
    yield
  }
  const others = searched({ ...document, exchanges: [] }, names) as RunDocument // likewise
  return { ...others, exchanges, personalData: "masked" }
}

function named(exchange: Exchange, kindOf: KindOf, names: Pseudonyms): Exchange {
  const { module, request, response } = exchange
  const body = (text: string | null) => (text === null ? null : withNames(text, module, kindOf, names))
  return {
    ...exchange,
    request: { ...request, url: urlOf(request.url, module, names), body: body(request.body) },
    response: response === null ? null : { ...response, body: body(response.body) }
  }
}

function withNames(text: string, module: string, kindOf: KindOf, names: Pseudonyms): string {
  let masked = ""
  let done = 0
  for (const { end, field, parent, start, value } of valuesIn(text)) {
    const kind = field === undefined || value === "" ? undefined : kindOf(field, parent, module)
    if (kind === undefined) continue
    masked += `${text.slice(done, start)}${JSON.stringify(names.of(kind, value))}`
    done = end
  }
  return masked + text.slice(done)
}

/** `…/tokens/DE/MSP/{uid}` and `…/tokens/{uid}/authorize`, whatever path of the partner comes before. */
const places = [
  /^([^?#]*\/[A-Za-z]{2}\/[A-Za-z0-9]{3}\/)([^/?#]+)(\/?(?:[?#].*)?)$/s,
  /^([^?#]*\/)([^/?#]+)(\/authorize\/?(?:[?#].*)?)$/s
]

function urlOf(url: string, module: string, names: Pseudonyms): string {
  if (module !== "tokens") return url
  for (const place of places) {
    const [, before, uid, after] = place.exec(url) ?? []
    if (uid !== undefined) return `${before}${names.of("token", decoded(uid))}${after}`
  }
  return url
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

/** Replaces known values in every string of the value. */
function searched(value: unknown, names: Pseudonyms): unknown {
  if (typeof value === "string") return names.within(value)
  if (Array.isArray(value)) return value.map((item) => searched(item, names))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, searched(one, names)]))
}
