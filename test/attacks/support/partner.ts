/**
 * An OCPI partner in plain node:http that shares no code with the service: it registers in both directions, keeps tables,
 * and says whatever a test wants it to say, wherever a partner may say something.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse
} from "node:http"
import { createServer as createSecureServer } from "node:https"
import type { AddressInfo } from "node:net"
import type { Service } from "../../support/service/Service.ts"
import { api, ask, base64, type Heard } from "./attack.ts"

export interface Seen {
  readonly method: string
  /** With the query. */
  readonly path: string
  readonly headers: IncomingHttpHeaders
  readonly body: string
}

export interface Reply {
  readonly status?: number
  readonly statusText?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly code?: number
  readonly message?: string
  readonly data?: unknown
  /** Instead of an envelope. */
  readonly text?: string
}

export type Version = "2.1.1" | "2.2.1"

export interface Partner {
  readonly url: string
  readonly versionsUrl: string
  readonly role: "CPO" | "EMSP"
  readonly server: Server
  readonly seen: Array<Seen>
  /** Tokens that the service gave us to call it with, oldest first. */
  readonly held: Array<string>
  /** Tokens that we gave to the service, oldest first. */
  readonly given: Array<string>
  /** Objects of each module that we own. */
  readonly tables: Record<string, ReadonlyArray<unknown>>
  /** What is said instead of the ordinary reply. */
  answer: (seen: Seen, ordinary: Reply) => Reply | Promise<Reply>
  /** An OCPI request to the service, with the newest token that we hold unless told otherwise. */
  readonly call: (method: string, url: string, body?: unknown, token?: string) => Promise<Heard>
  /** Our credentials object with a fresh token. */
  readonly credentials: () => Record<string, unknown>
  /** Registers with the service by a Token A that the service issued. */
  readonly registerAt: (service: Service, tokenA: string) => Promise<Heard>
  readonly close: () => void
}

const modulesOf = {
  CPO: {
    SENDER: ["locations", "sessions", "cdrs", "tariffs"],
    RECEIVER: ["tokens", "commands", "chargingprofiles"]
  },
  EMSP: {
    SENDER: ["tokens", "commands", "chargingprofiles"],
    RECEIVER: ["locations", "sessions", "cdrs", "tariffs"]
  }
} as const

const instant = "2026-01-01T00:00:00Z"

/** `host`: the address where it listens. `tls`: it speaks https with this certificate. */
export async function startPartner(
  role: "CPO" | "EMSP" = "CPO",
  {
    host = "127.0.0.1",
    tls,
    version = "2.2.1"
  }: {
    readonly host?: string
    readonly tls?: { readonly key: string; readonly cert: string }
    readonly version?: Version
  } = {}
): Promise<Partner> {
  const flat = version === "2.1.1"
  const authorization = (token: string) => `Token ${flat ? token : base64(token)}`
  const parties = { party_id: "ATK", country_code: "DE", business_details: { name: "Attacker" } }
  const fresh = () =>
    `attacker-issued_${Math.random().toString(36).slice(2)}${Math.random().toString(36).slice(2)}`

  const ordinary = ({ body, method, path }: Seen): Reply => {
    const { pathname, searchParams } = new URL(path, partner.url)
    const [, module = "", ...rest] = pathname.split("/")
    if (module === "versions") return { data: [{ version, url: `${partner.url}/details` }] }
    if (module === "details") {
      const endpoint = (interfaceRole: string) => (identifier: string) => ({
        identifier,
        ...(flat ? {} : { role: interfaceRole }),
        url: `${partner.url}/${identifier}`
      })
      const { RECEIVER, SENDER } = modulesOf[role]
      const offered = (names: ReadonlyArray<string>) =>
        flat ? names.filter((name) => name !== "chargingprofiles") : names
      return {
        data: {
          version,
          endpoints: [
            endpoint("SENDER")("credentials"),
            ...offered(SENDER).map(endpoint("SENDER")),
            ...offered(RECEIVER).map(endpoint("RECEIVER"))
          ]
        }
      }
    }
    if (module === "credentials") {
      if (method === "DELETE") return {}
      if (method !== "GET") partner.held.push(JSON.parse(body).token)
      return { data: partner.credentials() }
    }
    if (module === "commands" && method === "POST") return { data: { result: "ACCEPTED", timeout: 30 } }
    if (method === "GET" && rest.length === 0) {
      const all = partner.tables[module] ?? []
      const offset = Number(searchParams.get("offset") ?? 0)
      const limit = Math.min(Number(searchParams.get("limit") ?? 50), 50)
      return {
        data: all.slice(offset, offset + limit),
        headers: { "x-total-count": String(all.length), "x-limit": String(limit) }
      }
    }
    if (method === "GET") {
      const found = partner.tables[module]?.find((one: any) => one.id === rest[0] || one.uid === rest[0])
      return found === undefined ? { status: 404, code: 2003 } : { data: found }
    }
    return {}
  }

  const answering = (request: IncomingMessage, response: ServerResponse) => {
    const chunks: Array<Buffer> = []
    request.on("data", (chunk) => chunks.push(chunk))
    request.on("error", () => {})
    response.on("error", () => {})
    request.on("end", async () => {
      const seen: Seen = {
        method: request.method ?? "GET",
        path: request.url ?? "/",
        headers: request.headers,
        body: Buffer.concat(chunks).toString()
      }
      partner.seen.push(seen)
      write(response, seen, await partner.answer(seen, ordinary(seen)))
    })
  }
  const server = tls === undefined ? createServer(answering) : createSecureServer(tls, answering)
  await new Promise<void>((resolve) => server.listen(0, host, resolve))
  const url = `${tls === undefined ? "http" : "https"}://${host}:${(server.address() as AddressInfo).port}`
  const partner: Partner = {
    url,
    versionsUrl: `${url}/versions`,
    role,
    server,
    seen: [],
    held: [],
    given: [],
    tables: role === "CPO" ? { locations: [location("LOC1")] } : {},
    answer: (_, reply) => reply,
    call: (method, where, body, token = partner.held.at(-1) ?? "none") =>
      ask(where, {
        method,
        headers: { authorization: authorization(token), ...messageHeaders() },
        ...(body === undefined ? {} : { body: body as object })
      }),
    credentials: () => {
      const token = fresh()
      partner.given.push(token)
      return flat
        ? { token, url: partner.versionsUrl, ...parties }
        : { token, url: partner.versionsUrl, roles: [{ role, ...parties }] }
    },
    registerAt: async (service, tokenA) => {
      const answer = await partner.call(
        "POST",
        `${service.url}/ocpi/${version}/credentials`,
        partner.credentials(),
        tokenA
      )
      const token = answer.json?.data?.token
      if (typeof token === "string") partner.held.push(token)
      return answer
    },
    close: () => {
      server.close()
      server.closeAllConnections()
    }
  }
  return partner
}

function write(response: ServerResponse, seen: Seen, reply: Reply): void {
  const { code = 1000, data, headers = {}, message, status = 200, statusText, text } = reply
  const echoed = Object.fromEntries(
    ["x-request-id", "x-correlation-id"].flatMap((name) => {
      const value = seen.headers[name]
      return typeof value === "string" ? [[name, value]] : []
    })
  )
  const all = { "content-type": "application/json", ...echoed, ...headers }
  if (statusText === undefined) response.writeHead(status, all)
  else response.writeHead(status, statusText, all)
  response.end(
    text ?? JSON.stringify({ data, status_code: code, status_message: message, timestamp: instant })
  )
}

let messages = 0
/** Every request has ids of its own. */
function messageHeaders(): Record<string, string> {
  messages += 1
  const id = `00000000-0000-4000-8000-${String(messages).padStart(12, "0")}`
  return {
    "x-request-id": id,
    "x-correlation-id": id,
    "ocpi-from-country-code": "DE",
    "ocpi-from-party-id": "ATK",
    "ocpi-to-country-code": "NL",
    "ocpi-to-party-id": "PLG"
  }
}

/** A connection of the service to this partner, not registered yet; its id. `headers`: another account's key. */
export async function connected(
  service: Service,
  partner: Partner,
  {
    headers = {},
    version = "2.2.1" as Version,
    tokenA = `token-a_of-${Math.random().toString(36).slice(2)}`
  } = {}
): Promise<string> {
  partner.given.push(tokenA)
  const made = await api(service, "/connections", {
    method: "POST",
    headers,
    body: {
      partnerBaseUrl: partner.versionsUrl,
      tokenA,
      ourRole: partner.role === "CPO" ? "EMSP" : "CPO",
      theirRole: partner.role,
      ocpiVersion: version
    }
  })
  if (made.status !== 201) throw new Error(`create: ${made.status} ${made.text}`)
  return made.json.data._id
}

/** The same, registered by a handshake that the service begins. */
export async function registered(
  service: Service,
  partner: Partner,
  more: Parameters<typeof connected>[2] = {}
) {
  const id = await connected(service, partner, more)
  const { headers = {} } = more
  const shaken = await api(service, `/connections/${id}/handshake`, { method: "POST", headers })
  if (shaken.json?.data?.status !== "registered")
    throw new Error(`handshake: ${shaken.status} ${shaken.text}`)
  return id
}

/** An OCPI 2.2.1 location that nothing is wrong with. */
export const location = (id: string, more: Record<string, unknown> = {}) => ({
  country_code: "DE",
  party_id: "ATK",
  id,
  publish: true,
  address: "Attack Street 1",
  city: "Berlin",
  country: "DEU",
  coordinates: { latitude: "52.520008", longitude: "13.404954" },
  time_zone: "Europe/Berlin",
  last_updated: instant,
  ...more
})
