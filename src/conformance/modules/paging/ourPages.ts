/** How the partner reads our lists: judged on the pages that it has asked for. */

import type { Finding } from "../../../findings/Flaw.ts"
import { finding } from "../../../findings/finding.ts"
import { nextLink } from "../../../ocpi/paging.ts"
import { withoutEndSlashes } from "../../../ocpi/urls.ts"
import type { Check } from "../../model/Check.ts"
import type { Evidence, Observation } from "../../model/Evidence.ts"
import { observed } from "../../model/observed.ts"
import { onAllCalls } from "../shared/allCalls.ts"
import { listModules } from "../shared/lists.ts"
import { pagingBase } from "./eachList.ts"

const source = "inbound"

/** Most time between two pages; a partner that has not asked for the next page by then is taken to have stopped. */
const patienceMillis = 60_000

interface Page {
  readonly seen: Observation
  /** The URL of the next page in our Link header. */
  readonly next: string
}

const linkIn = ({ exchange: { request, response } }: Observation): string | undefined => {
  const header = Object.entries(response?.headers ?? {}).find(([name]) => name.toLowerCase() === "link")
  return nextLink(header?.[1], request.url)
}

const isList = ({ exchange }: Observation): boolean =>
  exchange.request.method === "GET" && exchange.response?.httpStatus === 200 && exchange.operation === "list"

/** A page of a list of ours that is not the last one. */
const asPage = (seen: Observation): ReadonlyArray<Page> => {
  const next = isList(seen) ? linkIn(seen) : undefined
  return next === undefined ? [] : [{ seen, next }]
}

/** Compares path and query regardless of order and encoding, but not the host, which may be that of a proxy. */
const placeOf = (url: string): string => {
  const { pathname, searchParams } = new URL(url, "http://here")
  return JSON.stringify([
    withoutEndSlashes(pathname),
    [...searchParams].map((pair) => pair.join("=")).toSorted()
  ])
}

const begun = ({ exchange }: Observation): number => Date.parse(exchange.startedAt)
const queryOf = ({ exchange }: Observation) => new URL(exchange.request.url, "http://here").searchParams

/** Of the same list, asked after it, and not from its beginning. */
const onwards = (page: Page, calls: ReadonlyArray<Observation>): Observation | undefined =>
  calls.find(
    (one) =>
      one.exchange.module === page.seen.exchange.module &&
      one.exchange.request.method === "GET" &&
      one.exchange.operation === "list" &&
      begun(one) >= begun(page.seen) &&
      one !== page.seen &&
      Number(queryOf(one).get("offset") ?? 0) > 0
  )

/** Has the partner asked for a page by our link, of any list? */
const followsLinks = (calls: ReadonlyArray<Observation>): boolean => {
  const asked = new Set(calls.map(({ exchange }) => placeOf(exchange.request.url)))
  return calls.flatMap(asPage).some(({ next }) => asked.has(placeOf(next)))
}

/**
 * Did the partner want no more than this page? It gave a limit of its own, and asked for no other page. A partner that never
 * follows a link says with a limit above 1 no more than how large its pages are.
 */
const isGlance = (page: Page, calls: ReadonlyArray<Observation>): boolean => {
  const query = queryOf(page.seen)
  return (
    query.has("limit") &&
    Number(query.get("offset") ?? 0) === 0 &&
    (Number(query.get("limit")) <= 1 || followsLinks(calls))
  )
}

/** Was it gone on from, or what came instead? Undefined: nothing yet, and that may be all right. */
function followed(
  page: Page,
  calls: ReadonlyArray<Observation>,
  { startedAt }: Evidence
): "yes" | Finding | undefined {
  if (calls.some(({ exchange }) => placeOf(exchange.request.url) === placeOf(page.next))) return "yes"
  const instead = onwards(page, calls)
  const { id, module } = page.seen.exchange
  if (instead !== undefined)
    return finding(instead, `of our ${module} the next page was not asked for by its link`, {
      expected: `GET ${page.next}`,
      actual: `GET ${instead.exchange.request.url}`
    })
  const until = Math.max(Date.parse(startedAt), ...calls.map(begun)) - patienceMillis
  if (isGlance(page, calls) || begun(page.seen) >= until) return undefined
  const limit = queryOf(page.seen).get("limit")
  return {
    message: `our ${module} were not read to the last page${limit === null ? "" : `: with limit=${limit} the partner asked for one page, or it does not follow the Link`}`,
    expected: `GET ${page.next}`,
    actual: "nothing",
    exchangeId: id
  }
}

/** Judge how the partner reads our lists page by page (transport_and_format, Pagination). */
export const ourPagesChecks: ReadonlyArray<Check> = [
  {
    ...pagingBase,
    id: "PAGE-029",
    title: "Our lists: the partner follows the Link of every page",
    mode: "OBS",
    strength: "should",
    sends: "no request: the check looks at how the partner reads our lists",
    passes: "each page of ours that has a next one is followed by a GET of exactly that link",
    hint: "Request the URL of the Link header as it is, until a page has none; compute no offset of your own.",
    needs: () => [source],
    // Whether a partner follows Links at all is seen in any list, so the calls about all of them have to be known.
    judge: onAllCalls(source, listModules, (evidence) => {
      const calls = evidence.seen(source)
      const told = calls.flatMap(asPage).flatMap((page) => {
        const is = followed(page, calls, evidence)
        return is === undefined ? [] : [{ page, is }]
      })
      return observed({
        source,
        matches: (seen) => told.some(({ page }) => page.seen === seen),
        nearMiss: (seen) =>
          isList(seen) && seen.exchange.response !== null
            ? `our ${seen.exchange.module} were read, and there was one page of them, or one was all that was wanted`
            : undefined,
        provoke:
          "the partner has not read a list of ours that has several pages: make it read one with a small limit",
        // One finding is enough: a partner that ignores the Link does so on every page.
        findings: () => told.flatMap(({ is }) => (is === "yes" ? [] : [is])).slice(0, 1)
      })(evidence)
    })
  }
]
