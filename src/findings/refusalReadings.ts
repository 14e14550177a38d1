/**
 * What a refusal by HTTP status is likely to mean where the request is right by the OCPI text. One place: registrations and the hints
 * of findings both say it.
 */
import type { ExchangeResponse } from "../../schema/Exchange.ts"
import { isObject } from "./json.ts"
import { partnerWords } from "./partnerWords.ts"
import { parseJson } from "./readJson.ts"

/** An answer that refuses a request. */
type Refusal = Pick<ExchangeResponse, "body" | "headers" | "httpStatus">

/** By the text an unknown token is HTTP 401 (transport_and_format, Authorization header). */
const ofTheToken =
  "the token is known and not allowed this (expired, blocked, or of a party without the right); an unknown one is HTTP 401 by the OCPI text"
const ofAGateway =
  "a gateway, a firewall or a list of allowed addresses in front of the service refuses our requests: let the addresses of plugfest pass"

/** The likely readings of HTTP 403, the likeliest first. OCPI does not use that status. */
export const readingsOfForbidden = (refusal: Refusal): readonly [string, string] =>
  isOfService(refusal) ? [ofTheToken, ofAGateway] : [ofAGateway, ofTheToken]

/**
 * What to look at first after an answer with that HTTP status; undefined: the status says nothing beyond the rule that is broken.
 * Sentences.
 */
export const hintOfRefusal = (refusal: Refusal): string | undefined => {
  const { httpStatus } = refusal
  switch (httpStatus) {
    case 401:
      return "The token of the request was refused: compare it with the one that you handed over last, and read the header in the form of the version (Base64 of the token from 2.2 on)."
    case 403: {
      const [first, second] = readingsOfForbidden(refusal)
      return `HTTP 403 has two likely readings, in this order: ${first}; or ${second}.`
    }
    case 404:
      if (hasEnvelope(refusal))
        return "Your OCPI service answered, and found no such object: see that it has the route, that it keeps what it has accepted, and how it compares the ids of the URL with those that it holds."
      return "Nothing answers at that URL: compare the URLs in your versions list and version details with the addresses at which your service answers, and see that the route below them exists."
    case 405:
      return "The endpoint does not offer that method: add it, or take the endpoint out of your version details."
    case 400:
    case 415:
    case 422:
      return "The request is right by the OCPI text and your service does not take it: your own words, where there are any, name the field."
    case 502:
    case 503:
    case 504:
      return "A gateway answered for a service that is away or too slow: look at the service behind it."
    default:
      if (httpStatus >= 500)
        return "The request made your service fail: look for it in your log by the time and its X-Request-ID."
      return httpStatus >= 300 && httpStatus < 400
        ? "Serve the URL that you announce: OCPI has no redirects."
        : undefined
  }
}

/** Is the body an answer of OCPI? */
const hasEnvelope = ({ body }: Pick<Refusal, "body">): boolean => {
  const json = parseJson(body ?? "")
  return isObject(json) && "status_code" in json
}

/** Was it the OCPI service that answered? It says so by an envelope, or speaks of the token. */
const isOfService = ({ body, httpStatus }: Refusal): boolean => {
  const words = partnerWords({ body, httpStatus }) ?? ""
  return hasEnvelope({ body }) || /token|credential|expired/i.test(words)
}
