/** Deviations that any answer can show, in words. None of them is a reason to stop. */
import { Redacted } from "effect"
import { isObject } from "../../findings/json.ts"
import { firstDocument } from "../../findings/readJson.ts"
import type { PartnerAnswer } from "../../ocpi/OcpiClient.ts"

/** The answer's JSON, or its first document where there are several; undefined when there is none. */
export const readJsonOf = ({ body, json }: PartnerAnswer): unknown =>
  json ?? (body === undefined ? undefined : firstDocument(Redacted.value(body)))

/**
 * The deviations of an answer's form: HTTP, JSON and envelope. `json`: the result of `readJsonOf`, which is expensive for
 * long bodies.
 */
export const deviationsOf = (answer: PartnerAnswer, json: unknown): ReadonlyArray<string> => {
  const { response } = answer.exchange
  if (response === null) return []
  const status = response.httpStatus
  if (status >= 300 && status < 400) return [`answers ${status}, ${redirectOf(answer)}`]
  const code = isObject(json) ? json["status_code"] : undefined
  const said: Array<string> = []
  if (answer.json === undefined && json !== undefined)
    said.push("two JSON documents came in one body; the first was read")
  if (status >= 400 && code === undefined) said.push("an error came without an OCPI envelope")
  if (!isObject(json) || code === undefined) return said
  if (typeof code !== "number") said.push("status_code is not a number")
  if (typeof json["timestamp"] !== "string") said.push("the envelope has no timestamp")
  return said
}

/** Where a redirect leads: `a redirect to …`. */
export const redirectOf = ({ exchange }: PartnerAnswer): string => {
  const from = exchange.request.url
  const location = exchange.response?.headers["location"]
  if (location === undefined) return "a redirect to nowhere"
  const to = URL.canParse(location, from) ? new URL(location, from).href : location
  if (to === withSlash(from)) return `a redirect to the same URL with a slash at the end (${to})`
  return withSlash(to) === from
    ? `a redirect to the same URL without the slash at the end (${to})`
    : `a redirect to ${to}`
}

/** The URL with a slash after its path, before its query. */
function withSlash(url: string): string {
  if (!URL.canParse(url)) return url
  const longer = new URL(url)
  longer.pathname = `${longer.pathname}/`
  return longer.href
}
