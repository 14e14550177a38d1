/** The whole HTTP side on a real server: real services, stores in memory, and scripted neighbours one floor below. */
import { generateKeyPairSync } from "node:crypto"
import { createServer } from "node:http"
import { HttpClient, HttpServer, HttpServerResponse } from "@effect/platform"
import { NodeHttpClient } from "@effect/platform-node"
import { Clock, Context, Effect, Layer, Option, Redacted } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { ConnectionId, OwnerId, PartyId } from "../../../schema/Ids.ts"
import { SuiteRuns } from "../../../src/conformance/run/SuiteRuns.ts"
import { Database } from "../../../src/database/Database.ts"
import { OcpiReceiver } from "../../../src/http/handlers/OcpiReceiver.ts"
import { Draining } from "../../../src/http/request/Draining.ts"
import { listener } from "../../../src/http/server/listener.ts"
import { served } from "../../../src/http/server/Server.ts"
import { JourneyRuns } from "../../../src/journeys/JourneyRuns.ts"
import { Feed } from "../../../src/ledger/feed/feed.ts"
import { LedgerMemory } from "../../../src/ledger/LedgerMemory.ts"
import { RunLogsLive } from "../../../src/ledger/run/RunLogsLive.ts"
import { EgressGuard } from "../../../src/ocpi/EgressGuard.ts"
import { OcpiClient } from "../../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { Parties } from "../../../src/party/Parties.ts"
import { Handshake } from "../../../src/party/registration/Handshake.ts"
import { NotAdmitted } from "../../../src/party/wire/Admission.ts"
import { mayHappen } from "../../../src/party/wire/registration.ts"
import { Placement } from "../../../src/placement/Placement.ts"
import { ProcessMessages } from "../../../src/placement/shards/messages.ts"
import { Sandbox } from "../../../src/sandbox/Sandbox.ts"
import { Services, type ServicesOptions } from "../../../src/services/Services.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { ConnectionStore } from "../../../src/store/rows/ConnectionStore.ts"
import { SigningKeys } from "../../../src/store/secrets/SigningKeys.ts"
import { sessionStore } from "./memorySessions.ts"
import {
  auditStore,
  bucketStore,
  commandStore,
  connectionStore,
  idempotencyStore,
  keyStore,
  locks,
  scenarioStore,
  streamStore
} from "./memoryStores.ts"

export const publicUrl = "http://plugfest.test:8080"

export const exchangeOf = (over: Partial<Exchange> = {}): Exchange => ({
  id: "exc_1",
  direction: "outbound",
  module: "commands",
  operation: "START_SESSION",
  request: {
    method: "POST",
    url: "https://cpo.example.com/commands",
    headers: {},
    body: "{}",
    truncated: false
  },
  response: {
    httpStatus: 200,
    ocpiStatusCode: 1000,
    headers: {},
    body: '{"status_code":1000,"timestamp":"2026-11-21T10:00:00Z","data":{"result":"ACCEPTED","timeout":30}}',
    truncated: false
  },
  outcome: "completed",
  startedAt: "2026-11-21T10:00:00.000Z",
  durationMs: 5,
  requestId: "r",
  correlationId: "c",
  ...over
})

/** Registers any partner whose host does not begin with `rude`. */
const handshake = Layer.effect(
  Handshake,
  Effect.map(PartyStore, (parties) =>
    Handshake.of({
      run: (id, options) =>
        Effect.gen(function* () {
          const begin = Effect.succeedSome("exc_1")
          const begun = yield* options?.begins?.(begin) ?? begin
          const before = Option.getOrThrow(yield* parties.find(id))
          if (Option.isNone(begun))
            return { ok: false as const, error: "", party: before, busy: true as const }
          if (new URL(before.counterpart.versionsUrl).host.startsWith("rude")) {
            return {
              ok: false as const,
              error: "auth: GET versions answered 401 to both token forms",
              party: before
            }
          }
          const after = yield* parties.update(id, (party) => ({
            ...party,
            registration: "registered",
            registeredAt: "2026-11-21T10:00:00.000Z",
            counterpart: {
              ...party.counterpart,
              endpoints: [
                { identifier: "commands", role: "RECEIVER", url: "https://cpo.example.com/commands" }
              ]
            }
          }))
          return { ok: true as const, party: Option.getOrThrow(after) }
        }),
      invite: (id) =>
        Effect.gen(function* () {
          const before = Option.getOrThrow(yield* parties.find(id))
          if (before.registration === "registered") return Option.none()
          const expiresAt = "2096-11-28T10:00:00.000Z"
          yield* parties.update(id, (party) => ({
            ...party,
            invitation: { state: "open", issuedAt: "2026-11-21T10:00:00.000Z", expiresAt }
          }))
          const token = Redacted.make("plugfest-canary-invitation")
          return Option.some({ versionsUrl: `${publicUrl}/ocpi/versions`, token, expiresAt })
        }),
      unregister: (id, options) =>
        Effect.gen(function* () {
          const begin = Effect.gen(function* () {
            const party = Option.getOrThrow(yield* parties.find(id))
            const may = mayHappen(party, "ending.begun", { nowMillis: yield* Clock.currentTimeMillis })
            return may ? Option.some("exc_1") : Option.none()
          })
          const begun = yield* options?.begins?.(begin) ?? begin
          return Option.isNone(begun)
            ? { told: false, message: "", busy: true as const }
            : { told: true, message: "The partner took DELETE credentials" }
        })
    })
  )
)

const calls = Layer.mock(PartnerCalls, {
  expectResult: (party, command, key) =>
    Effect.succeed(`${publicUrl}/ocpi/${party.version}/commands/${command}/${key}`),
  results: () => Effect.succeed([]),
  prepare: (_, request) =>
    Effect.succeed({
      ...request,
      url: "https://cpo.example.com/commands",
      requestId: "r",
      correlationId: "c",
      secrets: []
    } as never)
})

/** What each test may replace. */
export interface Neighbours {
  readonly services?: Partial<ServicesOptions>
  readonly client?: Partial<OcpiClient["Type"]>
  readonly suites?: Partial<SuiteRuns["Type"]>
  readonly journeys?: Partial<JourneyRuns["Type"]>
  readonly database?: Pick<Database["Type"], "writes">
  readonly parties?: Partial<Parties["Type"]>
  readonly metricsToken?: Redacted.Redacted<string>
  readonly consoleFolder?: string
}

/** This process, whose leases are those of `LedgerMemory`, and one that was lost. */
const known: Placement["Type"]["known"] = Effect.succeed([
  {
    id: "memory",
    startedAt: "2026-11-21T09:00:00.000Z",
    alive: true,
    aliveUntil: "2096-11-21T10:00:00.000Z",
    lagMs: 7
  },
  {
    id: "lost",
    startedAt: "2026-11-21T08:00:00.000Z",
    alive: false,
    aliveUntil: "2026-11-21T08:30:00.000Z"
  }
])

/** Whoever comes to the OCPI side is the partner of alice's. */
const partner = {
  party: { id: PartyId.make("conn_alice"), ownerId: OwnerId.make("own_alice") },
  callsBack: false
}

/** Everything that the routes need. The ledger comes along so that a test can write runs. */
export const below = (neighbours: Neighbours = {}) => {
  const memory = Layer.map(LedgerMemory.layer(), (context) =>
    Context.add(context, Placement, { ...Context.get(context, Placement), known })
  )
  const ledger = Layer.provideMerge(RunLogsLive.layer({ leaseSeconds: 15 }), memory)
  const ground = Layer.mergeAll(
    keyStore,
    auditStore,
    bucketStore,
    locks,
    streamStore,
    sessionStore,
    connectionStore,
    commandStore,
    idempotencyStore,
    scenarioStore,
    Layer.succeed(ProcessMessages, { answer: HttpServerResponse.empty({ status: 404 }) }),
    Layer.sync(SigningKeys, () => ({ keys: [generateKeyPairSync("ed25519").privateKey] as const })),
    calls,
    Layer.provideMerge(handshake, PartyStoreMemory),
    Layer.provideMerge(Feed.layer(), ledger),
    EgressGuard.layer({
      allowCidrs: [],
      reserved: [],
      resolve: () => Promise.resolve([{ address: "93.184.216.34", family: 4 }])
    }),
    Layer.mock(SuiteRuns, { suites: [], suite: () => Option.none(), ...neighbours.suites }),
    Layer.mock(JourneyRuns, {
      catalogue: () => [],
      packs: () => [],
      misfits: () => [],
      ...neighbours.journeys
    }),
    Layer.mock(OcpiClient, {
      exchange: () => Effect.succeed({ exchange: exchangeOf(), body: undefined, json: undefined }),
      intent: () => exchangeOf({ response: null, outcome: "unknown" }),
      ...neighbours.client
    }),
    Layer.mock(Parties, {
      context: Context.empty() as never,
      receive: (root, head, door) =>
        door
          .admit(partner, (body) =>
            Effect.succeed({
              httpStatus: 200,
              headers: { "Content-Type": "application/json", "X-Request-ID": "partner-1" },
              body: JSON.stringify({ root, request: { ...head, ...body } })
            })
          )
          .pipe(
            Effect.catchIf(
              (error) => error instanceof NotAdmitted,
              ({ httpStatus }) => Effect.succeed({ httpStatus, headers: {}, body: null })
            )
          ),
      ...neighbours.parties
    }),
    Layer.mock(Database, {
      pool: { totalCount: 0, idleCount: 0, waitingCount: 0 } as never,
      plannedOnce: {} as never,
      attempt: () => Effect.succeed([]),
      connection: {},
      addresses: () => [],
      writes: Effect.succeed("ok" as const),
      ...neighbours.database
    }),
    Draining.layer
  )
  const withSandbox = Layer.provideMerge(Sandbox.layer({ publicUrl }), ground)
  const services = Services.layer({
    identity: { countryCode: "NL", partyId: "PLG", name: "plugfest" },
    publicUrl,
    sandbox: true,
    waitMaxSeconds: 30,
    ...neighbours.services
  })
  return OcpiReceiver.layer({ publicUrl, sandbox: true }).pipe(
    Layer.provideMerge(services),
    Layer.provideMerge(withSandbox)
  )
}

/** Node's server as the service has it, with direct answers, and a client for it. */
const onListener = HttpServer.layerTestClient.pipe(
  Layer.provide(NodeHttpClient.layerWithoutAgent),
  Layer.provide(NodeHttpClient.makeAgentLayer({ keepAlive: false })),
  Layer.provideMerge(listener(() => createServer(), { host: "127.0.0.1", port: 0 })),
  Layer.provide(Layer.setTracerEnabled(false)) // as the service runs; with a tracer there are no direct answers
)

/** The served API with a client for it. */
export const servedApi = (neighbours: Neighbours = {}) =>
  served({
    publicUrl,
    metricsToken: neighbours.metricsToken,
    consoleFolder: neighbours.consoleFolder ?? "/nowhere"
  }).pipe(Layer.provideMerge(onListener), Layer.provideMerge(below(neighbours)))

export interface Asked {
  readonly method?: string
  readonly key?: string | null
  readonly headers?: Record<string, string>
  readonly body?: unknown
  /** Sent as it is. */
  readonly text?: string | ReadableStream
}

/** One raw request to the server at hand; `key: null` sends no Authorization. */
export const ask = (path: string, { body, headers = {}, key = "alice-key", method, text }: Asked = {}) =>
  Effect.flatMap(HttpClient.HttpClient, (client) => client.get("/health/live")).pipe(
    Effect.map(({ request }) => new URL(request.url).origin),
    Effect.flatMap((origin) =>
      Effect.promise(async () => {
        const sent = text ?? (body === undefined ? undefined : JSON.stringify(body))
        const response = await fetch(`${origin}${path}`, {
          method: method ?? (sent === undefined ? "GET" : "POST"),
          headers: {
            ...(key === null ? {} : { authorization: `Bearer ${key}` }),
            ...(sent === undefined ? {} : { "content-type": "application/json" }),
            ...headers
          },
          ...(sent === undefined ? {} : { body: sent as string, duplex: "half" })
        } as RequestInit)
        const raw = await response.text()
        // `any`: a body in a test is looked into, whatever it is
        const json: any = raw.startsWith("{") ? JSON.parse(raw) : undefined
        return { status: response.status, headers: response.headers, text: raw, json }
      })
    )
  )

export const newConnection = {
  partnerBaseUrl: "https://cpo.example.com/ocpi/versions",
  ourRole: "EMSP",
  theirRole: "CPO",
  ocpiVersion: "2.2.1",
  tokenA: "canary-token-a"
}

/** So many newer connections of alice's, each to another partner, and as her newest one otherwise. */
export const newerConnections = (count: number) =>
  Effect.gen(function* () {
    const { insert, list } = yield* ConnectionStore
    const [newest] = yield* list({ ownerId: OwnerId.make("own_alice"), limit: 1 })
    for (let number = 0; number < count; number++) {
      const id = ConnectionId.make(`conn_f${String(number).padStart(31, "0")}`)
      yield* insert({ ...newest!, id, partnerBaseUrl: `https://other${number}.example.com/versions` })
    }
  })

/** A registered connection of the key's owner. */
export const registered = (over: Partial<typeof newConnection> = {}, key = "alice-key") =>
  Effect.gen(function* () {
    const made = yield* ask("/api/v1/connections", { body: { ...newConnection, ...over }, key })
    yield* ask(`/api/v1/connections/${made.json.data._id}/handshake`, { method: "POST", key })
    return made.json.data._id as PartyId
  })
