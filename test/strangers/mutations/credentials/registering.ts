/** What the rows of credentials share. */
import type { Bend } from "../../partner/Bend.ts"
import type { Json } from "../../partner/objects/validity.ts"
import type { Asked, Call, Heard } from "../../partner/wire.ts"
import { type At, at, data, type turning } from "../bends.ts"

export const credentials = at("credentials")
export const given = at("credentials", "POST", "PUT")
export const registering = at("credentials", "POST")
export const returned = (edit: (one: Json) => Json) => data(given, edit)
export const isRead = ({ method }: Call) => method === "GET"
export const heard = (value: unknown): Heard => ({
  http: 200,
  json: { data: value, status_code: 1000 },
  headers: {}
})
/** Never asks for their versions or details, and guesses them. */
export const unseeing = (call: Call): ReadonlyArray<Call> | Heard =>
  isRead(call)
    ? heard(
        call.url.includes("details")
          ? { endpoints: [] }
          : ["2.1.1", "2.2", "2.2.1", "2.3.0"].map((version) => ({ version, url: `${call.url}/details` }))
      )
    : [call]
export const listOnly = (call: Call): ReadonlyArray<Call> | Heard =>
  isRead(call) && !/versions$/.test(call.url)
    ? heard({
        endpoints: [
          { identifier: "credentials", role: "SENDER", url: call.url },
          { identifier: "tokens", role: "SENDER", url: call.url }
        ]
      })
    : [call]
/** Endpoints below the URL of the details. */
const guessedDetails = ({ url }: Call): Heard =>
  heard({
    endpoints: ["credentials", "tokens", "locations"].map((identifier) => ({
      identifier,
      role: "SENDER",
      url: `${url}/${identifier}`
    }))
  })
/** Guesses where our credentials are, without a look at our versions and details. */
export const guessing = (call: Call): ReadonlyArray<Call> | Heard => {
  if (!isRead(call)) return [call]
  if (/\/2\.[0-9.]+$/.test(call.url)) return guessedDetails(call)
  const root = call.url.replace(/\/versions$/, "")
  return heard(["2.1.1", "2.2", "2.2.1", "2.3.0"].map((one) => ({ version: one, url: `${root}/${one}` })))
}
/** Once it has seen a lower version in a list it registers in that one, whatever is listed later. */
export const inLowest = (): Bend => {
  let lower: unknown
  return {
    hears: (answer, call) => {
      if (!isRead(call)) return answer
      const all = (answer.json as Json | undefined)?.["data"]
      if (!/versions$/.test(call.url) || !Array.isArray(all))
        return lower === undefined ? answer : guessedDetails(call)
      const [lowest] = all.toSorted((a: Json, b: Json) =>
        String(a["version"]) < String(b["version"]) ? -1 : 1
      )
      if (all.length > 1) lower ??= lowest?.["url"]
      return lower === undefined
        ? answer
        : {
            ...answer,
            json: { ...(answer.json as Json), data: all.map((one: Json) => ({ ...one, url: lower })) }
          }
    }
  }
}
/** Calls back with Token A, and then as it should. */
export const withTokenA = (): Bend => {
  let tokenA = ""
  return {
    arrives: (asked) => {
      if (asked.method === "POST" && asked.body.includes("token"))
        tokenA = asked.headers["authorization"] ?? ""
      return asked
    },
    asks: (call) =>
      isRead(call) && tokenA !== ""
        ? [
            {
              ...call,
              headers: { ...call.headers, Authorization: tokenA, "X-Request-ID": `again-${call.url.length}` }
            },
            call
          ]
        : [call]
  }
}

/** Tokens that were once valid are taken for ever. */
export const remembering =
  (there: At, until = Number.POSITIVE_INFINITY) =>
  () => {
    const known = new Set<string>()
    let used = 0
    return {
      says: (said: Parameters<NonNullable<ReturnType<typeof turning>["says"]>>[0], asked: Asked) => {
        if (said.http === 200) known.add(asked.headers["authorization"] ?? "")
        return said
      },
      admits: (asked: Asked, where: Parameters<At>[1]) => {
        if (!there(asked, where) || !known.has(asked.headers["authorization"] ?? "")) return false
        used += 1
        return used < until
      }
    }
  }
