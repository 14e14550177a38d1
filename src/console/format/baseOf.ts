/** What several URLs begin with, to its last slash; empty where they share no host. Pure. */
export function baseOf(urls: ReadonlyArray<string>): string {
  const [first = "", ...others] = urls
  if (others.length === 0) return ""
  let length = first.length
  for (const url of others) {
    let same = 0
    while (same < length && url[same] === first[same]) same++
    length = same
  }
  const base = first.slice(0, first.lastIndexOf("/", length - 1) + 1)
  return /^https?:\/\/[^/]+\//.test(base) ? base : ""
}
