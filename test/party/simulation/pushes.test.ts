import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Ref, type Scope } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { type OcpiCall, OcpiClient } from "../../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../../src/party/outbound/PartnerCalls.ts"
import { patchSession, tellStatus } from "../../../src/party/simulation/chargePoint/chargePoint.ts"
import { honest, PartnerQuirks } from "../../../src/party/wire/PartnerQuirks.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { location } from "../../support/ocpi/objects.ts"
import { own, partyWith } from "../../support/parties/parties.ts"

const receiver = (identifier: string) => ({
  identifier,
  role: "RECEIVER" as const,
  url: `https://emsp.example/${identifier}`
})
const cpo = partyWith({
  id: "sbx_1",
  role: "CPO",
  kind: "sandbox",
  counterpart: {
    role: "EMSP",
    versionsUrl: "",
    endpoints: [receiver("locations"), receiver("sessions")],
    parties: null
  }
})
const session = { id: "SES-1", location_id: "LOC1", evse_uid: "EVSE-1", last_updated: "2026-01-01T00:00:00Z" }

type Reply = { readonly http: number; readonly code?: number } | "silent"

const answer = (call: OcpiCall, reply: Reply): Exchange => ({
  id: call.exchangeId,
  direction: "outbound",
  module: call.module,
  operation: call.operation,
  request: { method: call.method, url: call.url, headers: {}, body: null, truncated: false },
  response:
    reply === "silent"
      ? null
      : {
          httpStatus: reply.http,
          ocpiStatusCode: reply.code ?? null,
          headers: {},
          body: null,
          truncated: false
        },
  outcome: reply === "silent" ? "timed_out" : "completed",
  startedAt: "2026-01-01T00:00:00.000Z",
  durationMs: 1,
  requestId: call.requestId,
  correlationId: call.correlationId
})

/** What the CPO sends, as `METHOD path`, to a counterpart that answers so; and the bodies. */
const sent = (
  tell: Effect.Effect<void, never, Layer.Layer.Success<typeof room> | OcpiClient | Scope.Scope>,
  replies: Readonly<Record<string, Reply>>
) =>
  Effect.gen(function* () {
    const calls = yield* Ref.make<ReadonlyArray<OcpiCall>>([])
    const client = Layer.succeed(OcpiClient, {
      intent: (call) => answer(call, "silent"),
      exchange: (call) =>
        Effect.as(
          Ref.update(calls, (all) => [...all, call]),
          {
            exchange: answer(call, replies[call.method] ?? { http: 200, code: 1000 }),
            body: undefined,
            json: undefined
          }
        )
    })
    yield* Effect.gen(function* () {
      yield* (yield* PartyStore).insert(cpo, [])
      yield* own(cpo, "locations", "LOC1", location())
      yield* own(cpo, "sessions", "SES-1", session)
      yield* tell
    }).pipe(Effect.scoped, Effect.provide(Layer.merge(room, client)))
    return (yield* Ref.get(calls)).map(({ body, method, operation, url }) => ({
      line: `${method} ${url.slice("https://emsp.example".length)}`,
      operation,
      body
    }))
  })

const room = Layer.mergeAll(
  Layer.succeed(PartnerQuirks, PartnerQuirks.of({ of: () => honest })),
  PartnerCalls.layer({ publicUrl: "https://us.example", sandbox: true })
).pipe(Layer.provideMerge(PartyStoreMemory))

const status = tellStatus(
  cpo,
  { location: "LOC1", evse: "EVSE-1" },
  { status: "CHARGING", when: "2026-01-01T00:00:00Z" },
  "c-1"
)
const update = patchSession(cpo, session, { kwh: 1 }, "c-1")
const linesOf = (all: ReadonlyArray<{ readonly line: string }>) => all.map(({ line }) => line)

describe("a PATCH", () => {
  it.effect("is all that is sent while the counterpart has the object", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(linesOf(yield* sent(status, {})), ["PATCH /locations/DE/CPO/LOC1/EVSE-1"])
    })
  )

  it.effect("of an EVSE that the counterpart has not got ends in a PUT of the location", () =>
    Effect.gen(function* () {
      const all = yield* sent(status, {
        PATCH: { http: 404, code: 2003 },
        GET: { http: 404, code: 2003 },
        PUT: { http: 201, code: 1000 }
      })
      assert.deepStrictEqual(linesOf(all), [
        "PATCH /locations/DE/CPO/LOC1/EVSE-1",
        "GET /locations/DE/CPO/LOC1/EVSE-1",
        "PUT /locations/DE/CPO/LOC1"
      ])
      assert.deepStrictEqual(
        all.map(({ operation }) => operation),
        ["PATCH evse", "GET evse", "PUT location"]
      )
      assert.deepStrictEqual(all[2]?.body, location())
    })
  )

  it.effect("of a session that the counterpart has not got ends in a PUT of the session", () =>
    Effect.gen(function* () {
      const all = yield* sent(update, { PATCH: { http: 404 }, GET: { http: 404 } })
      assert.deepStrictEqual(linesOf(all), [
        "PATCH /sessions/DE/CPO/SES-1",
        "GET /sessions/DE/CPO/SES-1",
        "PUT /sessions/DE/CPO/SES-1"
      ])
      assert.deepStrictEqual(all[2]?.body, session)
    })
  )

  it.effect("that is refused for what it says is not made good: the counterpart has the object", () =>
    Effect.gen(function* () {
      const all = yield* sent(update, { PATCH: { http: 200, code: 2001 } })
      assert.deepStrictEqual(linesOf(all), ["PATCH /sessions/DE/CPO/SES-1", "GET /sessions/DE/CPO/SES-1"])
    })
  )

  it.effect("that breaks the counterpart, or gets no answer, is not followed by more", () =>
    Effect.gen(function* () {
      for (const reply of [{ http: 500 }, { http: 503, code: 3000 }, "silent"] as const)
        assert.lengthOf(yield* sent(update, { PATCH: reply }), 1)
    })
  )
})
