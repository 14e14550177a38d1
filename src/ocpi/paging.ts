/** Link headers of paginated lists: writes them, and follows a partner's without running in circles. */

/** The Link header `<url>; rel="next"`. */
export const nextLinkHeader = (url: string): string => `<${url}>; rel="next"`

/**
 * The target of `rel="next"` in a Link header (several links and several relations allowed), resolved against the URL
 * of the page that it came with; undefined when there is none.
 */
export const nextLink = (header: string | undefined, pageUrl: string): string | undefined => {
  for (const [, target, parameters] of (header ?? "").matchAll(
    /<([^<>]*)>((?:\s*;\s*[^,;]+(?:"[^"]*")?)*)/g
  )) {
    const relations = /;\s*rel\s*=\s*(?:"([^"]*)"|([^\s;,"]+))/i.exec(parameters ?? "")
    const names = (relations?.[1] ?? relations?.[2] ?? "").toLowerCase().split(/\s+/)
    if (names.includes("next") && URL.canParse(target!, pageUrl)) return new URL(target!, pageUrl).href
  }
  return undefined
}

/** The step of a crawl after a page: the next page, the end, or a stop because the partner's links do not end. */
export type CrawlStep =
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
