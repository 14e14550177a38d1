/** A CPO in plain node:http for the tests of one run: it answers honestly, and `instead` makes it do something else. */
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface Asked {
  readonly method: string
  readonly url: URL
  readonly headers: IncomingMessage["headers"]
  readonly body: string
}

export interface PlainPartner {
  readonly origin: string
  readonly token: string
  /** Every request that came, in order. */
  readonly asked: ReadonlyArray<Asked>
  readonly close: () => Promise<void>
}

/** What it serves, and what it does otherwise than an honest partner. */
export interface PlainPartnerOptions {
  readonly locations?: (origin: string) => ReadonlyArray<object>
  readonly tariffs?: (origin: string) => ReadonlyArray<object>
  /** Most objects on a page; 50 by default. */
  readonly pageSize?: number
  /** Its lists do not say how long they are. */
  readonly withoutTotals?: true
  /** Versions that it lists beside 2.2.1. */
  readonly moreVersions?: ReadonlyArray<string>
  /** After the path of each endpoint: `/` for URLs that end in one. */
  readonly endpointEnd?: string
  /** Of the party in its credentials; CPO by default. */
  readonly role?: string
  /** Of success; 1000 by default. */
  readonly statusCode?: number
  /** Answers in its place; false: it did not. */
  readonly instead?: (asked: Asked, response: ServerResponse) => boolean
}

const token = "plain-partner-token-0123456789"
/** The modules that it announces, with their interface roles. */
export const plainEndpoints = [
  ["credentials", "SENDER"],
  ["locations", "SENDER"],
  ["tariffs", "SENDER"],
  ["tokens", "RECEIVER"]
] as const

const stamp = () => `${new Date().toISOString().slice(0, 19)}Z`

/** A location that keeps every rule; `images` of it. */
export const plainLocation = (id: string, images: ReadonlyArray<object> = []) => ({
  country_code: "NL",
  party_id: "PLN",
  id,
  publish: true,
  address: "Stationsplein 1",
  city: "Utrecht",
  country: "NLD",
  coordinates: { latitude: "52.090142", longitude: "5.109665" },
  time_zone: "Europe/Amsterdam",
  ...(images.length === 0 ? {} : { images }),
  evses: [],
  last_updated: "2026-01-01T00:00:00Z"
})

/** A tariff that keeps every rule. */
export const plainTariff = (id: string, more: object = {}) => ({
  country_code: "NL",
  party_id: "PLN",
  id,
  currency: "EUR",
  elements: [{ price_components: [{ type: "ENERGY", price: 0.3, vat: 21, step_size: 1 }] }],
  last_updated: "2026-01-01T00:00:00Z",
  ...more
})

const bodyOf = async (request: IncomingMessage) => {
  const chunks: Array<Buffer> = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

/** OCPI 2.2.1, at a port of 127.0.0.1. */
export const plainPartner = async (options: PlainPartnerOptions = {}): Promise<PlainPartner> => {
  const asked: Array<Asked> = []
  const tokens = new Map<string, object>()
  let origin = ""

  const answer = ({ body, headers, method, url }: Asked, response: ServerResponse) => {
    const ids = Object.fromEntries(
      ["x-request-id", "x-correlation-id"].flatMap((name) => {
        const value = headers[name]
        return typeof value === "string" ? [[name, value]] : []
      })
    )
    const say = (status: number, code: number, data?: unknown, more: Record<string, string> = {}) => {
      response.writeHead(status, { "content-type": "application/json", ...ids, ...more })
      response.end(
        JSON.stringify({ ...(data === undefined ? {} : { data }), status_code: code, timestamp: stamp() })
      )
    }
    const ok = (data?: unknown, more: Record<string, string> = {}) =>
      say(200, options.statusCode ?? 1000, data, more)
    const path = url.pathname.split("/").filter((part) => part !== "")
    const given = (headers.authorization ?? "").slice("Token ".length)
    const isOther = path[0] !== "2.2.1" && path[0] !== "versions"
    const isKnown = given === (isOther ? token : Buffer.from(token).toString("base64"))
    if (!isKnown) return say(401, 2001)
    if (path[0] === "versions")
      return ok(
        ["2.2.1", ...(options.moreVersions ?? [])].map((version) => ({
          version,
          url: `${origin}/${version}`
        }))
      )
    const [version, module, ...rest] = path
    if (version !== "2.2.1" && (options.moreVersions ?? []).includes(version ?? "") && module === undefined) {
      // By the rules of that version: no message ids.
      response.writeHead(200, { "content-type": "application/json" })
      const endpoints = [{ identifier: "credentials", url: `${origin}/${version}/credentials` }]
      const data = { version, endpoints }
      return response.end(JSON.stringify({ data, status_code: 1000, timestamp: stamp() }))
    }
    if (version !== "2.2.1") return say(404, 2001)
    if (module === undefined)
      return ok({
        version,
        endpoints: plainEndpoints.map(([identifier, role]) => ({
          identifier,
          role,
          url: `${origin}/2.2.1/${identifier}${options.endpointEnd ?? ""}`
        }))
      })
    if (module === "credentials")
      return ok({
        token,
        url: `${origin}/versions`,
        roles: [
          {
            role: options.role ?? "CPO",
            party_id: "PLN",
            country_code: "NL",
            business_details: { name: "Plain" }
          }
        ]
      })
    if (module === "tokens" && rest.length === 3) {
      const key = `${rest.join("/")} ${url.searchParams.get("type") ?? "RFID"}`
      const known = tokens.get(key)
      if (method === "GET") return known === undefined ? say(404, 2004) : ok(known)
      if (method !== "PUT" && method !== "PATCH") return say(405, 2000)
      let json: unknown
      try {
        json = JSON.parse(body)
      } catch {
        return say(400, 2001)
      }
      tokens.set(key, { ...(method === "PATCH" ? known : {}), ...(json as object) })
      return say(known === undefined ? 201 : 200, options.statusCode ?? 1000)
    }
    const all =
      module === "locations"
        ? options.locations?.(origin)
        : module === "tariffs"
          ? (options.tariffs?.(origin) ?? [])
          : undefined
    if (module === "locations" || module === "tariffs") {
      if (rest.length > 0) return say(404, 2003)
      const from = url.searchParams.get("date_from") ?? ""
      const found = ((all ?? [plainLocation("A")]) as ReadonlyArray<{ last_updated: string }>).filter(
        ({ last_updated }) => last_updated >= from
      )
      const offset = Number(url.searchParams.get("offset") ?? 0)
      const most = options.pageSize ?? 50
      const limit = Math.min(Number(url.searchParams.get("limit") ?? most), most)
      const next = new URL(url)
      next.searchParams.set("offset", String(offset + limit))
      next.searchParams.set("limit", String(limit))
      return ok(found.slice(offset, offset + limit), {
        ...(options.withoutTotals ? {} : { "x-total-count": String(found.length) }),
        "x-limit": String(most),
        ...(offset + limit < found.length ? { link: `<${next.href}>; rel="next"` } : {})
      })
    }
    return say(404, 2000)
  }

  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      const url = new URL(request.url ?? "/", origin)
      const one = { method: request.method ?? "GET", url, headers: request.headers, body }
      asked.push(one)
      if (options.instead?.(one, response) !== true) answer(one, response)
    })
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    origin,
    token,
    asked,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}
