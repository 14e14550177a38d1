/** The Link header (RFC 8288): where the next page is. */
import type { Exchange } from "../../schema/Exchange.ts"
import type { ExchangeRule } from "./Flaw.ts"
import { headerOf, ofAnswer } from "./http.ts"

export interface Link {
  /** As it was written. */
  readonly target: string
  /** Resolved against the URL of the request; undefined when it is no URL. */
  readonly url: string | undefined
  readonly absolute: boolean
  /** Lower case. */
  readonly relations: ReadonlyArray<string>
}

/** Every link of a Link header, in order. `base` is the URL that was asked. What cannot be read is left out. */
export const linksOf = (header: string, base: string): ReadonlyArray<Link> =>
  [...header.matchAll(linkForm)].map(([, target = "", parameters = ""]) => ({
    target,
    url: URL.canParse(target, base) ? new URL(target, base).href : undefined,
    absolute: URL.canParse(target),
    relations: relationsOf(parameters)
  }))

/** The URL of the next page, ready to be asked; undefined when there is none. */
export const linkNext = (exchange: Exchange): string | undefined => nextOf(exchange)?.url

/** No link to a next page, or one with an absolute URL. */
export const nextIsAbsolute: ExchangeRule = ofAnswer((_, exchange) => {
  const next = nextOf(exchange)
  return next === undefined || next.absolute
    ? undefined
    : {
        message: "the link to the next page is not an absolute URL",
        expected: 'Link: <https://…>; rel="next"',
        actual: next.target
      }
})

const linkForm = /<([^<>]*)>((?:\s*;\s*[^\s=;,<>"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"<>]*))?)*)/g
const parameterForm = /;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g

function nextOf(exchange: Exchange): Link | undefined {
  const header = headerOf(exchange, "link")
  if (header === undefined) return undefined
  return linksOf(header, exchange.request.url).find(({ relations }) => relations.includes("next"))
}

/** Only the first `rel` counts; it may name several relations. */
function relationsOf(parameters: string): ReadonlyArray<string> {
  for (const [, name = "", quoted, plain] of parameters.matchAll(parameterForm)) {
    if (name.toLowerCase() === "rel") {
      return (quoted ?? plain ?? "")
        .toLowerCase()
        .split(/\s+/)
        .filter((relation) => relation !== "")
    }
  }
  return []
}
