import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option, Redacted, Schedule } from "effect"
import { versions } from "../../schema/ocpi/versions.ts"
import { violations } from "../../src/findings/violations/violations.ts"
import { OcpiClient } from "../../src/ocpi/OcpiClient.ts"
import { PartnerCalls } from "../../src/party/outbound/PartnerCalls.ts"
import type { Parties } from "../../src/party/Parties.ts"
import { Handshake } from "../../src/party/registration/Handshake.ts"
import { ChargingSimulation } from "../../src/party/simulation/ChargingSimulation.ts"
import { type Behaviour, honest } from "../../src/party/wire/PartnerQuirks.ts"
import type { Party } from "../../src/store/parties/Party.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { location, tariff, token } from "../support/ocpi/objects.ts"
import { ask, front, own, partyWith, roomLayer, tokenOf } from "../support/parties/parties.ts"

/** Our EMSP and a sandbox CPO, both served on one real port; nobody is registered yet. */
const withPair = <A, E>(
  test: (pair: {
    readonly emsp: Party
    readonly cpo: Party
    readonly url: string
  }) => Effect.Effect<
    A,
    E,
    PartyStore | Handshake | PartnerCalls | OcpiClient | ChargingSimulation | Parties
  >,
  speed = 100_000,
  behaviour: Behaviour = honest
) =>
  Effect.gen(function* () {
    const { attach, url } = yield* front
    return yield* Effect.gen(function* () {
      yield* attach
      const store = yield* PartyStore
      const emsp = partyWith(
        {
          id: "conn_1",
          role: "EMSP",
          counterpart: {
            role: "CPO",
            versionsUrl: `${url}/sandbox/sbx_1/ocpi/versions`,
            endpoints: [],
            parties: null
          }
        },
        false
      )
      const sandbox = { faults: [], seed: 7, speed }
      const cpo = partyWith({ id: "sbx_1", role: "CPO", kind: "sandbox", sandbox }, false)
      yield* store.insert(emsp, [tokenOf("outbound", "tokenA", "the-token-A-0123456789")])
      yield* store.insert(cpo, [tokenOf("issued", "tokenA", "the-token-A-0123456789")])
      yield* own(cpo, "locations", "LOC1", location())
      yield* own(cpo, "tariffs", "T1", tariff())
      return yield* test({ emsp, cpo, url })
    }).pipe(Effect.provide(roomLayer(url, behaviour)))
  }).pipe(Effect.scoped)

const partyOf = (party: Party) =>
  Effect.flatMap(PartyStore, (store) => Effect.map(store.find(party.id), Option.getOrThrow))

const objectsOf = (party: Party, module: string, side: "own" | "received") =>
  Effect.flatMap(PartyStore, (store) =>
    Effect.map(store.objects(party.id, module, side, { offset: 0, limit: 100 }), ({ items }) =>
      // A test looks into JSON of any shape.
      items.map(({ json }) => json as any)
    )
  )

/** Polls until there is something; the simulation runs in real time. */
const eventually = <A, R>(look: Effect.Effect<A | undefined, never, R>) =>
  look.pipe(
    Effect.flatMap((found) =>
      found === undefined ? Effect.fail("nothing yet" as const) : Effect.succeed(found)
    ),
    Effect.retry(Schedule.intersect(Schedule.spaced("20 millis"), Schedule.recurs(900)))
  )

const registered = (party: Party) =>
  Effect.flatMap(Handshake, (handshake) =>
    Effect.map(handshake.run(party.id), (result) => {
      assert.isTrue(result.ok, result.ok ? "" : result.error)
      return result.party
    })
  )

const command = (party: Party, name: string, body: Record<string, unknown>, key: string) =>
  Effect.gen(function* () {
    const calls = yield* PartnerCalls
    const client = yield* OcpiClient
    const now = yield* partyOf(party)
    const response_url = yield* calls.expectResult(now, name, key)
    const call = yield* calls.prepare(now, {
      module: "commands",
      interfaceRole: "RECEIVER",
      operation: name,
      method: "POST",
      path: [name],
      body: { ...body, response_url },
      exchangeId: `exc_${key}`
    })
    // A test looks into JSON of any shape.
    return (yield* client.exchange(call)).json as any
  })

const resultOf = (party: Party, key: string) =>
  Effect.flatMap(PartnerCalls, (calls) =>
    eventually(
      Effect.map(
        calls.results(party.id, key),
        (results) => (results[0]?.body as any)?.result as string | undefined
      )
    )
  )

const ourTokenA = "our-token-A-9876543210"

/** Long enough for another request to come while the answer is awaited. */
const slowToRegister: Behaviour = {
  ...honest,
  reply: (request, reply) => (request.method === "POST" ? { ...reply, delayMillis: 3000 } : reply)
}

describe("registration over sockets", () => {
  it.live("POSTs, is called back meanwhile, and both sides hold the other's token and endpoints", () =>
    withPair(({ cpo, emsp }) =>
      Effect.gen(function* () {
        const us = yield* registered(emsp)
        const them = yield* partyOf(cpo)
        assert.strictEqual(us.registration, "registered")
        assert.strictEqual(them.registration, "registered")
        assert.deepStrictEqual(us.dialect.deviations, [])
        assert.strictEqual(us.dialect.tokenEncoding.outbound, "base64")
        assert.strictEqual(us.counterpart.parties?.[0]?.partyId, "CPO")
        assert.isTrue(them.counterpart.endpoints.some(({ identifier }) => identifier === "sessions"))
        const store = yield* PartyStore
        const names = (yield* store.tokens(emsp.id)).map(({ name, slot }) => `${slot} ${name}`).sort()
        assert.deepStrictEqual(names, ["issued tokenB", "outbound tokenC", "returned tokenC"])
        const operations = (yield* store.exchanges(emsp.id, 0, 50)).map(
          ({ exchange }) => `${exchange.direction} ${exchange.module} ${exchange.operation}`
        )
        assert.includeMembers(operations, [
          "outbound versions list",
          "outbound versions details",
          "inbound versions list",
          "inbound versions details",
          "outbound credentials POST credentials"
        ])
        const evidence = JSON.stringify(yield* store.exchanges(cpo.id, 0, 50))
        assert.notInclude(evidence, "the-token-A-0123456789")
      })
    )
  )
  it.live("rotates both tokens with a PUT, and unregisters with a DELETE", () =>
    withPair(({ cpo, emsp }) =>
      Effect.gen(function* () {
        const handshake = yield* Handshake
        const store = yield* PartyStore
        yield* registered(emsp)
        const live = Effect.map(store.tokens(emsp.id), (tokens) =>
          tokens.filter(({ slot }) => slot !== "dead" && slot !== "returned")
        )
        const before = yield* live
        yield* registered(emsp)
        const after = yield* live
        assert.strictEqual(after.length, 2)
        const values = [...before, ...after].map(({ value }) => Redacted.value(value))
        assert.strictEqual(new Set(values).size, 4)
        const { told } = yield* handshake.unregister(emsp.id)
        assert.isTrue(told)
        assert.strictEqual((yield* partyOf(cpo)).registration, "none")
        assert.strictEqual((yield* store.tokens(cpo.id)).length, 0)
      })
    )
  )
  it.live("says what to check when the token or the URL is wrong, and keeps the state as it was", () =>
    withPair(({ emsp, url }) =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        const handshake = yield* Handshake
        yield* store.putToken(emsp.id, "outbound", tokenOf("outbound", "tokenA", "another-token-0123456789"))
        const wrong = yield* handshake.run(emsp.id)
        assert.isFalse(wrong.ok)
        assert.match(
          wrong.ok ? "" : wrong.error,
          /^auth: GET versions answered 401 to both token forms; check Token A; the partner says: "/
        )
        yield* store.update(emsp.id, (now) => ({
          ...now,
          counterpart: { ...now.counterpart, versionsUrl: `${url}/sandbox/sbx_1/ocpi/none` }
        }))
        yield* store.putToken(emsp.id, "outbound", tokenOf("outbound", "tokenA", "the-token-A-0123456789"))
        const lost = yield* handshake.run(emsp.id)
        assert.match(lost.ok ? "" : lost.error, /404|without/)
        assert.deepStrictEqual(
          (yield* store.tokens(emsp.id)).map(({ slot }) => slot),
          ["outbound"]
        )
      })
    )
  )
  it.live("leaves both where they were when both have begun at once, and says so", () =>
    withPair(
      ({ cpo, emsp, url }) =>
        Effect.gen(function* () {
          const store = yield* PartyStore
          const handshake = yield* Handshake
          yield* store.putToken(emsp.id, "issued", { name: "tokenA", value: Redacted.make(ourTokenA) })
          const open = { id: "exc_theirs", state: "registering", since: new Date().toISOString() } as const
          yield* store.update(cpo.id, (now) => ({ ...now, open }))
          const running = yield* Effect.fork(handshake.run(emsp.id))
          yield* eventually(
            Effect.map(store.exchanges(cpo.id, 0, 50), (all) =>
              all.find(({ exchange }) => exchange.operation === "POST credentials")
            )
          )
          const theirs = yield* ask({
            method: "POST",
            path: "2.2.1/credentials",
            token: ourTokenA,
            body: { token: "their-token-B-9876543210", url: `${url}/sandbox/sbx_1/ocpi/versions`, roles: [] }
          })
          assert.strictEqual(theirs.http, 405)
          const result = yield* Fiber.join(running)
          assert.match(result.ok ? "" : result.error, /^protocol: POST .*405.*both began at once.*try again$/)
          const { lastError, open: after, registration } = Option.getOrThrow(yield* store.find(emsp.id))
          assert.deepStrictEqual([registration, after, lastError], ["none", null, undefined])
          yield* store.update(cpo.id, (now) => ({ ...now, open: null }))
          yield* registered(emsp)
        }),
      undefined,
      slowToRegister
    )
  )
  it.live("says so when the partner does not offer the version", () =>
    withPair(({ cpo, emsp }) =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        const handshake = yield* Handshake
        yield* store.update(cpo.id, (now) => ({ ...now, version: "2.3.0" }))
        const result = yield* handshake.run(emsp.id)
        assert.strictEqual(
          result.ok ? "" : result.error,
          "unsupported: the partner does not offer version 2.2.1; it offers 2.3.0. Agree on one that both sides offer"
        )
      })
    )
  )
  it.live("answers 3001 when the new partner cannot be called back, and Token A lives on", () =>
    withPair(({ cpo, emsp, url }) =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        const client = yield* OcpiClient
        const calls = yield* PartnerCalls
        const call = yield* calls.prepare(emsp, {
          module: "credentials",
          interfaceRole: "SENDER",
          operation: "POST credentials",
          method: "POST",
          url: `${url}/sandbox/sbx_1/ocpi/2.2.1/credentials`,
          body: {
            token: "some-token-B-0123456789",
            url: "http://127.0.0.1:1/versions",
            roles: [{ role: "EMSP", party_id: "MSP", country_code: "NL", business_details: { name: "x" } }]
          },
          exchangeId: "exc_1"
        })
        const { exchange } = yield* client.exchange(call)
        assert.strictEqual(exchange.response?.httpStatus, 200)
        assert.strictEqual(exchange.response?.ocpiStatusCode, 3001)
        assert.strictEqual((yield* partyOf(cpo)).registration, "none")
        assert.strictEqual((yield* store.tokens(cpo.id))[0]?.name, "tokenA")
      })
    )
  )
})

describe("an invitation", () => {
  it.live("lets a sandbox partner register with us", () =>
    withPair(({ cpo, emsp, url }) =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        yield* store.putToken(emsp.id, "outbound", null)
        yield* store.putToken(emsp.id, "issued", tokenOf("issued", "tokenA", "our-invitation-0123456789"))
        yield* store.putToken(cpo.id, "issued", null)
        yield* store.putToken(cpo.id, "outbound", tokenOf("outbound", "tokenA", "our-invitation-0123456789"))
        yield* store.update(cpo.id, (now) => ({
          ...now,
          counterpart: { ...now.counterpart, versionsUrl: `${url}/ocpi/versions` }
        }))
        yield* registered(cpo)
        const us = yield* partyOf(emsp)
        assert.strictEqual(us.registration, "registered")
        assert.strictEqual(us.counterpart.versionsUrl, `${url}/sandbox/sbx_1/ocpi/versions`)
        const names = (yield* store.tokens(emsp.id)).map(({ name, slot }) => `${slot} ${name}`).sort()
        assert.deepStrictEqual(names, ["dead tokenA", "issued tokenC", "outbound tokenB", "returned tokenB"])
        const evidence = JSON.stringify(yield* store.exchanges(emsp.id, 0, 50))
        assert.notInclude(evidence, "our-invitation-0123456789")
      })
    )
  )
})

describe("a rotation that we receive", () => {
  it.live("keeps the old token until the new one is used for the first time", () =>
    withPair(({ cpo, emsp, url }) =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        const client = yield* OcpiClient
        const calls = yield* PartnerCalls
        yield* registered(emsp)
        const old = (yield* store.tokens(cpo.id)).find(({ slot }) => slot === "issued")!
        yield* registered(emsp)
        const ask = (authorization?: { readonly name: "tokenC"; readonly token: typeof old.value }) =>
          Effect.gen(function* () {
            const call = yield* calls.prepare(yield* partyOf(emsp), {
              module: "versions",
              interfaceRole: "SENDER",
              operation: "list",
              method: "GET",
              url: `${url}/sandbox/sbx_1/ocpi/versions`,
              exchangeId: "exc_1",
              ...(authorization === undefined ? {} : { authorization })
            })
            return (yield* client.exchange(call)).exchange.response?.httpStatus
          })
        const withOld = { name: "tokenC", token: old.value } as const
        assert.strictEqual(yield* ask(withOld), 200)
        assert.strictEqual(yield* ask(), 200)
        assert.strictEqual(yield* ask(withOld), 401)
      })
    )
  )
})

describe("charging over sockets", () => {
  const start = { token: token(), location_id: "LOC1", evse_uid: "EVSE-1", authorization_reference: "REF-1" }

  it.live("runs a remote start to COMPLETED and settles it with one CDR that adds up", () =>
    withPair(({ cpo, emsp }) =>
      Effect.gen(function* () {
        yield* registered(emsp)
        const answer = yield* command(emsp, "START_SESSION", start, "cmd_1")
        assert.strictEqual(answer.data.result, "ACCEPTED")
        assert.strictEqual(yield* resultOf(emsp, "cmd_1"), "ACCEPTED")
        const cdr = yield* eventually(Effect.map(objectsOf(emsp, "cdrs", "received"), ([first]) => first))
        const [session] = yield* objectsOf(emsp, "sessions", "received")
        const [ours] = yield* objectsOf(cpo, "sessions", "own")
        assert.deepStrictEqual(session, ours)
        assert.strictEqual(session.status, "COMPLETED")
        assert.strictEqual(session.authorization_reference, "REF-1")
        assert.strictEqual(session.auth_method, "COMMAND")
        assert.deepStrictEqual(violations(versions["2.2.1"].objects.Session!, session), [])
        assert.deepStrictEqual(violations(versions["2.2.1"].objects.CDR!, cdr), [])
        assert.strictEqual(cdr.total_energy, session.kwh)
        assert.deepStrictEqual(cdr.total_cost, session.total_cost)
        assert.strictEqual(cdr.total_time, 2)
        assert.strictEqual(cdr.total_parking_time, 0.25)
        assert.strictEqual(cdr.total_energy, 18.9)
        const parts = ["fixed", "energy", "time", "parking"].map((name) => cdr[`total_${name}_cost`].excl_vat)
        assert.deepStrictEqual(parts, [0.5, 7.371, 2.1, 1.5])
        assert.strictEqual(cdr.total_cost.excl_vat, 11.471)
        assert.isTrue(Date.parse(session.end_date_time) - Date.parse(session.start_date_time) === 7_200_000)
      })
    )
  )
  it.live("gives a small but complete session when stopped right after the start", () =>
    withPair(
      ({ cpo, emsp }) =>
        Effect.gen(function* () {
          yield* registered(emsp)
          yield* command(emsp, "START_SESSION", start, "cmd_1")
          const session = yield* eventually(
            Effect.map(objectsOf(emsp, "sessions", "received"), ([first]) => first)
          )
          assert.strictEqual(session.status, "ACTIVE")
          const busy = yield* command(emsp, "START_SESSION", start, "cmd_2")
          assert.strictEqual(busy.data.result, "ACCEPTED")
          assert.strictEqual(yield* resultOf(emsp, "cmd_2"), "EVSE_OCCUPIED")
          yield* command(emsp, "STOP_SESSION", { session_id: session.id }, "cmd_3")
          assert.strictEqual(yield* resultOf(emsp, "cmd_3"), "ACCEPTED")
          const cdr = yield* eventually(Effect.map(objectsOf(emsp, "cdrs", "received"), ([first]) => first))
          assert.isAbove(cdr.total_energy, 0)
          assert.isBelow(cdr.total_energy, 2)
          const [place] = yield* objectsOf(cpo, "locations", "own")
          assert.strictEqual(place.evses[0].status, "AVAILABLE")
        }),
      40
    )
  )
  it.live("gives the location to a counterpart that never got it, and goes on with changes of it", () =>
    withPair(
      ({ cpo, emsp }) =>
        Effect.gen(function* () {
          yield* registered(emsp)
          yield* command(emsp, "START_SESSION", start, "cmd_1")
          const held = yield* eventually(
            Effect.map(objectsOf(emsp, "locations", "received"), ([first]) => first)
          )
          assert.strictEqual(held.evses[0].status, "CHARGING")
          const session = yield* eventually(
            Effect.map(objectsOf(emsp, "sessions", "received"), ([first]) => first)
          )
          yield* command(emsp, "STOP_SESSION", { session_id: session.id }, "cmd_2")
          yield* eventually(Effect.map(objectsOf(emsp, "cdrs", "received"), ([first]) => first))
          assert.deepStrictEqual(
            yield* objectsOf(emsp, "locations", "received"),
            yield* objectsOf(cpo, "locations", "own")
          )
          const told = (yield* (yield* PartyStore).exchanges(cpo.id, 0, 100))
            .map(({ exchange }) => exchange)
            .filter(({ direction, module }) => direction === "outbound" && module === "locations")
            .map(({ operation, response }) => `${operation} ${response?.httpStatus}`)
          assert.deepStrictEqual(told, [
            "PATCH evse 404",
            "GET evse 404",
            "PUT location 201",
            "PATCH evse 200"
          ])
        }),
      40
    )
  )
  it.live("reserves, gives way to the same token, and ends a reservation that is cancelled", () =>
    withPair(
      ({ cpo, emsp }) =>
        Effect.gen(function* () {
          yield* registered(emsp)
          const expiry_date = "2099-01-01T00:00:00Z"
          const reserve = { token: token(), location_id: "LOC1", evse_uid: "EVSE-1", expiry_date }
          yield* command(emsp, "RESERVE_NOW", { ...reserve, reservation_id: "R1" }, "cmd_1")
          assert.strictEqual(yield* resultOf(emsp, "cmd_1"), "ACCEPTED")
          const held = yield* eventually(
            Effect.map(objectsOf(emsp, "sessions", "received"), ([first]) => first)
          )
          assert.strictEqual(held.status, "RESERVATION")
          yield* command(emsp, "CANCEL_RESERVATION", { reservation_id: "NONE" }, "cmd_2")
          assert.strictEqual(yield* resultOf(emsp, "cmd_2"), "UNKNOWN_RESERVATION")
          yield* command(emsp, "CANCEL_RESERVATION", { reservation_id: "R1" }, "cmd_3")
          yield* eventually(
            Effect.map(objectsOf(emsp, "sessions", "received"), ([first]) =>
              first.status === "COMPLETED" ? first : undefined
            )
          )
          yield* eventually(
            Effect.map(objectsOf(cpo, "locations", "own"), ([first]) =>
              first.evses[0].status === "AVAILABLE" ? first : undefined
            )
          )
          yield* command(emsp, "RESERVE_NOW", { ...reserve, reservation_id: "R2" }, "cmd_4")
          assert.strictEqual(yield* resultOf(emsp, "cmd_4"), "ACCEPTED")
          yield* command(emsp, "START_SESSION", start, "cmd_5")
          assert.strictEqual(yield* resultOf(emsp, "cmd_5"), "ACCEPTED")
          const used = yield* eventually(
            Effect.map(objectsOf(emsp, "sessions", "received"), (all) =>
              all.find(({ status }) => status === "ACTIVE")
            )
          )
          assert.strictEqual(used.id, "SES-7-2")
        }),
      40
    )
  )
  it.live("goes on with an unfinished session after a restart", () =>
    withPair(({ cpo, emsp }) =>
      Effect.gen(function* () {
        yield* registered(emsp)
        const simulation = yield* ChargingSimulation
        const begun = {
          ...sessionLeftBehind,
          last_updated: sessionLeftBehind.start_date_time
        }
        yield* own(cpo, "sessions", "SES-7-1", begun)
        yield* own(cpo, "charges", "SES-7-1", {
          startedAt: Date.parse(sessionLeftBehind.start_date_time),
          correlationId: "c1",
          last_updated: sessionLeftBehind.start_date_time
        })
        yield* simulation.resumeAll
        const cdr = yield* eventually(Effect.map(objectsOf(emsp, "cdrs", "received"), ([first]) => first))
        assert.strictEqual(cdr.session_id, "SES-7-1")
        assert.strictEqual(cdr.total_time, 2)
        yield* simulation.resumeAll
        assert.strictEqual((yield* objectsOf(emsp, "cdrs", "received")).length, 1)
      })
    )
  )
})

const sessionLeftBehind = {
  country_code: "DE",
  party_id: "CPO",
  id: "SES-7-1",
  start_date_time: "2026-01-01T00:00:00Z",
  kwh: 0,
  cdr_token: { country_code: "NL", party_id: "MSP", uid: "TOKEN-1", type: "RFID", contract_id: "NL-MSP-C1" },
  auth_method: "COMMAND",
  location_id: "LOC1",
  evse_uid: "EVSE-1",
  connector_id: "1",
  currency: "EUR",
  charging_periods: [],
  status: "ACTIVE"
} as const
