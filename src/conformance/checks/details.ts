/** What the checks of discovery ask of version details. */
import { isDeepStrictEqual } from "node:util"
import { dataOf, isHttpUrl, isObject, type Json, named } from "../answers.ts"
import type { Finding } from "../Check.ts"
import type { Answered, Evidence } from "../Evidence.ts"

/** Longest URL that OCPI allows. */
const urlCap = 255
const slowMillis = 2000

/** The answer with the details of the agreed version. */
export const detailsSeen = (evidence: Evidence): Answered | undefined =>
  evidence.answered("details").find(({ about }) => about === evidence.profile.version)

export interface EndpointEntry extends Json {
  readonly index: number
}

/** Endpoints of the agreed version that are objects, each with its place in the list. */
export const endpointsOf = (seen: Answered | undefined): ReadonlyArray<EndpointEntry> => {
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
  const durations = answers.map(({ exchange }) => exchange.durationMs).toSorted((a, b) => a - b)
  const median = durations[Math.floor(durations.length / 2)] ?? 0
  const slow =
    median < slowMillis
      ? []
      : [
          {
            message: `${named(first)} takes long: the median is ${Math.round(median)} ms`,
            expected: `below ${slowMillis} ms`,
            actual: `${Math.round(median)} ms`,
            exchangeId: first.exchange.id
          }
        ]
  const differing = others
    .filter((other) => !isDeepStrictEqual(dataOf(other), dataOf(first)))
    .map((other) => ({
      message: `${named(other)} brought other data than the first answer`,
      expected: "the same data each time",
      actual: "different data",
      pointer: "/data",
      exchangeId: other.exchange.id
    }))
  return [...differing, ...slow]
}
