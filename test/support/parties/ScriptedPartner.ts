/**
 * A CPO in memory: answers our calls and pushes what follows from them, straight into the party's inbound exchanges.
 * Counts every request that reached it, whoever sent it.
 */
import { Clock, Effect, Layer } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { OwnerId, PartyId } from "../../../schema/Ids.ts"
import { profileOf } from "../../../schema/ocpi/versions.ts"
import { type OcpiCall, OcpiClient } from "../../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { callRouting } from "../../../src/party/wire/routing.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import type { PartyStore } from "../../../src/store/parties/PartyStore.ts"

export const party: Party = {
  id: PartyId.make("conn_1"),
  ownerId: OwnerId.make("own_1"),
  kind: "connection",
  role: "EMSP",
  version: "2.2.1",
  identity: { countryCode: "NL", partyId: "PLF", name: "plugfest" },
  registration: "registered",
  counterpart: {
    role: "CPO",
    versionsUrl: "https://cpo.example/versions",
    endpoints: [
      { identifier: "locations", role: "SENDER", url: "https://cpo.example/locations" },
      { identifier: "tokens", role: "RECEIVER", url: "https://cpo.example/tokens" },
      { identifier: "commands", role: "RECEIVER", url: "https://cpo.example/commands" },
      { identifier: "sessions", role: "SENDER", url: "https://cpo.example/sessions" },
      { identifier: "cdrs", role: "SENDER", url: "https://cpo.example/cdrs" },
      { identifier: "tariffs", role: "SENDER", url: "https://cpo.example/tariffs" }
    ],
    parties: null
  },
  dialect: { tokenEncoding: { inbound: "auto", outbound: "auto" }, deviations: [] },
  registeredAt: "2026-01-01T00:00:00.000Z",
  sandbox: null
}

/** What the partner leaves undone, or does otherwise. */
export interface Script {
  readonly silent?: ReadonlyArray<"start-result" | "active" | "updates" | "stop-result" | "completed" | "cdr">
  /** It tells only the results of commands; sessions and CDRs are left to be read. */
  readonly pullOnly?: boolean
  readonly startAnswer?: string
  readonly startResult?: string
  /** Of a stop that comes when the session is over; it is not carried out then. */
  readonly lateStop?: { readonly answer?: string; readonly result?: string; readonly statusCode?: number }
  /** Modules whose lists answer with an error. */
  readonly unreadable?: ReadonlyArray<string>
  readonly token?: string
  readonly evseStatus?: string
  /** Of the EVSE where its location is read by its id; null: the location has no EVSE any more. */
  readonly evseAfterwards?: string | null
  readonly failing?: ReadonlyArray<string>
  /** Operations at which it is not there: the connection is refused. */
  readonly away?: ReadonlyArray<string>
  /** Requests that the partner takes and never answers. */
  readonly hanging?: ReadonlyArray<string>
  /** Objects are served at URLs with a slash at their end, to which all others are redirected. */
  readonly endsInSlash?: boolean
  /** Requests that are answered HTTP 429 with a Retry-After of two seconds, so many times. */
  readonly busy?: Readonly<Record<string, number>>
  /** How many pages the list of a module has: its objects are on the last one. */
  readonly pages?: Readonly<Record<string, number>>
  /** Requests whose answer has more entries than we read. */
  readonly vast?: ReadonlyArray<string>
}

export interface Hit {
  readonly method: string
  readonly operation: string
  readonly purpose: string
}

const location = (status: string) => ({
  country_code: "DE",
  party_id: "CPO",
  id: "LOC1",
  publish: true,
  evses: [
    {
      uid: "EVSE1",
      status,
      capabilities: ["REMOTE_START_STOP_CAPABLE"],
      connectors: [{ id: "1" }]
    }
  ]
})

export const scriptedPartner = (store: PartyStore["Type"], script: Script = {}) => {
  const hits: Array<Hit> = []
  let sent = 0
  let session: Record<string, unknown> | undefined
  let cdr: Record<string, unknown> | undefined
  /** While nobody is at home, what is pushed is lost: the partner does not repeat it. */
  const weAre = { atHome: true }
  const does = (step: NonNullable<Script["silent"]>[number]) => !(script.silent ?? []).includes(step)

  const push = (module: string, method: "PUT" | "PATCH" | "POST", url: string, body: unknown) =>
    Effect.gen(function* () {
      if (!weAre.atHome || (script.pullOnly === true && module !== "commands")) return
      const at = new Date((yield* Clock.currentTimeMillis) + sent).toISOString()
      yield* store.record(party.id, {
        id: `exc_in_${sent++}`,
        direction: "inbound",
        module,
        operation: `${method} ${module}`,
        request: { method, url, headers: {}, body: JSON.stringify(body), truncated: false },
        response: {
          httpStatus: 200,
          ocpiStatusCode: 1000,
          headers: {},
          body: JSON.stringify({ status_code: 1000, timestamp: at }),
          truncated: false
        },
        outcome: "completed",
        startedAt: at,
        durationMs: 1,
        requestId: "r",
        correlationId: "c"
      } satisfies Exchange)
    })
  const stamp = Effect.map(
    Clock.currentTimeMillis,
    (millis) => `${new Date(millis + sent * 1000).toISOString().slice(0, 19)}Z`
  )
  const sessionUrl = "https://us.example/ocpi/2.2.1/sessions/DE/CPO/SES1"

  const started = (
    body: Record<string, any> // the request that we sent ourselves
  ) =>
    Effect.gen(function* () {
      const result = script.startResult ?? "ACCEPTED"
      if (does("start-result")) yield* push("commands", "POST", body["response_url"], { result })
      if (!does("active") || result !== "ACCEPTED") return
      const token = body["token"]
      session = {
        country_code: "DE",
        party_id: "CPO",
        id: "SES1",
        start_date_time: yield* stamp,
        kwh: 0,
        cdr_token: {
          country_code: token.country_code,
          party_id: token.party_id,
          uid: script.token ?? token.uid,
          type: token.type,
          contract_id: token.contract_id
        },
        auth_method: "COMMAND",
        authorization_reference: body["authorization_reference"],
        location_id: body["location_id"],
        evse_uid: body["evse_uid"],
        connector_id: body["connector_id"],
        currency: "EUR",
        status: "ACTIVE",
        last_updated: yield* stamp
      }
      yield* push("sessions", "PUT", sessionUrl, session)
      if (does("updates")) yield* change({ kwh: 1.5 })
    })
  const change = (fields: Record<string, unknown>) =>
    Effect.gen(function* () {
      const body = { ...fields, last_updated: yield* stamp }
      session = { ...session, ...body }
      yield* push("sessions", "PATCH", sessionUrl, body)
    })
  const stopped = (responseUrl: string) =>
    Effect.gen(function* () {
      if (does("stop-result")) yield* push("commands", "POST", responseUrl, { result: "ACCEPTED" })
      if (does("completed")) yield* ended
    })
  const ended = Effect.gen(function* () {
    const end = yield* stamp
    yield* change({
      status: "COMPLETED",
      end_date_time: end,
      kwh: 2,
      total_cost: { excl_vat: 1, incl_vat: 1.2 }
    })
    if (!does("cdr")) return
    const { authorization_reference, cdr_token, start_date_time } = session ?? {}
    cdr = {
      country_code: "DE",
      party_id: "CPO",
      id: "CDR1",
      start_date_time,
      end_date_time: end,
      session_id: "SES1",
      cdr_token,
      auth_method: "COMMAND",
      authorization_reference,
      cdr_location: {
        id: "LOC1",
        address: "Street 1",
        city: "Town",
        country: "DEU",
        coordinates: { latitude: "52.520008", longitude: "13.404954" },
        evse_uid: "EVSE1",
        evse_id: "DE*CPO*E1",
        connector_id: "1",
        connector_standard: "IEC_62196_T2",
        connector_format: "SOCKET",
        connector_power_type: "AC_3_PHASE"
      },
      currency: "EUR",
      charging_periods: [{ start_date_time, dimensions: [{ type: "ENERGY", volume: 2 }] }],
      total_cost: { excl_vat: 1, incl_vat: 1.2 },
      total_energy_cost: { excl_vat: 1, incl_vat: 1.2 },
      total_energy: 2,
      total_time: 0.1,
      last_updated: end
    }
    yield* push("cdrs", "POST", "https://us.example/ocpi/2.2.1/cdrs", cdr)
  })

  const isLate = ({ operation }: OcpiCall) =>
    operation === "STOP_SESSION" && script.lateStop !== undefined && session?.["status"] === "COMPLETED"

  /** The next page of the list that is asked for. */
  const nextOf = ({ method, module, url }: OcpiCall): string | undefined => {
    const page = Number(new URL(url).searchParams.get("page") ?? 1)
    return method === "GET" && page < (script.pages?.[module] ?? 1)
      ? `https://cpo.example/${module}?page=${page + 1}`
      : undefined
  }

  const answerTo = (call: OcpiCall): Effect.Effect<unknown> =>
    Effect.gen(function* () {
      // Our own request bodies.
      const body = (call.body ?? {}) as Record<string, any>
      switch (call.operation) {
        case "START_SESSION": {
          const result = script.startAnswer ?? "ACCEPTED"
          if (result === "ACCEPTED") yield* started(body)
          return { result, timeout: 30 }
        }
        case "STOP_SESSION":
          if (isLate(call)) {
            const { answer = "ACCEPTED", result } = script.lateStop ?? {}
            if (result !== undefined) yield* push("commands", "POST", body["response_url"], { result })
            return { result: answer, timeout: 30 }
          }
          yield* stopped(body["response_url"])
          return { result: "ACCEPTED", timeout: 30 }
        case "GET location again":
          return script.evseAfterwards === null
            ? { ...location("AVAILABLE"), evses: [] }
            : location(script.evseAfterwards ?? "AVAILABLE")
        case "PUT token":
          return undefined
        case "GET location":
          return location(script.evseStatus ?? "AVAILABLE")
        case "GET token":
          return hits.some(({ operation }) => operation === "PUT token")
            ? { uid: call.url.split("/").at(-1) }
            : null
        default:
          if (call.module === "sessions") {
            // Nobody sees it charge but by reading.
            if (script.pullOnly === true && does("updates") && session?.["status"] === "ACTIVE")
              yield* change({ kwh: Number(session["kwh"]) + 0.1 })
            return session === undefined ? [] : [session]
          }
          if (call.module === "cdrs") return cdr === undefined ? [] : [cdr]
          return call.module === "locations" ? [location(script.evseStatus ?? "AVAILABLE")] : []
      }
    })

  const intent = (call: OcpiCall, startedAt: string): Exchange => ({
    id: call.exchangeId,
    direction: "outbound",
    module: call.module,
    operation: call.operation,
    request: {
      method: call.method,
      url: call.url,
      headers: Object.fromEntries(
        Object.entries(call.headers ?? {}).map(([name, value]) => [name.toLowerCase(), value])
      ),
      body: call.body === undefined ? null : JSON.stringify(call.body),
      truncated: false
    },
    response: null,
    outcome: "unknown",
    startedAt,
    durationMs: 0,
    requestId: call.requestId,
    correlationId: call.correlationId
  })
  /** Once we have ended the registration our token is good for nothing. */
  let isParted = false
  const bare = (call: OcpiCall, at: string, httpStatus: number, headers: Record<string, string>) => ({
    exchange: {
      ...intent(call, at),
      outcome: "completed" as const,
      response: {
        httpStatus,
        ocpiStatusCode: null,
        headers,
        body: "",
        truncated: false
      }
    },
    body: undefined,
    json: undefined
  })
  const exchange: OcpiClient["Type"]["exchange"] = (call) =>
    Effect.gen(function* () {
      hits.push({ method: call.method, operation: call.operation, purpose: call.module })
      if ((script.hanging ?? []).includes(call.operation)) return yield* Effect.never
      if ((script.away ?? []).includes(call.operation)) {
        const refused = { kind: "refused", message: "cpo.example refused the connection" } as const
        const asked = intent(call, new Date(yield* Clock.currentTimeMillis).toISOString())
        return {
          exchange: { ...asked, outcome: "refused" as const, fault: refused },
          body: undefined,
          json: undefined
        }
      }
      if (script.endsInSlash === true && call.method === "PUT" && !call.url.endsWith("/"))
        return bare(call, new Date(yield* Clock.currentTimeMillis).toISOString(), 307, {
          location: `${call.url}/`
        })
      if (
        hits.filter(({ operation }) => operation === call.operation).length <=
        (script.busy?.[call.operation] ?? 0)
      )
        return bare(call, new Date(yield* Clock.currentTimeMillis).toISOString(), 429, { "retry-after": "2" })
      const isOver = isParted
      if (call.operation === "DELETE credentials") isParted = true
      const next = nextOf(call)
      const data = next === undefined ? yield* answerTo(call) : []
      const at = new Date(yield* Clock.currentTimeMillis).toISOString()
      const failing =
        (script.failing ?? []).includes(call.operation) ||
        (call.method === "GET" && (script.unreadable ?? []).includes(call.module))
      const code = failing ? 3000 : ((isLate(call) ? script.lateStop?.statusCode : undefined) ?? 1000)
      const hasData = code < 2000 && data !== undefined
      const isVast = (script.vast ?? []).includes(call.operation)
      const json = { ...(hasData ? { data } : {}), status_code: code, timestamp: at }
      return {
        exchange: {
          ...intent(call, at),
          outcome: "completed" as const,
          response: {
            httpStatus: isOver ? 401 : failing ? 500 : 200,
            ocpiStatusCode: isVast ? null : code,
            headers: next === undefined ? {} : { link: `<${next}>; rel="next"` },
            body: JSON.stringify(isVast ? { ...json, more: Array(20_001).fill(0) } : json),
            truncated: false
          }
        },
        body: undefined,
        json: isVast ? undefined : json
      }
    })

  let keys = 0
  const calls = PartnerCalls.of({
    ourCredentials: () => Effect.die("not used"),
    prepare: (party, request) =>
      Effect.succeed({
        exchangeId: request.exchangeId,
        module: request.module,
        operation: request.operation,
        method: request.method,
        url: request.url ?? ["https://cpo.example", request.module, ...(request.path ?? [])].join("/"),
        ...(request.body === undefined ? {} : { body: request.body }),
        requestId: `r${keys}`,
        correlationId: request.correlationId ?? "c",
        headers: callRouting(profileOf(party.version), party, request),
        audience: [],
        secrets: []
      }),
    expectResult: (_, command) =>
      Effect.sync(() => `https://us.example/ocpi/2.2.1/commands/${command}/key-${++keys}`),
    results: () => Effect.succeed([])
  })
  return {
    hits,
    weAre,
    /** The session ends by itself: the cable is pulled. */
    ended,
    layer: Layer.merge(
      Layer.succeed(OcpiClient, OcpiClient.of({ exchange, intent })),
      Layer.succeed(PartnerCalls, calls)
    )
  }
}
