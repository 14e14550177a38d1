/** Calls of partners that we cannot serve. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer, Option, TestClock } from "effect"
import { DatabaseDown, isDatabaseDown } from "../../src/database/DatabaseDown.ts"
import { sha256 } from "../../src/ocpi/keptBody.ts"
import { alwaysKeptBytes } from "../../src/party/inbound/refusedEvidence.ts"
import { PartnerCalls } from "../../src/party/outbound/PartnerCalls.ts"
import { Parties } from "../../src/party/Parties.ts"
import { NotAdmitted } from "../../src/party/wire/Admission.ts"
import { RefusedCalls } from "../../src/store/parties/exchanges/RefusedCalls.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { ask, partyWith, roomLayer, tokenOf } from "../support/parties/parties.ts"

/** A call while looking up its token dies of that; how it ended, and how often it was noted. */
const callWhile = (defect: unknown) =>
  Effect.gen(function* () {
    let noted = 0
    const refusedCalls = Layer.succeed(
      RefusedCalls,
      RefusedCalls.of({
        note: () =>
          Effect.sync(() => {
            noted += 1
          }),
        lastSince: () => Effect.succeedNone
      })
    )
    const exit = yield* Effect.gen(function* () {
      const store = yield* PartyStore
      Object.assign(store, { findByToken: () => Effect.die(defect) })
      return yield* Effect.exit(ask({ path: "2.2.1/sessions", token: "some-token-0123456789" }))
    }).pipe(Effect.provide(Layer.provideMerge(roomLayer("http://ours.test"), refusedCalls)))
    return { exit, noted }
  })

describe("a call that we cannot serve", () => {
  it.effect("is left to the server to refuse while the database is away, and is remembered", () =>
    Effect.gen(function* () {
      const { exit, noted } = yield* callWhile(new DatabaseDown({ message: "away" }))
      assert.isTrue(Option.exists(Exit.causeOption(exit), isDatabaseDown))
      assert.strictEqual(noted, 1)
    })
  )
  it.effect("is answered as our fault when we break, and is remembered", () =>
    Effect.gen(function* () {
      const { exit, noted } = yield* callWhile(new Error("a bug"))
      assert.strictEqual(Exit.isSuccess(exit) ? exit.value.http : 0, 500)
      assert.strictEqual(noted, 1)
    })
  )
})

describe("a call that is turned away at the door", () => {
  const away = new NotAdmitted({ httpStatus: 429, message: "too often", retryAfterSeconds: 7 })
  const noting = (noted: Array<unknown>) =>
    Layer.succeed(
      RefusedCalls,
      RefusedCalls.of({
        note: (whose) => Effect.sync(() => void noted.push(whose)),
        lastSince: () => Effect.succeedNone
      })
    )
  const head = (token: string) => ({
    method: "PUT",
    path: ["2.2.1", "locations", "LOC1"],
    query: new URLSearchParams(),
    headers: { authorization: `Token ${token}`, "x-request-id": "request-1" },
    url: "http://ours.test/ocpi/2.2.1/locations/LOC1",
    receivedAt: "2026-01-01T00:00:00.000Z"
  })

  it.effect("is said so in an envelope, leaves no evidence, and is remembered as that partner's", () =>
    Effect.gen(function* () {
      const noted: Array<unknown> = []
      yield* Effect.gen(function* () {
        const store = yield* PartyStore
        const party = partyWith({ id: "conn_away", role: "EMSP" })
        yield* store.insert(party, [tokenOf("issued", "tokenC", "of-partner-0123456789")])
        const { receive } = yield* Parties
        const served: Array<unknown> = []
        const door = {
          lookUp: <A, R>(work: Effect.Effect<A, never, R>) => work,
          admit: (caller: unknown) => {
            served.push(caller)
            return away
          }
        }
        const reply = yield* receive({ kind: "connection" }, head("of-partner-0123456789"), door)
        assert.strictEqual(reply.httpStatus, 429)
        assert.strictEqual(reply.headers["retry-after"], "7")
        assert.strictEqual(reply.headers["x-request-id"], "request-1")
        const { status_code, status_message } = JSON.parse(reply.body ?? "")
        assert.deepStrictEqual([status_code, status_message], [2000, "too often"])
        assert.lengthOf(yield* store.inboundAfter(party.id, 0, 10), 0)
        const stranger = yield* receive({ kind: "connection" }, head("of-nobody-0123456789"), door)
        assert.strictEqual(stranger.httpStatus, 429)
        assert.deepStrictEqual(
          served.map((caller: any) => caller?.party.id),
          ["conn_away", undefined]
        )
      }).pipe(Effect.provide(Layer.provideMerge(roomLayer("http://ours.test"), noting(noted))))
      assert.deepStrictEqual(noted, ["conn_away"])
    })
  )
})

describe("a result without a token of ours", () => {
  const called = (path: string, authorization: string | undefined) =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const party = partyWith({ id: "conn_asking", role: "EMSP" })
      yield* store.insert(party, [tokenOf("issued", "tokenC", "of-partner-0123456789")])
      const { expectResult } = yield* PartnerCalls
      const url = yield* expectResult(party, "START_SESSION", "exc_asked")
      assert.match(url, /2\.2\.1\/commands\/START_SESSION\/exc_asked$/)
      const { http } = yield* ask({
        method: "POST",
        path,
        body: { result: "ACCEPTED" },
        headers: authorization === undefined ? {} : { authorization }
      })
      yield* TestClock.adjust("1 second")
      return { http, seen: yield* store.inboundAfter(party.id, 0, 10) }
    }).pipe(Effect.provide(roomLayer("http://ours.test")))
  const there = "2.2.1/commands/START_SESSION/exc_asked"

  it.effect.each([undefined, "Token bm90aGluZw==", "Token secret-of-another-1234", "Basic dXNlcjpwYXNz"])(
    "is refused, and recorded as a call of the partner that has the response_url: %s",
    (authorization) =>
      Effect.gen(function* () {
        const { http, seen } = yield* called(there, authorization)
        assert.strictEqual(http, 401)
        assert.lengthOf(seen, 1)
        const { exchange } = seen[0]!
        assert.strictEqual(exchange.response?.httpStatus, 401)
        assert.include(exchange.request.body ?? "", "ACCEPTED")
        assert.strictEqual(
          exchange.request.headers["authorization"],
          authorization === undefined ? undefined : "(no token of this connection)"
        )
      })
  )
  it.effect.each([
    "2.2.1/commands/START_SESSION/exc_other",
    "2.2.1/sessions/START_SESSION/exc_asked",
    "2.2.1/commands/START_SESSION/exc_asked/more"
  ])("is nobody's at another URL: %s", (path) =>
    Effect.map(called(path, "Token bm90aGluZw=="), ({ http, seen }) => {
      assert.strictEqual(http, 401)
      assert.lengthOf(seen, 0)
    })
  )
})

describe("the body of a call that we refuse", () => {
  it.effect("is kept whole while there is room, else its beginning, with its length and hash", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const party = partyWith({ id: "conn_large", role: "EMSP" })
      yield* store.insert(party, [tokenOf("issued", "tokenC", "of-partner-0123456789")])
      const rawBody = JSON.stringify({ filler: "x".repeat(100_000) })
      const answer = yield* ask({
        method: "PUT",
        path: "2.2.1/locations/NL/PAR/LOC1",
        token: "of-partner-0123456789",
        rawBody
      })
      assert.isAtLeast(answer.code, 2000)
      const small = { method: "PUT", path: "2.2.1/locations/NL/PAR/LOC1", token: "of-partner-0123456789" }
      yield* ask({ ...small, rawBody: "{}" })
      const [large, little] = yield* store.inboundAfter(party.id, 0, 10)
      const { body, bodyBytes, bodySha256, truncated } = large!.exchange.request
      assert.isTrue(truncated)
      assert.strictEqual(body, rawBody.slice(0, alwaysKeptBytes))
      assert.strictEqual(bodyBytes, rawBody.length)
      assert.strictEqual(bodySha256, sha256(rawBody))
      assert.deepInclude(little!.exchange.request, { body: "{}", truncated: false })
    }).pipe(Effect.provide(roomLayer("http://ours.test")))
  )
})
