/** Redaction of exchanges: wherever a partner repeats a token, the stored exchange does not contain it. */
import { Redacted } from "effect"
import type { Exchange, ExchangeRequest, ExchangeResponse } from "../../schema/Exchange.ts"
import { isFoundAnywhere, type Scrub, type Secrets } from "../redaction/scrub.ts"
import { cleanerOf } from "../redaction/scrubValue.ts"
import { tokensIn } from "./handedTokens.ts"
import { kept } from "./keptBody.ts"

/** A token that a message handed over, and its name in OCPI. */
interface Learnt {
  readonly name: "tokenB" | "tokenC"
  readonly value: Redacted.Redacted<string>
}

/** Most tokens that are read from one body; no credentials object has as many. */
const mostLearnt = 100

/**
 * Tokens in the bodies of an exchange: the one in the request is a token B, the one in the response a token C. `module`: that
 * of the exchange, because credentials come to other paths as well.
 */
export const tokensHandedOver = (
  request: string | null,
  response: string | null,
  module: string
): ReadonlyArray<Learnt> =>
  (["tokenB", "tokenC"] as const).flatMap((name) =>
    tokensIn((name === "tokenB" ? request : response) ?? "", module)
      .slice(0, mostLearnt)
      .map((token) => ({ name, value: Redacted.make(token) }))
  )

/** The secrets, and the tokens that an exchange hands over. */
function learn(secrets: Secrets, exchange: Exchange): Secrets {
  const handed = tokensHandedOver(exchange.request.body, exchange.response?.body ?? null, exchange.module)
  if (handed.length === 0) return secrets
  const known = new Set(secrets.map(({ value }) => Redacted.value(value)))
  const learnt = handed.filter(
    ({ value }) => !known.has(Redacted.value(value)) && known.add(Redacted.value(value)).size > 0
  )
  return learnt.length === 0 ? secrets : [...secrets, ...learnt]
}

/**
 * The exchange as it may be stored and shown: its tokens learnt, every text redacted, bodies cut. Takes whole bodies, so
 * that no secret straddles a cut. `scrubbedRequest`: its request, if it has been redacted with the same secrets already, and
 * no token is learnt from the exchange.
 */
export const scrubExchange = (
  secrets: Secrets,
  exchange: Exchange,
  scrubbedRequest?: ExchangeRequest
): Exchange => {
  const learnt = learn(secrets, exchange)
  const { request, response } = exchange
  const scrubbed: Exchange = {
    ...withoutSecrets(learnt, exchange),
    request: scrubbedRequest ?? cleanRequest(learnt, request),
    response: response === null ? null : cleanResponse(learnt, response)
  }
  scrubbedOf.set(scrubbed, secrets)
  return scrubbed
}

/** A secret is in none of some texts if it is not in all of them joined. */
const holdsSecret = (clean: Scrub, joined: string): boolean => clean(joined) !== joined

/** The exchange with its texts beside request and response redacted. */
function withoutSecrets(secrets: Secrets, exchange: Exchange): Exchange {
  const clean = scrubOf(secrets)
  const { correlationId, fault, module, operation, requestId } = exchange
  const joined = `${module}\n${operation}\n${fault?.message ?? ""}\n${requestId}\n${correlationId}`
  if (!holdsSecret(clean, joined)) return exchange
  // Names that we go on using, of which a partner chooses some by its path.
  const { text } = cleanerOf(secrets)
  return {
    ...exchange,
    module: text(module),
    operation: text(operation),
    ...(fault === undefined ? {} : { fault: { kind: fault.kind, message: clean(fault.message) } }),
    requestId: clean(requestId),
    correlationId: clean(correlationId)
  }
}

/** The header of a request that holds a token in each call that is authenticated; names are in lower case. */
const tokenHeader = "authorization"

function cleanRequest(secrets: Secrets, request: ExchangeRequest): ExchangeRequest {
  const clean = scrubOf(secrets)
  const token = request.headers[tokenHeader]
  const named = holdsSecret(clean, request.url + textOf(request.headers, tokenHeader))
    ? { ...cleanHeaders(clean, request), url: clean(request.url) }
    : token === undefined
      ? request
      : { ...request, headers: { ...request.headers, [tokenHeader]: cleanToken(secrets, token) } }
  return { ...named, ...kept(clean, request) }
}

function cleanResponse(secrets: Secrets, response: ExchangeResponse): ExchangeResponse {
  const clean = scrubOf(secrets)
  const named = holdsSecret(clean, textOf(response.headers)) ? cleanHeaders(clean, response) : response
  return { ...named, ...kept(clean, response) }
}

/** Names and values of the headers, without those of `except`, a line each. In a loop, because every call of a partner is searched. */
function textOf(headers: ExchangeRequest["headers"], except?: string): string {
  let text = ""
  for (const name in headers) if (name !== except) text += `\n${name}\n${headers[name]}`
  return text
}

/** By array: values of that header, and what they are when redacted; a partner sends the same in each call. */
const cleanTokens = new WeakMap<Secrets, Map<string, string>>()

/** Most values that are remembered of an array. */
const mostCleanTokens = 16

function cleanToken(secrets: Secrets, value: string): string {
  const known = cleanTokens.get(secrets) ?? new Map<string, string>()
  cleanTokens.set(secrets, known)
  const clean = known.get(value) ?? scrubOf(secrets)(value)
  if (known.size < mostCleanTokens) known.set(value, clean)
  return clean
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

const scrubOf = (secrets: Secrets): Scrub => cleanerOf(secrets).evidence

function cleanHeaders<M extends ExchangeRequest | ExchangeResponse>(clean: Scrub, message: M): M {
  const headers = Object.entries(message.headers).map(([name, value]) => [clean(name), clean(value)])
  return { ...message, headers: Object.fromEntries(headers) }
}
