/** The Link header (RFC 8288): where the next page is. And which texts are URLs of the web at all. */
import { shown } from "./words.ts"

/** One link of a Link header (RFC 8288). */
interface Link {
  /** As it was written. */
  readonly target: string
  /** Resolved against the URL of the request; undefined when it is no URL. */
  readonly url: string | undefined
  /** Does it begin with http:// or https://? */
  readonly absolute: boolean
  /** Lower case. */
  readonly relations: ReadonlyArray<string>
}

/** A link to the next page. */
export interface NextLink {
  /** As it was written; absent when it is not an absolute http(s) URL in angle brackets. */
  readonly url?: string
  /** Resolved against the URL of the page, for a reader that follows relative links too. */
  readonly resolved?: string | undefined
  /** What is wrong with its form. */
  readonly problem?: string
}

/** Every link of a Link header, in order. `base` is the URL that was asked. What cannot be read is left out. */
export const linksOf = (header: string, base: string): ReadonlyArray<Link> =>
  [...header.matchAll(linkForm)].map(([, target = "", parameters = ""]) => ({
    target,
    url: URL.canParse(target, base) ? new URL(target, base).href : undefined,
    absolute: isHttpUrl(target),
    relations: relationsOf(parameters)
  }))

/** The relation `next` of a Link header; undefined when the header has none. `base` is the URL of the page. */
export const nextIn = (header = "", base: string): NextLink | undefined => {
  const next = linksOf(header, base).find(({ relations }) => relations.includes("next"))
  if (next !== undefined)
    return next.absolute
      ? { url: next.target, resolved: next.url }
      : { resolved: next.url, problem: `the target ${shown(next.target)} is not an absolute URL` }
  return /rel\s*=\s*"?next\b/i.test(header)
    ? { problem: 'the target of rel="next" does not stand in angle brackets' }
    : undefined
}

/** Is the value the text of an absolute http(s) URL? */
export const isHttpUrl = (text: unknown): text is string =>
  typeof text === "string" && /^https?:\/\//i.test(text) && URL.canParse(text)

const linkForm = /<([^<>]*)>((?:\s*;\s*[^\s=;,<>"]+(?:\s*=\s*(?:"(?:[^"\\]|\\.)*"|[^\s;,"<>]*))?)*)/g
const parameterForm = /;\s*([^\s=;,]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s;,"]*)))?/g

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
