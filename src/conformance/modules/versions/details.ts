/** What the checks of discovery ask of version details. */

import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { dataOf, named, tookMillis } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless, when } from "../../../findings/finding.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { isHttpUrl } from "../../../findings/links.ts"
import { shown } from "../../../findings/words.ts"
import { either, inconclusive, type Judgement, noneOf } from "../../model/Check.ts"
import type { Answered, Evidence } from "../../model/Evidence.ts"

/** The OCPI document about versions. */
export const versionsChapter = "version_information_endpoint"

/** What the checks of discovery have in common. */
export const versionsBase = {
  module: "versions",
  versions: versionNumbers,
  roles: either,
  mode: "RO"
} as const

/**
 * What can be seen with Token A already, for the suite of a first registration. Not VERS-001: where the versions URL answers nothing of
 * use, it or Token A may have been entered wrongly.
 */
export const discovery = { first: "too" } as const

/** What the checks of the agreed version's details have in common. */
export const inspect = {
  ...versionsBase,
  sends: "GET the details URL of the agreed version",
  needs: () => ["details"]
} as const

/** Longest URL that OCPI allows. */
const urlCap = 255
const slowMillis = 2000

/** The answer with the details of the agreed version. */
export const detailsSeen = (evidence: Evidence): Answered | undefined =>
  evidence.answered("details").find(({ about }) => about === evidence.profile.version)

/** An entry of a list, with its place in it. */
export interface Entry extends JsonObject {
  readonly index: number
}

/** Endpoints of the agreed version that are objects, each with its place in the list. */
export const endpointsOf = (seen: Answered | undefined): ReadonlyArray<Entry> => {
  const data = seen === undefined ? undefined : dataOf(seen)
  const endpoints = isObject(data) ? data["endpoints"] : undefined
  return Array.isArray(endpoints)
    ? endpoints.flatMap((entry: unknown, index) => (isObject(entry) ? [{ ...entry, index }] : []))
    : []
}

/** What is wrong with a URL; undefined when it is absolute, parseable and short enough. */
export const urlFlaw = (url: unknown): string | undefined => {
  if (typeof url !== "string") return "is not a string"
  if (!isHttpUrl(url)) return "is not an absolute http(s) URL"
  return url.length > urlCap ? `is longer than ${urlCap} characters` : undefined
}

/** The value in one form, whatever the order of its entries: the text gives none to versions and endpoints. */
const inOneOrder = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((entry) => JSON.stringify(inOneOrder(entry))).toSorted()
  return isObject(value)
    ? Object.entries(value)
        .map(([name, entry]) => [name, inOneOrder(entry)] as const)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
    : value
}

/** The entries of the data, each in one form: those of the list of versions, or the endpoints and what else the details have. */
const entriesIn = (data: unknown): ReadonlyMap<string, unknown> =>
  new Map(
    (Array.isArray(data) ? data : Object.values(isObject(data) ? data : { data })).flatMap((entry: unknown) =>
      (Array.isArray(entry) ? entry : [entry]).map(
        (one: unknown) => [JSON.stringify(inOneOrder(one)), one] as const
      )
    )
  )

/** What one answer has and the other has not; undefined when both have the same entries. */
const differenceOf = (first: unknown, other: unknown): string | undefined => {
  const [before, after] = [entriesIn(first), entriesIn(other)]
  const more = [...after].find(([entry]) => !before.has(entry))
  const less = [...before].find(([entry]) => !after.has(entry))
  const words = [
    ...(more === undefined ? [] : [`with ${shown(more[1])}`]),
    ...(less === undefined ? [] : [`without ${shown(less[1])}`])
  ]
  return words.length === 0 ? undefined : words.join(", ")
}

/** Answers to the same request that differ in their data, or are slow in the median. Another order is no difference. */
export const sameData = (answers: ReadonlyArray<Answered>): ReadonlyArray<Finding> => {
  const [first, ...others] = answers
  if (first === undefined) return []
  const durations = answers.map(tookMillis).toSorted((a, b) => a - b)
  const median = durations[Math.floor(durations.length / 2)] ?? 0
  return [
    ...others.flatMap((other) => {
      const difference = differenceOf(dataOf(first), dataOf(other))
      return when(difference !== undefined, () =>
        finding(other, `${named(other)} brought other data than the first answer`, {
          expected: "the same data each time",
          actual: difference ?? "",
          pointer: "/data"
        })
      )
    }),
    ...unless(median < slowMillis, () =>
      finding(first, `${named(first)} takes long: the median is ${Math.round(median)} ms`, {
        expected: `below ${slowMillis} ms`,
        actual: `${Math.round(median)} ms`
      })
    )
  ]
}

/** Judges the endpoints of the agreed version; not tested when there are none to look at. */
export const onEndpoints =
  (
    judge: (
      seen: Answered,
      endpoints: ReadonlyArray<Entry>,
      evidence: Evidence
    ) => ReadonlyArray<Finding> | Judgement
  ) =>
  (evidence: Evidence): Judgement => {
    const seen = detailsSeen(evidence)
    const endpoints = endpointsOf(seen)
    if (seen === undefined || endpoints.length === 0)
      return inconclusive("not_tested", `no endpoints were read for version ${evidence.profile.version}`)
    const result = judge(seen, endpoints, evidence)
    return "is" in result ? result : noneOf(result)
  }

/** JSON Pointer to a field of an endpoint. */
export const place = ({ index }: Entry, field: string) => `/data/endpoints/${index}/${field}`
/** Is there such an endpoint? Any role when none is given. */
export const has = (endpoints: ReadonlyArray<Entry>, identifier: string, role?: string) =>
  endpoints.some(
    (entry) => entry["identifier"] === identifier && (role === undefined || entry["role"] === role)
  )
