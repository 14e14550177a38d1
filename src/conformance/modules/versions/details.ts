/** What the checks of discovery ask of version details. */

import { isDeepStrictEqual } from "node:util"
import { versionNumbers } from "../../../../schema/ocpi/versions.ts"
import { dataOf, named, tookMillis } from "../../../findings/answers.ts"
import type { Finding } from "../../../findings/Flaw.ts"
import { finding, unless } from "../../../findings/finding.ts"
import { isObject, type JsonObject } from "../../../findings/json.ts"
import { isHttpUrl } from "../../../findings/links.ts"
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

/** Answers to the same request that differ in their data, or are slow in the median. */
export const sameData = (answers: ReadonlyArray<Answered>): ReadonlyArray<Finding> => {
  const [first, ...others] = answers
  if (first === undefined) return []
  const durations = answers.map(tookMillis).toSorted((a, b) => a - b)
  const median = durations[Math.floor(durations.length / 2)] ?? 0
  return [
    ...others
      .filter((other) => !isDeepStrictEqual(dataOf(other), dataOf(first)))
      .map((other) =>
        finding(other, `${named(other)} brought other data than the first answer`, {
          expected: "the same data each time",
          actual: "different data",
          pointer: "/data"
        })
      ),
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
