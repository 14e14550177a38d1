/** Redaction of exchanges: wherever a partner repeats a token, the stored exchange does not contain it. */
import { Redacted } from "effect"
import type { Exchange, ExchangeRequest, ExchangeResponse } from "../../schema/Exchange.ts"
import { parseJson } from "../findings/readJson.ts"
import { isFoundAnywhere, type Scrub, type Secrets, scrub } from "../redaction/scrub.ts"
import { cleanerOf } from "../redaction/scrubValue.ts"
import { kept } from "./keptBody.ts"
import { maxTokenLength } from "./tokens.ts"

/** A token that a message handed over, and its name in OCPI. */
export interface Learnt {
  readonly name: "tokenB" | "tokenC"
  readonly value: Redacted.Redacted<string>
}

/** Most tokens that are read from one body; no credentials object has as many. */
const mostLearnt = 100

/** Tokens in the bodies of a `credentials` exchange: the one in the request is a token B, the one in the response a token C. */
export const tokensHandedOver = (request: string | null, response: string | null): ReadonlyArray<Learnt> =>
  (["tokenB", "tokenC"] as const).flatMap((name) =>
    tokensIn((name === "tokenB" ? request : response) ?? "")
      .slice(0, mostLearnt)
      .map((token) => ({ name, value: Redacted.make(token) }))
  )

/** The secrets, and the tokens that a `credentials` exchange hands over. */
function learn(secrets: Secrets, exchange: Exchange): Secrets {
  if (exchange.module !== "credentials") return secrets
  const known = new Set(secrets.map(({ value }) => Redacted.value(value)))
  const learnt = tokensHandedOver(exchange.request.body, exchange.response?.body ?? null).filter(
    ({ value }) => !known.has(Redacted.value(value)) && known.add(Redacted.value(value)).size > 0
  )
  return learnt.length === 0 ? secrets : [...secrets, ...learnt]
}

/**
 * The exchange as it may be stored and shown: its tokens learnt, every text redacted, bodies cut. Takes whole bodies, so
 * that no secret straddles a cut.
 */
export const scrubExchange = (secrets: Secrets, exchange: Exchange): Exchange => {
  const learnt = learn(secrets, exchange)
  const clean = scrubOf(learnt)
  const { request, response } = exchange
  const besideBodies = textsOf(exchange).join("\n")
  const named = clean(besideBodies) === besideBodies ? exchange : withoutSecrets(learnt, exchange)
  const scrubbed: Exchange = {
    ...named,
    request: { ...named.request, ...kept(clean, request) },
    response:
      named.response === null || response === null ? null : { ...named.response, ...kept(clean, response) }
  }
  scrubbedOf.set(scrubbed, secrets)
  return scrubbed
}

/** The texts beside the bodies. A secret is in none of them if it is not in all of them joined. */
const textsOf = ({ correlationId, fault, module, operation, request, requestId, response }: Exchange) => [
  module,
  operation,
  request.url,
  fault?.message ?? "",
  requestId,
  correlationId,
  ...headerTexts(request.headers),
  ...(response === null ? [] : headerTexts(response.headers))
]

const headerTexts = (headers: ExchangeRequest["headers"]) => [
  ...Object.keys(headers),
  ...Object.values(headers)
]

/** The exchange with its texts beside the bodies redacted. */
function withoutSecrets(secrets: Secrets, exchange: Exchange): Exchange {
  const clean = scrubOf(secrets)
  // Names that we go on using, of which a partner chooses some by its path.
  const { text } = cleanerOf(secrets)
  return {
    ...exchange,
    module: text(exchange.module),
    operation: text(exchange.operation),
    request: { ...cleanHeaders(clean, exchange.request), url: clean(exchange.request.url) },
    response: exchange.response === null ? null : cleanHeaders(clean, exchange.response),
    ...(exchange.fault === undefined
      ? {}
      : { fault: { kind: exchange.fault.kind, message: clean(exchange.fault.message) } }),
    requestId: clean(exchange.requestId),
    correlationId: clean(exchange.correlationId)
  }
}

/** By exchange: the secrets that it was searched for. */
const scrubbedOf = new WeakMap<object, Secrets>()

/**
 * Was this very exchange redacted with these secrets, all long enough to be found wherever they stand? Then another search
 * for them finds nothing.
 */
export const isScrubbedOf = (exchange: unknown, secrets: Secrets): boolean =>
  scrubbedOf.get(exchange as object) === secrets &&
  secrets.every(({ value }) => isFoundAnywhere(Redacted.value(value)))

// By array: it stays the same until a token is added, so each `Scrub` is built once.
const made = new WeakMap<Secrets, Scrub>()

function scrubOf(secrets: Secrets): Scrub {
  const known = made.get(secrets) ?? scrub(secrets)
  made.set(secrets, known)
  return known
}

function cleanHeaders<M extends ExchangeRequest | ExchangeResponse>(clean: Scrub, message: M): M {
  const headers = Object.entries(message.headers).map(([name, value]) => [clean(name), clean(value)])
  return { ...message, headers: Object.fromEntries(headers) }
}

/** Every `token` in the object, at any depth; in a body that is not JSON, every text written like such a field. */
function tokensIn(body: string): ReadonlyArray<string> {
  const json = parseJson(body)
  if (typeof json === "object" && json !== null) {
    return tokensBelow(json)
  }
  return [...body.matchAll(/"token"\s*:\s*("(?:[^"\\]|\\.)+")/g)].flatMap(([, quoted]) => {
    const value = parseJson(quoted!)
    return isToken(value) ? [value] : []
  })
}

function isToken(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.length <= maxTokenLength
}

/** `parseJson` bounds the depth. */
function tokensBelow(json: object): ReadonlyArray<string> {
  return Object.entries(json).flatMap(([field, value]) => {
    if (typeof value === "object" && value !== null) return tokensBelow(value)
    return field === "token" && isToken(value) ? [value] : []
  })
}
