/** Joining OCPI URLs: endpoints are opaque, may end in a slash and may carry a query. */

/**
 * Endpoint + segments, each percent-encoded and joined by exactly one slash, + query parameters (added to those of the
 * endpoint). Without segments the endpoint's path stays as it was announced. `slash`: one more after the last segment,
 * for partners that require it.
 */
export const joinUrl = (
  endpoint: string,
  segments: ReadonlyArray<string> = [],
  query: Readonly<Record<string, string>> = {},
  slash = false
): string => {
  const url = new URL(endpoint)
  if (segments.length > 0) {
    const root = withoutEndSlashes(url.pathname)
    url.pathname = `${root}/${segments.map(encodeURIComponent).join("/")}${slash ? "/" : ""}`
  }
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
  return url.href
}

/**
 * The text without the slashes at its end. Not by `/\/+$/`, which takes quadratic time on a text that a partner chose.
 */
export const withoutEndSlashes = (text: string): string => {
  let end = text.length
  while (end > 0 && text[end - 1] === "/") end--
  return text.slice(0, end)
}
