/** What the rows of credentials share. */
import type { Bend } from "../../partner/Bend.ts"
import type { Json } from "../../partner/validity.ts"
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
