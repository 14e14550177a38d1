/**
 * A small EMSP of OCPI 2.2.1 that shares no code with the sandbox nor with the service: what it refuses and keeps is written here
 * once more, after the text. Each defect is one thing that it does wrong.
 */
import { Effect } from "effect"

/** The beginning of all its URLs. */
export const plainUrl = "https://partner.example/ocpi"
/** Its Token A for us. */
export const plainTokenA = "plain-token-a"

export interface PlainRequest {
  readonly method: string
  readonly url: URL
  /** Names as they were sent. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}
export interface PlainAnswer {
  readonly status: number
  readonly body: string
}
/** Sends a request to us, GET unless a method is given. */
export type CallBack = (
  url: string,
  headers: Readonly<Record<string, string>>,
  method?: string
) => Effect.Effect<PlainAnswer>
export type PlainPartner = (request: PlainRequest, callBack: CallBack) => Effect.Effect<PlainAnswer>

export type Defect =
  /** No endpoint but versions and lists asks for a token. */
  | "open receivers"
  /** Its modules know the header only as `Authorization`. */
  | "spelling"
  /** PUT credentials before the registration: HTTP 405, then it goes on and registers. */
  | "two documents"
  /** POST credentials without a known token: it fetches our versions, and answers 401 afterwards. */
  | "follows strangers"
  /** POST credentials without a known token registers, and is answered 401. */
  | "registers strangers"
  /** POST credentials: an optional field of business_details is missing, as it is always, and that is refused with HTTP 422. */
  | "picky"
  /** A second POST credentials is refused with HTTP 405, and the registration is forgotten. */
  | "second POST ends it"
  /** POST credentials without business_details is answered with a token, which is never known. */
  | "token for nothing"
  /** DELETE credentials is answered HTTP 202, and carried out three seconds later. */
  | "queues DELETE"
  /** The token goes on after DELETE credentials, in the form of the version. */
  | "token lives on"

/** What it is free to do by the text. */
export type Freedom =
  /** Its version details list credentials alone. */
  | "credentials alone"
  /** It registers whoever lists credentials alone. */
  | "needs no module"

const timestamp = "2026-06-01T12:00:00Z"
const envelope = (status: number, status_code: number, data?: unknown): PlainAnswer => ({
  status,
  body: JSON.stringify({ data, status_code, timestamp })
})
const ok = (data: unknown = null) => envelope(200, 1000, data)
const unauthorized = envelope(401, 2000)
const notFound = envelope(404, 2003)
const notAllowed = envelope(405, 2000)

const modules = [
  ["credentials", "SENDER"],
  ["locations", "RECEIVER"],
  ["sessions", "RECEIVER"],
  ["cdrs", "RECEIVER"],
  ["tariffs", "RECEIVER"],
  ["tokens", "SENDER"]
] as const

const base64 = (text: string) => Buffer.from(text).toString("base64")

const parsed = (text: string): Readonly<Record<string, unknown>> | undefined => {
  try {
    const json: unknown = JSON.parse(text)
    return typeof json === "object" && json !== null ? (json as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}

export const plainPartner = (...traits: ReadonlyArray<Defect | Freedom>): PlainPartner => {
  const has = (trait: Defect | Freedom) => traits.includes(trait)
  let tokenC: string | undefined
  let issued = 0
  const kept = new Map<string, unknown>()

  const forget = () => {
    tokenC = undefined
  }

  const object = () => ({
    token: tokenC,
    url: `${plainUrl}/versions`,
    roles: [{ role: "EMSP", country_code: "NL", party_id: "PLN", business_details: { name: "Plain" } }]
  })

  /** Fetches our versions and details with the token of the request; then hands over a token of its own. */
  const register = (body: Readonly<Record<string, unknown>>, callBack: CallBack) =>
    Effect.gen(function* () {
      const { roles, token, url } = body
      const isWhole =
        typeof token === "string" &&
        typeof url === "string" &&
        Array.isArray(roles) &&
        roles.length > 0 &&
        roles.every((one) => typeof one === "object" && one !== null && "business_details" in one)
      if (has("picky"))
        return {
          status: 422,
          body: JSON.stringify({
            detail: [{ loc: ["body", "roles", 0, "business_details", "website"], msg: "Field required" }]
          })
        }
      if (!isWhole)
        return has("token for nothing") ? ok({ ...object(), token: "for-nothing" }) : envelope(200, 2001)
      const headers = { authorization: `Token ${base64(token)}` }
      const reached = yield* callBack(url, headers)
      const list = parsed(reached.body)?.["data"]
      if (reached.status !== 200 || !Array.isArray(list)) return envelope(200, 3001)
      const own = list.find((one: { readonly version?: unknown }) => one.version === "2.2.1") as
        | { readonly url: string }
        | undefined
      if (own === undefined) return envelope(200, 3002)
      const details = parsed((yield* callBack(own.url, headers)).body)?.["data"]
      const listed =
        typeof details === "object" && details !== null ? Object(details)["endpoints"] : undefined
      if (!Array.isArray(listed) || listed.length < (has("needs no module") ? 1 : 2))
        return envelope(200, 3003)
      issued += 1
      tokenC = `plain-token-c-${issued}`
      return ok(object())
    })

  const credentials = (request: PlainRequest, isKnown: boolean, callBack: CallBack) =>
    Effect.gen(function* () {
      const { body, method } = request
      const json = parsed(body)
      const isRegistered = tokenC !== undefined
      if (!isKnown && method === "POST" && json !== undefined) {
        if (has("follows strangers"))
          yield* callBack(String(json["url"]), { authorization: `Token ${base64(String(json["token"]))}` })
        if (has("registers strangers")) yield* register(json, callBack)
      }
      if (!isKnown) return unauthorized
      if (method === "GET") return ok(object())
      if (method === "DELETE") {
        if (!isRegistered) return notAllowed
        if (has("queues DELETE")) {
          yield* Effect.forkDaemon(Effect.delay(Effect.sync(forget), "3 seconds"))
          return envelope(202, 1000)
        }
        if (!has("token lives on")) forget()
        return ok()
      }
      if (json === undefined) return envelope(400, 2000)
      if ((method === "POST") !== isRegistered) return yield* register(json, callBack)
      if (method === "POST" && has("second POST ends it")) tokenC = undefined
      if (!has("two documents") || method !== "PUT") return notAllowed
      const second = yield* register(json, callBack)
      return { status: 405, body: `${notAllowed.body}\n${second.body}` }
    })

  return (request, callBack) =>
    Effect.gen(function* () {
      const { body, headers, method, url } = request
      const [version, module, ...rest] = url.pathname.replace(/^\/ocpi\//, "").split("/")
      const name = Object.keys(headers).find((one) => /^authorization$/i.test(one))
      const value =
        name === undefined || (has("spelling") && module !== undefined && name !== "Authorization")
          ? undefined
          : headers[name]
      const token = /^Token (\S+)$/.exec(value ?? "")?.[1]
      const isKnown = token !== undefined && token === base64(tokenC ?? plainTokenA)
      if (version === "versions")
        return isKnown ? ok([{ version: "2.2.1", url: `${plainUrl}/2.2.1` }]) : unauthorized
      if (version !== "2.2.1") return isKnown ? notFound : unauthorized
      if (module === undefined)
        return isKnown
          ? ok({
              version: "2.2.1",
              endpoints: modules
                .filter(([identifier]) => identifier === "credentials" || !has("credentials alone"))
                .map(([identifier, role]) => ({ identifier, role, url: `${plainUrl}/2.2.1/${identifier}` }))
            })
          : unauthorized
      if (module === "credentials") return yield* credentials(request, isKnown, callBack)
      const isLet = (isKnown && tokenC !== undefined) || (has("open receivers") && rest.length > 0)
      if (!isLet) return unauthorized
      if (module === "tokens" && rest.length === 0) return ok([])
      const key = [module, ...rest].join("/")
      if (method === "PUT" && ["locations", "sessions", "tariffs"].includes(module)) {
        const json = parsed(body)
        if (json === undefined) return envelope(400, 2001)
        const isNew = !kept.has(key)
        kept.set(key, json)
        return { ...ok(), status: isNew ? 201 : 200 }
      }
      if (method === "DELETE" && module === "tariffs") return kept.delete(key) ? ok() : notFound
      if (method === "GET") return kept.has(key) ? ok(kept.get(key)) : notFound
      return module === "tokens" ? notFound : notAllowed
    })
}
