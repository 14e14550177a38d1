/** A CPO that does everything right, as a pure function; tests wrap it to make it do one thing wrong. */
import { Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { OwnerId, PartyId } from "../../../schema/Ids.ts"
import type { VersionProfile } from "../../../schema/ocpi/VersionProfile.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { probesOf } from "../../../src/conformance/catalogue/probes.ts"
import { suiteById } from "../../../src/conformance/catalogue/suites.ts"
import { type Gathered, makeEvidence, type Observation } from "../../../src/conformance/model/Evidence.ts"
import type { ProbeRequest } from "../../../src/conformance/model/Probe.ts"
import { gather } from "../../../src/conformance/run/gather.ts"
import type { Party } from "../../../src/store/parties/Party.ts"

export const root = "https://cpo.example/ocpi"
const version = "2.2.1"
export const now = "2026-06-01T12:00:00.000Z"

const honestly = ["versions", "credentials", "transport", "paging", "locations"]
/** Asks for more than this partner can: filters, wrong requests. The sandbox partner is graded on it. */
const isBeyond = (id: string) =>
  /^CRED-0(06|12|19|40)/.test(id) ||
  /^LOC-0(05|1[5-9]|[234])/.test(id) ||
  (/^PAGE-0[12]/.test(id) && id !== "PAGE-023") ||
  /^TRANS-0(2[0247-9]|3|4)/.test(id)
/** The last checks that this partner was made for. Later ones are shown by faults of the sandbox and of strangers alone. */
const last: Readonly<Record<string, number>> = { VERS: 18, CRED: 51, TRANS: 60, PAGE: 30, LOC: 50 }
const isLater = (id: string) => Number(id.slice(-3)) > (last[id.split("-")[0] ?? ""] ?? 0)
/** What this partner can be graded on: it keeps nothing, never calls, and was never registered with. */
export const gradable = suiteById("ocpi-2.2.1-cpo-full")!.checks.filter(
  ({ first, id, mode, module }) =>
    honestly.includes(module) &&
    (first === undefined || module === "versions") &&
    (mode === "RO" || id === "TRANS-007") &&
    !isBeyond(id) &&
    !isLater(id)
)

export interface Req {
  readonly url: URL
  readonly token: "good" | "bad" | "none"
  readonly about: string
  readonly requestId: string
  readonly correlationId: string
}
export interface Res {
  readonly status: number
  readonly headers: Record<string, string>
  /** An envelope, or any other body. */
  readonly body: any // any: tests change it freely
}
export type Partner = (req: Req) => Res | "timed_out" | "reset"

const json = { "content-type": "application/json" }
const ok = (data: unknown, headers: Record<string, string> = {}): Res => ({
  status: 200,
  headers: { ...json, ...headers },
  body: { data, status_code: 1000, timestamp: "2026-06-01T12:00:01Z" }
})
const failed = (status: number, code: number): Res => ({
  status,
  headers: json,
  body: { status_code: code, status_message: "no", timestamp: "2026-06-01T12:00:01Z" }
})

const stamped = (day: number) => `2026-05-0${day}T00:00:00Z`
export const location = (id: string, day: number) => ({
  country_code: "NL",
  party_id: "TST",
  id,
  publish: true,
  address: "Stationsplein 1",
  city: "Utrecht",
  country: "NLD",
  coordinates: { latitude: "52.090142", longitude: "5.109665" },
  parking_type: "PARKING_LOT",
  facilities: ["HOTEL"],
  time_zone: "Europe/Amsterdam",
  evses: [1, 2].map((number) => ({
    uid: `${id}-${number}`,
    evse_id: `NL*TST*E${id}${number}`,
    status: "AVAILABLE",
    capabilities: ["RFID_READER"],
    connectors: [
      {
        id: "1",
        standard: "IEC_62196_T2",
        format: "SOCKET",
        power_type: "AC_3_PHASE",
        max_voltage: 230,
        max_amperage: 16,
        last_updated: stamped(day)
      }
    ],
    last_updated: stamped(day)
  })),
  last_updated: stamped(day)
})

const lists: Record<string, ReadonlyArray<{ readonly last_updated: string }>> = {
  locations: [location("A", 1), location("B", 2), location("C", 3)],
  sessions: [],
  cdrs: [
    { id: "D1", last_updated: stamped(1) },
    { id: "D2", last_updated: stamped(2) }
  ] as never,
  tariffs: [{ id: "T1", last_updated: stamped(1) }] as never
}
const interfaces: ReadonlyArray<readonly [string, string]> = [
  ["credentials", "SENDER"],
  ["locations", "SENDER"],
  ["sessions", "SENDER"],
  ["cdrs", "SENDER"],
  ["tariffs", "SENDER"],
  ["tokens", "RECEIVER"],
  ["commands", "RECEIVER"]
]
const roles = [{ role: "CPO", party_id: "TST", country_code: "NL", business_details: { name: "Test CPO" } }]

export const honest: Partner = (req) => {
  const ids = { "x-request-id": req.requestId, "x-correlation-id": req.correlationId }
  if (req.token !== "good")
    return { status: 401, headers: json, body: { status_code: 2001, timestamp: "2026-06-01T12:00:01Z" } }
  const path = req.url.pathname.replace("/ocpi/", "").split("/")
  const answer = route(path, req.url)
  return { ...answer, headers: { ...answer.headers, ...ids } }
}

function route(path: ReadonlyArray<string>, url: URL): Res {
  const [first, module = "", id] = path
  if (first === "versions") return ok([{ version, url: `${root}/${version}` }])
  if (first !== version) return failed(404, 3002)
  if (module === "") {
    const endpoints = interfaces.map(([identifier, role]) => ({
      identifier,
      role,
      url: `${root}/${version}/${identifier}`
    }))
    return ok({ version, endpoints })
  }
  if (module === "credentials") return ok({ token: "token-c-0123456789", url: `${root}/versions`, roles })
  const all = lists[module]
  if (all === undefined || id !== undefined) return failed(404, 2001)
  return page(all, url)
}

function page(all: ReadonlyArray<{ readonly last_updated: string }>, url: URL): Res {
  const from = url.searchParams.get("date_from") ?? ""
  const to = url.searchParams.get("date_to") ?? ""
  const found = all.filter(({ last_updated }) => last_updated >= from && (to === "" || last_updated < to))
  const offset = Number(url.searchParams.get("offset") ?? 0)
  const limit = Math.min(Number(url.searchParams.get("limit") ?? 2), 2)
  const next = new URL(url)
  next.searchParams.set("offset", String(offset + limit))
  next.searchParams.set("limit", String(limit))
  return ok(found.slice(offset, offset + limit), {
    "x-total-count": String(found.length),
    "x-limit": "2",
    ...(offset + limit < found.length ? { link: `<${next.href}>; rel="next"` } : {})
  })
}

export const party: Party = {
  id: PartyId.make("conn_1"),
  ownerId: OwnerId.make("own_1"),
  kind: "connection",
  role: "EMSP",
  version,
  identity: { countryCode: "NL", partyId: "PLG", name: "plugfest" },
  registration: "registered",
  counterpart: {
    role: "CPO",
    versionsUrl: `${root}/versions`,
    endpoints: interfaces.map(([identifier, role]) => ({
      identifier,
      role: role as "SENDER" | "RECEIVER",
      url: `${root}/${version}/${identifier}`
    })),
    parties: [{ role: "CPO", countryCode: "NL", partyId: "TST", name: "Test CPO" }]
  },
  dialect: { tokenEncoding: { inbound: "base64", outbound: "base64" }, deviations: [] },
  registeredAt: now,
  sandbox: null
}

/** An exchange as the client records it, and its body as JSON. */
export const exchanged = (
  partner: Partner,
  req: Req,
  asking: Pick<ProbeRequest, "module" | "operation">,
  id: string
): Observation => {
  const res = partner(req)
  const text = (body: unknown) => (typeof body === "string" ? body : JSON.stringify(body))
  const parsed = (body: string) => {
    try {
      return JSON.parse(body) as unknown
    } catch {
      return undefined
    }
  }
  const exchange: Exchange = {
    id,
    direction: "outbound",
    module: asking.module,
    operation: asking.operation,
    request: {
      method: "GET",
      url: req.url.href,
      headers: { authorization: "Token base64(«tokenC:1234»)" },
      body: null,
      truncated: false
    },
    response:
      typeof res === "string"
        ? null
        : {
            httpStatus: res.status,
            ocpiStatusCode: typeof res.body?.status_code === "number" ? res.body.status_code : null,
            headers: res.headers,
            body: text(res.body),
            truncated: false
          },
    outcome: typeof res === "string" ? res : "completed",
    ...(typeof res === "string" ? { fault: { kind: "timeout" as const, message: "no answer" } } : {}),
    startedAt: now,
    durationMs: 20,
    requestId: req.requestId,
    correlationId: req.correlationId
  }
  return { exchange, json: typeof res === "string" ? undefined : parsed(text(res.body)), about: req.about }
}

/** How the honest partner sees an asking. */
const requestOf = (asking: ProbeRequest, number: number): Req => {
  const url = new URL(asking.url ?? [`${root}/${version}/${asking.module}`, ...(asking.path ?? [])].join("/"))
  for (const [name, value] of Object.entries(asking.query ?? {})) url.searchParams.set(name, value)
  const use = asking.credentials?.use ?? "live"
  return {
    url,
    token: use === "none" ? "none" : use === "live" || use === "base64" ? "good" : "bad",
    about: asking.about ?? "",
    requestId: `req-${number}`,
    correlationId: `cor-${number}`
  }
}

const called = (authorization: string): Observation => {
  const seen = exchanged(
    honest,
    { url: new URL(`${root}/versions`), token: "good", about: "", requestId: "", correlationId: "" },
    { module: "versions", operation: "list" },
    "in-1"
  )
  const request = { ...seen.exchange.request, headers: { authorization } }
  return { ...seen, exchange: { ...seen.exchange, direction: "inbound", request } }
}

/** Gathers what the wanted probes find at a partner. `inbound`: Authorization headers of calls that it made. */
export const evidenceOf = (
  partner: Partner,
  wanted: ReadonlyArray<string>,
  options: {
    readonly inbound?: ReadonlyArray<string>
    readonly party?: Party
    readonly profile?: VersionProfile
  } = {}
) => {
  const results = new Map<string, Gathered>()
  const world = {
    party: options.party ?? party,
    profile: options.profile ?? profileOf(version),
    startedAt: now,
    trustedPrefixes: [],
    mark: "TST-000001",
    graceSeconds: 0,
    tokens: []
  }
  const evidence = makeEvidence(world, results)
  let number = 0
  const gathering = gather(
    {
      probes: probesOf(world.profile, "CPO"),
      results,
      evidence,
      send: (asking) =>
        Effect.sync(() => {
          number += 1
          return exchanged(partner, { ...requestOf(asking, number) }, asking, `exc_${number}`)
        }),
      script: () => Effect.die("no script here"),
      inbound: () =>
        Effect.succeed({ seen: (options.inbound ?? ["Token base64(«tokenB:abcd»)"]).map(called) })
    },
    wanted
  )
  return Effect.as(gathering, evidence)
}
