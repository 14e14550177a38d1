/** The paged lists that a role serves: how their pages are asked for, and what was read of them. */

import type { BlockedBy } from "../../../../schema/Assertion.ts"
import { dayMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import type { ModuleId, VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { count, envelope, itemsOf, named, nextOf, statusLine, succeeded } from "../../../findings/answers.ts"
import type { Precondition, SuiteScope } from "../../model/Check.ts"
import { clockSkewMillis } from "../../model/clocks.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"
import { asAnswered } from "../../model/Evidence.ts"
import type { Probe, ProbeRequest } from "../../model/Probe.ts"
import { noList } from "../../model/unreadList.ts"

/** Modules whose SENDER interface is a paged list. */
export const listModules: ReadonlyArray<ModuleId> = [
  "locations",
  "sessions",
  "cdrs",
  "tariffs",
  "tokens",
  "hubclientinfo"
]
/** Lists that only grow: read for the last year only. `date_from` is mandatory for sessions. */
const windowed = ["sessions", "cdrs"]
const windowDays = 365

/** The lists that a role serves in a version. */
export const listsOf = (profile: VersionProfile, role: Role): ReadonlyArray<string> =>
  profile.interfaces[role].flatMap(([module, side]) =>
    side === "SENDER" && listModules.includes(module) ? [module] : []
  )

/** Those probes of every list of the role: `locations.crawl` for `crawl`. */
export const perList =
  (...suffixes: ReadonlyArray<string>) =>
  ({ profile, role }: SuiteScope): ReadonlyArray<string> =>
    listsOf(profile, role).flatMap((list) => suffixes.map((suffix) => `${list}.${suffix}`))

/** So many days after the run began, or before it. */
export const fromStart = (evidence: Evidence, days: number) =>
  dateTimeOf(Date.parse(evidence.startedAt) + days * dayMillis)

/** End of the id of the probe that reads a list once more, after everything else that is read of it. */
export const lastReading = "recrawl"

/** The request for a list, from the beginning unless the query says otherwise. */
export const firstPage = (
  module: string,
  evidence: Evidence,
  query: Readonly<Record<string, string>> = {}
): ProbeRequest => list(module, evidence, query)

const list = (
  module: string,
  evidence: Evidence,
  query: Readonly<Record<string, string>> = {}
): ProbeRequest => {
  const all = {
    ...(windowed.includes(module) ? { date_from: fromStart(evidence, -windowDays) } : {}),
    ...query
  }
  return {
    module,
    interfaceRole: "SENDER",
    operation: "list",
    ...(Object.keys(all).length === 0 ? {} : { query: all })
  }
}

/** The request that a Link header asks for. */
export const linked = (module: string, page: Answered | undefined): ProbeRequest | undefined => {
  const url = page === undefined ? undefined : nextOf(page)?.url
  return page === undefined || url === undefined
    ? undefined
    : {
        module,
        interfaceRole: "SENDER",
        operation: "list, next page",
        url,
        linkedFrom: page.exchange.request.url
      }
}

interface ReadAgain extends Pick<Probe, "after" | "behind"> {
  /** Of the first page, for readers of the ledger. */
  readonly operation: string
  /** Is the list read at all? Default: it is. */
  readonly isAsked?: (evidence: Evidence) => boolean
  /** Most pages; default: to the end of the list. */
  readonly most?: (evidence: Evidence) => number
}

/** The probe of that id: reads a list from the beginning once more, whatever of it was read before. */
export const readAgain = (
  module: string,
  id: string,
  { isAsked = () => true, most = () => Number.POSITIVE_INFINITY, operation, ...order }: ReadAgain
): Probe => ({
  id,
  ...order,
  asks: (evidence) => (isAsked(evidence) ? [{ ...firstPage(module, evidence), operation, again: true }] : []),
  next: (seen, evidence) => {
    const following =
      seen.length < most(evidence) ? linked(module, seen.flatMap(asAnswered).at(-1)) : undefined
    return following && { ...following, operation: `${operation}, next page` }
  }
})

/** All pages of a list that were read, the first one first. */
export const pagesOf = (evidence: Evidence, module: string): ReadonlyArray<Answered> => [
  ...evidence.answered(`${module}.list`),
  ...evidence.answered(`${module}.crawl`)
]

/** Was the list, whose pages these are, read to its end? What is not in it is absent only then. */
export const isWhole = (pages: ReadonlyArray<Answered>): boolean => {
  const last = pages.at(-1)
  return last !== undefined && nextOf(last) === undefined
}

/**
 * A list that is forbidden to the token in use, too, or redirected with it as well: that others are forbidden or redirected says
 * nothing about tokens.
 */
export const forbiddenToAll = (seen: Answered, evidence: Evidence): BlockedBy | undefined => {
  const { module } = seen.exchange
  const [plain] = evidence.answered(`${module}.list`)
  const alike = (is: (status: number) => boolean) =>
    [seen, plain].every((one) => is(one?.response.httpStatus ?? 0))
  const isSaidToAll = alike((status) => status === 403) || alike((status) => status >= 300 && status < 400)
  return isSaidToAll ? noList(module, plain) : undefined
}

/** What is open without a token, which `check` reports, is so to any token and header: no other request shows more. */
export const openToAnyone =
  (probe: (module: string) => string, check: string) =>
  (seen: Answered, evidence: Evidence): BlockedBy | undefined => {
    const open = evidence.answered(probe(seen.exchange.module)).find(succeeded)
    return open !== undefined && succeeded(seen)
      ? {
          check,
          exchangeId: open.exchange.id,
          what: `${named(open)} without a token was answered ${statusLine(open)}`
        }
      : undefined
  }

/** A list that was refused, as it is without what the request is about: then the refusal is not about that. */
export const refusedAnyway = (seen: Answered, evidence: Evidence): BlockedBy | undefined => {
  const { module } = seen.exchange
  return succeeded(seen) ? undefined : noList(module, evidence.answered(`${module}.list`)[0])
}

/** What a check that compares the objects of whole lists requires: a link to each next page that can be followed. */
export const wholeLists = (): ReadonlyArray<Precondition> => linkChecks.map((check) => ({ check }))

/** The checks of the links to next pages. */
const linkChecks = ["PAGE-004", "PAGE-006"]

/** A list that was read: the probes that read its pages, in their order. */
type ReadList = ReadonlyArray<string>

/** The pages of a list that is read from its beginning. */
export const allPages = (module: string): ReadList => [`${module}.list`, `${module}.crawl`]

/** Do the pages have as many objects as X-Total-Count says? Then no link is missing. */
const isComplete = (evidence: Evidence, list: ReadList): boolean => {
  const pages = list.flatMap(evidence.answered)
  const total = pages.map((page) => count(page, "x-total-count")).findLast((one) => one !== undefined)
  const read = pages.reduce((sum, page) => sum + (itemsOf(page)?.length ?? 0), 0)
  return total !== undefined && read >= total
}

/** As `wholeLists`, but not where these lists had all of their objects on the pages that were read. */
export const wholeListsOf =
  (...lists: ReadonlyArray<ReadList>) =>
  (): ReadonlyArray<Precondition> => {
    const unless = (evidence: Evidence) => lists.every((list) => isComplete(evidence, list))
    return linkChecks.map((check) => ({ check, unless }))
  }

/** Total that a page announces, or else what was counted. */
export const totalOf = (evidence: Evidence, module: string): number | undefined =>
  pagesOf(evidence, module)
    .map((page) => count(page, "x-total-count"))
    .findLast((total) => total !== undefined)

/** When a page was made in milliseconds since 1970, by the partner's own clock (transport_and_format, Response format: timestamp). */
export const madeAt = (page: Answered): number =>
  dateTimeMillis(envelope(page)?.["timestamp"]) ?? Date.parse(page.exchange.startedAt) - clockSkewMillis

/**
 * HTTP statuses that say something of the moment, of the token or of how much was asked, and nothing of the parameters; and HTTP 404, which
 * is how some say that a list is empty (TRANS-015).
 */
const besideFilters = [401, 404, 408, 425, 429, 502, 503, 504]

/** The answer to the list with a date_from in the future, if it is none of success. */
export const refusedFilter = (evidence: Evidence, list: string): Answered | undefined => {
  const [seen] = evidence.answered(`${list}.future`)
  return seen === undefined || succeeded(seen) || besideFilters.includes(seen.response.httpStatus)
    ? undefined
    : seen
}
