/** The probes that read one list: whole, without and with wrong tokens, page by page, and with filters. */

import { dateTimeMillis, dateTimeOf } from "../../../../schema/ocpi/DateTime.ts"
import { count, itemsOf } from "../../../findings/answers.ts"
import { isObject } from "../../../findings/json.ts"
import { type Answered, asAnswered, type Evidence, type NotGathered } from "../../model/Evidence.ts"
import { type CredentialsUse, type Probe, withheld, withheldBy } from "../../model/Probe.ts"
import { noList } from "../../model/unreadList.ts"
import { firstPage, fromStart, linked, pagesOf } from "./lists.ts"

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

/** Has the request a token that is nearly the current one? */
export const isNearToken = ({ about }: Pick<Answered, "about">): boolean =>
  nearTokens.some(([name]) => name === about)

/** GET of one list: whole, without and with wrong tokens, page by page, and with filters. */
export const listProbes = (module: string): ReadonlyArray<Probe> => [
  { id: `${module}.list`, asks: (evidence) => [firstPage(module, evidence)] },
  {
    id: `${module}.no-token`,
    asks: (evidence) => [{ ...firstPage(module, evidence), credentials: { use: "none" } }]
  },
  {
    id: `${module}.random-token`,
    asks: (evidence) => [{ ...firstPage(module, evidence), credentials: { use: "random" } }]
  },
  {
    id: `${module}.near-tokens`,
    asks: (evidence) =>
      nearTokens.map(([about, credentials]) => ({ ...firstPage(module, evidence), credentials, about }))
  },
  {
    id: `${module}.wrong-headers`,
    asks: (evidence) =>
      wrongHeaders.map(([about, credentials]) => ({ ...firstPage(module, evidence), credentials, about }))
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
  { id: `${module}.limit1`, asks: (evidence) => [firstPage(module, evidence, { limit: "1" })] },
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
        : [firstPage(module, evidence, { ...filter, limit: "1" })]
    }
  },
  oneStep(module, `${module}.filtered`),
  {
    id: `${module}.future`,
    asks: (evidence) => [firstPage(module, evidence, { date_from: fromStart(evidence, 365) })]
  }
]
