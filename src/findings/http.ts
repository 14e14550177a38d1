/** Questions about the HTTP side of an answer: status, headers, links. */
import type { Exchange, ExchangeResponse } from "../../schema/Exchange.ts"
import type { ExchangeRule, Flaw } from "./Flaw.ts"

/** The flaw of an exchange that nobody answered. */
export const noAnswer = (exchange: Exchange): Flaw => ({
  message: `no answer: ${exchange.outcome}${exchange.fault === undefined ? "" : ` (${exchange.fault.kind}: ${exchange.fault.message})`}`,
  expected: "an HTTP answer",
  actual: exchange.outcome
})

/** Asks only what was answered; the rest has the flaw `no answer`. */
export const ofAnswer =
  (ask: (response: ExchangeResponse, exchange: Exchange) => Flaw | undefined): ExchangeRule =>
  (exchange) =>
    exchange.response === null ? noAnswer(exchange) : ask(exchange.response, exchange)

/** An answer of any kind came. */
export const isAnswered: ExchangeRule = ofAnswer(() => undefined)

/** One of these HTTP statuses. */
export const answersWith = (...statuses: readonly [number, ...ReadonlyArray<number>]): ExchangeRule =>
  ofAnswer(({ httpStatus }) =>
    statuses.includes(httpStatus) ? undefined : wrongStatus(httpStatus, `HTTP ${statuses.join(" or ")}`)
  )

/** Any status from `first` to `last`, both included: `answersWithin(200, 299)`. */
export const answersWithin = (first: number, last: number): ExchangeRule =>
  ofAnswer(({ httpStatus }) =>
    httpStatus >= first && httpStatus <= last
      ? undefined
      : wrongStatus(httpStatus, `an HTTP status from ${first} to ${last}`)
  )

/** A header of the answer, its name in any case; undefined when it is absent or there is no answer. */
export const headerOf = (exchange: Exchange, name: string): string | undefined =>
  exchange.response?.headers[name.toLowerCase()]

/** A header of the request, its name in any case. */
export const requestHeaderOf = (exchange: Exchange, name: string): string | undefined =>
  exchange.request.headers[name.toLowerCase()]

export const headerPresent = (name: string): ExchangeRule =>
  ofAnswer((_, exchange) =>
    headerOf(exchange, name) === undefined ? missingHeader(name, `a header ${name}`) : undefined
  )

/** Present and of a form; `looksLike` completes "a header X like …". */
export const headerMatches = (name: string, form: RegExp, looksLike: string): ExchangeRule =>
  ofAnswer((_, exchange) => {
    const value = headerOf(exchange, name)
    const expected = `a header ${name} like ${looksLike}`
    if (value === undefined) return missingHeader(name, expected)
    // A regular expression with the flag g or y remembers where it stopped; search does not.
    return value.search(form) >= 0
      ? undefined
      : { message: `the header ${name} does not look like ${looksLike}`, expected, actual: value }
  })

/** The header repeats what the request said. */
export const headerEchoed = (name: string): ExchangeRule =>
  ofAnswer((_, exchange) => {
    const sent = requestHeaderOf(exchange, name)
    const value = headerOf(exchange, name)
    if (sent === undefined || value === sent) return undefined
    return value === undefined
      ? missingHeader(name, sent)
      : {
          message: `the header ${name} does not repeat the value of the request`,
          expected: sent,
          actual: value
        }
  })

/** `application/json`, with any parameters. */
export const jsonContentType: ExchangeRule = headerMatches(
  "Content-Type",
  /^\s*application\/json\s*(;|$)/i,
  "application/json"
)

function wrongStatus(httpStatus: number, expected: string): Flaw {
  return {
    message: `answered with HTTP ${httpStatus}; expected ${expected}`,
    expected,
    actual: `HTTP ${httpStatus}`
  }
}

function missingHeader(name: string, expected: string): Flaw {
  return { message: `the header ${name} is missing`, expected, actual: "nothing" }
}
