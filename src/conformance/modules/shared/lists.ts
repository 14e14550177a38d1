/** Probes of the paged lists: one set per list that the role under test serves. */

import type { BlockedBy } from "../../../../schema/Assertion.ts"
import { dayMillis } from "../../../../schema/fields/durations.ts"
import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import type { Role } from "../../../../schema/ocpi/Role.ts"
import type { ModuleId, VersionProfile } from "../../../../schema/ocpi/VersionProfile.ts"
import { count, envelope, itemsOf, nextOf, succeeded } from "../../../findings/answers.ts"
import { isObject } from "../../../findings/json.ts"
import type { Precondition, SuiteScope } from "../../model/Check.ts"
import { clockSkewMillis } from "../../model/clocks.ts"
import type { Answered, Evidence, NotGathered } from "../../model/Evidence.ts"
import { asAnswered } from "../../model/Evidence.ts"
import {
  type CredentialsUse,
  type Probe,
  type ProbeRequest,
  withheld,
  withheldBy
} from "../../model/Probe.ts"
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

const fromStart = (evidence: Evidence, days: number) =>
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

const oneStep = (module: string, id: string): Probe => ({
  id: `${id}.next`,
  after: [id],
  asks: (evidence) => {
    const [page] = evidence.answered(id)
    const asking = linked(module, page)
    if (asking !== undefined) return [asking]
    const hasAll = page !== undefined && count(page, "x-total-count") === itemsOf(page)?.length
    return hasAll
      ? withheld("unobservable", `${module}: too few objects for a second page`)
      : withheld("not_tested", `${module}: the page has no usable link to a next page`)
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
 * A filter that takes the older half of a list away, but two objects at least, and where more are left then, the newest ones, too.
 * Undefined: there are no two that are newer than another one.
 */
const amid = (evidence: Evidence, module: string): Readonly<Record<string, string>> | undefined => {
  const instants = pagesOf(evidence, module)
    .flatMap((page) => itemsOf(page) ?? [])
    .flatMap((item) => (isObject(item) ? (dateTimeMillis(item["last_updated"]) ?? []) : []))
    .toSorted((a, b) => a - b)
  const newest = instants.at(-1)
  // Two objects are left at least, so that there is a second page.
  const middle = instants[Math.min(Math.floor(instants.length / 2), instants.length - 2)]
  const before = instants.findLast((instant) => instant < (middle ?? 0))
  if (newest === undefined || middle === undefined || before === undefined) return undefined
  const between = instants.filter((instant) => instant >= middle && instant < newest)
  return {
    date_from: dateTimeOf(secondWithin(before, middle) ?? middle),
    ...(between.length < 2 ? {} : { date_to: dateTimeOf(secondWithin(between.at(-1)!, newest) ?? newest) })
  }
}

/** A whole second between the two, and neither of them: versions differ in whether the bounds of a filter are let through. */
const secondWithin = (from: number, to: number): number | undefined => {
  const second = Math.ceil(to / 1000 - 1) * 1000
  return second > from ? second : undefined
}

/** What a request is about that has the current token in a header of another scheme. */
export const bearer = "Bearer scheme with the current token"

const wrongHeaders: ReadonlyArray<readonly [string, CredentialsUse]> = [
  ["Bearer scheme", { use: "literal", value: "Bearer $RANDOM" }],
  ["scheme alone", { use: "literal", value: "Token" }],
  ["empty value", { use: "literal", value: "" }],
  ["two spaces and garbage", { use: "literal", value: "Token  $RANDOM ???" }],
  [bearer, { use: "Bearer" }]
]

/** Tokens that nobody has issued, although most of each is the current one. */
const nearTokens: ReadonlyArray<readonly [string, CredentialsUse]> = [
  ["with the current token and a character more", { use: "longer" }],
  ["with the current token without its last character", { use: "shorter" }],
  ["with the current token in letters of the other case", { use: "other case" }]
]

const noFirstPage = (module: string, first: Answered | undefined): NotGathered => {
  const by = noList(module, first)
  return by === undefined ? withheld("not_tested", `GET ${module} gave no usable first page`) : withheldBy(by)
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

/** Has the request a token that is nearly the current one? */
export const isNearToken = ({ about }: Pick<Answered, "about">): boolean =>
  nearTokens.some(([name]) => name === about)

/** GET of one list: whole, without and with wrong tokens, page by page, and with filters. */
export const listProbes = (module: string): ReadonlyArray<Probe> => [
  { id: `${module}.list`, asks: (evidence) => [list(module, evidence)] },
  {
    id: `${module}.no-token`,
    asks: (evidence) => [{ ...list(module, evidence), credentials: { use: "none" } }]
  },
  {
    id: `${module}.random-token`,
    asks: (evidence) => [{ ...list(module, evidence), credentials: { use: "random" } }]
  },
  {
    id: `${module}.near-tokens`,
    asks: (evidence) =>
      nearTokens.map(([about, credentials]) => ({ ...list(module, evidence), credentials, about }))
  },
  {
    id: `${module}.wrong-headers`,
    asks: (evidence) =>
      wrongHeaders.map(([about, credentials]) => ({ ...list(module, evidence), credentials, about }))
  },
  {
    id: `${module}.crawl`,
    after: [`${module}.list`],
    asks: (evidence) => {
      const [first] = evidence.answered(`${module}.list`)
      if (first === undefined || itemsOf(first) === undefined) return noFirstPage(module, first)
      const asking = linked(module, first)
      return asking === undefined ? [] : [asking]
    },
    next: (seen) => linked(module, seen.flatMap(asAnswered).at(-1))
  },
  { id: `${module}.limit1`, asks: (evidence) => [list(module, evidence, { limit: "1" })] },
  oneStep(module, `${module}.limit1`),
  {
    id: `${module}.filtered`,
    after: [`${module}.list`, `${module}.crawl`],
    asks: (evidence) => {
      const [first] = evidence.answered(`${module}.list`)
      if (first !== undefined && itemsOf(first) === undefined) return noFirstPage(module, first)
      const filter = amid(evidence, module)
      return filter === undefined
        ? withheld("not_tested", `${module}: no two objects that were updated after another one`)
        : [list(module, evidence, { ...filter, limit: "1" })]
    }
  },
  oneStep(module, `${module}.filtered`),
  {
    id: `${module}.future`,
    asks: (evidence) => [list(module, evidence, { date_from: fromStart(evidence, 365) })]
  }
]

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
