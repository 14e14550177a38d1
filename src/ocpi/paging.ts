/** Link headers of paginated lists: writes them, and follows a partner's without running in circles. */
import { nextIn } from "../findings/links.ts"

/** The Link header `<url>; rel="next"`. */
export const nextLinkHeader = (url: string): string => `<${url}>; rel="next"`

/** The next page that a Link header names, resolved against the URL of the page that it came with; undefined: none. */
export const nextLink = (header: string | undefined, pageUrl: string): string | undefined =>
  nextIn(header, pageUrl)?.resolved

/** The step of a crawl after a page: the next page, the end, or a stop because the partner's links do not end. */
type CrawlStep =
  | { readonly step: "next"; readonly url: string }
  | { readonly step: "end" }
  | { readonly step: "cycle"; readonly url: string }
  | { readonly step: "cap"; readonly url: string }

/**
 * The step after the last page of `visited`, the URLs of the pages read so far in order. `cap` limits the number of
 * pages.
 */
export const crawlStep = (
  linkHeader: string | undefined,
  visited: ReadonlyArray<string>,
  cap = 100
): CrawlStep => {
  const present = visited[visited.length - 1]
  const url = present === undefined ? undefined : nextLink(linkHeader, present)
  if (url === undefined) return { step: "end" }
  if (visited.some((seen) => seen === url || new URL(seen).href === url)) return { step: "cycle", url }
  return visited.length >= cap ? { step: "cap", url } : { step: "next", url }
}
