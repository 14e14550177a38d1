/** Answers that refuse a request: what counts as one, and what in its body speaks against it. */
import { isClientErrorCode } from "../../schema/ocpi/envelope.ts"
import { type AnsweredExchange, statusCode } from "./answers.ts"
import { isObject, type JsonObject, numberFrom } from "./json.ts"

/** How much of a body is searched for JSON objects, in characters. */
const longestSearch = 100_000

/** HTTP 4xx, or an envelope with an error code of OCPI (2000 to 4999) in an answer of HTTP 2xx. HTTP 5xx refuses nothing: it fails. */
export const isRefusal = (seen: AnsweredExchange): boolean => {
  const { httpStatus } = seen.response
  if (httpStatus >= 400) return httpStatus < 500
  const code = statusCode(seen)
  return httpStatus >= 200 && httpStatus < 300 && code >= 2000 && code < 5000
}

/** A refusal by the client's fault: `status_code` 2xxx, or HTTP 4xx without a code of OCPI. */
export const isByClient = (seen: AnsweredExchange): boolean => {
  const code = statusCode(seen)
  return isRefusal(seen) && (Number.isNaN(code) || isClientErrorCode(code))
}

/**
 * What the body of a refusal says against it: success, or a credentials object, also in a second JSON object behind the first.
 * Undefined: nothing.
 */
export const contradictionIn = ({ exchange, response }: AnsweredExchange): string | undefined => {
  const objects = jsonObjectsIn(response.body ?? "")
  const sent = jsonObjectsIn(exchange.request.body ?? "").map(({ token }) => token)
  // An error may quote the request, and so the token in it.
  if (objects.flatMap(tokenOf).some((token) => !sent.includes(token)))
    return "its body holds a credentials object"
  return objects.some(saysSuccess) ? "its body says success" : undefined
}

/**
 * The outermost JSON objects in a text: one for a body that is a JSON object, several where one follows the other or stands
 * behind a line of text.
 */
function jsonObjectsIn(text: string): ReadonlyArray<JsonObject> {
  const found: Array<JsonObject> = []
  const end = Math.min(text.length, longestSearch)
  let depth = 0
  let start = 0
  let isQuoted = false
  for (let at = 0; at < end; at++) {
    const sign = text[at]
    if (isQuoted) {
      if (sign === "\\") at++
      else if (sign === '"') isQuoted = false
    } else if (sign === '"') isQuoted = depth > 0
    else if (sign === "{") {
      if (depth === 0) start = at
      depth++
    } else if (sign === "}" && depth > 0) {
      depth--
      if (depth === 0) found.push(...parsed(text.slice(start, at + 1)))
    }
  }
  return found
}

function parsed(text: string): ReadonlyArray<JsonObject> {
  try {
    const json: unknown = JSON.parse(text)
    return isObject(json) ? [json] : []
  } catch {
    return []
  }
}

const saysSuccess = ({ status_code }: JsonObject) =>
  numberFrom(status_code) >= 1000 && numberFrom(status_code) < 2000

/** The token of a credentials object, bare or as `data` of an envelope. */
const tokenOf = (json: JsonObject): ReadonlyArray<unknown> => {
  const { token, url } = isObject(json["data"]) ? json["data"] : json
  return typeof token === "string" && typeof url === "string" ? [token] : []
}
