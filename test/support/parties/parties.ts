/** Parties, objects and requests for tests. Functions only: no state is shared between tests. */
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect, Layer, Redacted, Runtime } from "effect"
import { defaultDialect } from "../../../schema/Connection.ts"
import { OwnerId, PartyId } from "../../../schema/Ids.ts"
import type { Role } from "../../../schema/ocpi/Role.ts"
import { EgressGuard } from "../../../src/ocpi/EgressGuard.ts"
import { OcpiClient } from "../../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { Parties } from "../../../src/party/Parties.ts"
import { Handshake } from "../../../src/party/registration/Handshake.ts"
import { ChargingSimulation } from "../../../src/party/simulation/ChargingSimulation.ts"
import { type Behaviour, honest, PartnerQuirks } from "../../../src/party/wire/PartnerQuirks.ts"
import type { OcpiReply, OcpiRequest, Root } from "../../../src/party/wire/Request.ts"
import type { Party } from "../../../src/store/parties/Party.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import type { PartyToken } from "../../../src/store/parties/TokenSlot.ts"

export const partyWith = (
  given: Omit<Partial<Party>, "id"> & { readonly id: string; readonly role: Role },
  registered = true
): Party => ({
  ownerId: OwnerId.make("own_1"),
  kind: "connection",
  version: "2.2.1",
  identity:
    given.role === "CPO"
      ? { countryCode: "DE", partyId: "CPO", name: "A CPO" }
      : { countryCode: "NL", partyId: "MSP", name: "An EMSP" },
  registration: registered ? "registered" : "none",
  counterpart: {
    role: given.role === "CPO" ? "EMSP" : "CPO",
    versionsUrl: "",
    endpoints: [],
    parties: registered
      ? [
          given.role === "CPO"
            ? { role: "EMSP", countryCode: "NL", partyId: "MSP", name: "An EMSP" }
            : { role: "CPO", countryCode: "DE", partyId: "CPO", name: "A CPO" }
        ]
      : null
  },
  dialect: defaultDialect,
  registeredAt: null,
  sandbox: given.kind === "sandbox" ? { faults: [], seed: 7, speed: 100_000 } : null,
  ...given,
  id: PartyId.make(given.id)
})

export const tokenOf = (slot: PartyToken["slot"], name: PartyToken["name"], value: string): PartyToken => ({
  slot,
  name,
  value: Redacted.make(value)
})

export const base64 = (text: string) => Buffer.from(text).toString("base64")

/** All services of the room over a store in memory; the egress guard lets loopback through. `behaviour`: of sandbox partners. */
export const roomLayer = (publicUrl: string, behaviour: Behaviour = honest, store = PartyStoreMemory) => {
  const calls = PartnerCalls.layer({ publicUrl, sandbox: true })
  const client = OcpiClient.layer().pipe(
    Layer.provide(EgressGuard.layer({ allowCidrs: ["127.0.0.0/8"], reserved: [] }))
  )
  const base = Layer.mergeAll(
    Layer.succeed(PartnerQuirks, PartnerQuirks.of({ of: () => behaviour })),
    calls,
    client
  ).pipe(Layer.provideMerge(store))
  return Layer.mergeAll(Parties.layer({ publicUrl }), Handshake.layer({ publicUrl })).pipe(
    Layer.provideMerge(ChargingSimulation.layer),
    Layer.provideMerge(base)
  )
}

export interface Asked {
  readonly method?: string
  readonly path: string
  readonly token?: string
  readonly body?: unknown
  readonly rawBody?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly root?: Root
  readonly delivery?: OcpiRequest["delivery"]
}

/** One request to a party, and its answer with the body read. The token goes out in Base64 form. */
export const ask = (asked: Asked) =>
  Effect.gen(function* () {
    const parties = yield* Parties
    const [path, query] = asked.path.split("?") as [string, string | undefined]
    const request: OcpiRequest = {
      method: asked.method ?? "GET",
      path: path.split("/").map(decodeURIComponent),
      query: new URLSearchParams(query ?? ""),
      headers: {
        "x-request-id": "request-1",
        "x-correlation-id": "correlation-1",
        ...(asked.token === undefined ? {} : { authorization: `Token ${base64(asked.token)}` }),
        ...asked.headers
      },
      body: asked.rawBody ?? (asked.body === undefined ? "" : JSON.stringify(asked.body)),
      url: `http://ours.test/ocpi/${asked.path}`,
      receivedAt: "2026-01-01T00:00:00.000Z",
      ...(asked.delivery === undefined ? {} : { delivery: asked.delivery })
    }
    return read(yield* parties.serve(asked.root ?? { kind: "connection" }, request))
  })

const read = (reply: OcpiReply) => {
  // A test looks into JSON of any shape.
  const json = (reply.body === null ? undefined : JSON.parse(reply.body)) as any
  return { http: reply.httpStatus, code: json?.status_code as number, json, headers: reply.headers }
}

/** Keeps an own object of a party. */
export const own = (party: Party, module: string, key: string, json: Record<string, unknown>) =>
  Effect.flatMap(PartyStore, (store) =>
    store.putObject(party.id, {
      module,
      key,
      side: "own",
      json,
      lastUpdated: new Date(String(json["last_updated"])).toISOString()
    })
  )

/**
 * Serves `Parties` on a free port of 127.0.0.1, the way http will: `/ocpi/…` and `/sandbox/{id}/ocpi/…`. The public URL
 * must be known before the parties are made, so the port is taken first and the handler given afterwards.
 */
export const front = Effect.acquireRelease(
  Effect.async<{
    readonly url: string
    readonly attach: Effect.Effect<void, never, Parties>
    readonly close: () => void
  }>((resume) => {
    let handle: (root: Root, request: OcpiRequest) => Promise<OcpiReply> = () =>
      Promise.reject(new Error("not attached"))
    const server = createServer((incoming, outgoing) => {
      const chunks: Array<Buffer> = []
      incoming.on("data", (chunk: Buffer) => chunks.push(chunk))
      incoming.on("end", () => {
        const url = new URL(incoming.url ?? "/", address())
        const sandbox = /^\/sandbox\/([^/]+)\/ocpi\//.exec(url.pathname)
        const below = url.pathname.slice(sandbox === null ? "/ocpi/".length : sandbox[0].length)
        const root: Root =
          sandbox === null ? { kind: "connection" } : { kind: "sandbox", partyId: PartyId.make(sandbox[1]!) }
        const headers = Object.fromEntries(
          Object.entries(incoming.headers).map(([name, value]) => [name, String(value)])
        )
        void handle(root, {
          method: incoming.method ?? "GET",
          path: below.split("/").map(decodeURIComponent),
          query: url.searchParams,
          headers,
          body: Buffer.concat(chunks).toString("utf8"),
          url: url.href,
          receivedAt: new Date().toISOString()
        }).then((reply) => {
          outgoing.writeHead(reply.httpStatus, reply.headers)
          outgoing.end(reply.body ?? "")
        })
      })
    })
    const address = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
    server.listen(0, "127.0.0.1", () =>
      resume(
        Effect.succeed({
          url: address(),
          attach: Effect.gen(function* () {
            const parties = yield* Parties
            const runtime = yield* Effect.runtime<never>()
            handle = (root, request) => Runtime.runPromise(runtime)(parties.serve(root, request))
          }),
          close: () => {
            server.close()
            server.closeAllConnections()
          }
        })
      )
    )
  }),
  ({ close }) => Effect.sync(close)
)
