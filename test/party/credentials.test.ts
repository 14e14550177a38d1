import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Option, Redacted, Schedule, TestClock } from "effect"
import { Handshake } from "../../src/party/registration/Handshake.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { exchange } from "../support/parties/heldParties.ts"
import { ask, base64, partyWith, roomLayer, tokenOf } from "../support/parties/parties.ts"
import { ok, type Script, scripted } from "./support/scriptedPartner.ts"

const ours = "our-token-A-0123456789"
const theirs = "their-token-B-0123456789"

/** Nothing listens there. */
const nobody = "http://127.0.0.1:49151/versions"

const roles = [{ role: "CPO", party_id: "CPO", country_code: "DE", business_details: { name: "A CPO" } }]

/** Our EMSP, who has invited a partner that answers its call backs by script. */
const invited = (change: (url: string) => Record<string, Script> = () => ({}), takes = [base64(theirs)]) =>
  Effect.gen(function* () {
    const { url } = yield* scripted(change, takes)
    const store = yield* PartyStore
    const party = partyWith({ id: "conn_1", role: "EMSP" }, false)
    yield* store.insert(
      {
        ...party,
        invitation: {
          state: "open",
          issuedAt: "2026-01-01T00:00:00.000Z",
          expiresAt: "2096-01-01T00:00:00.000Z"
        }
      },
      [tokenOf("issued", "tokenA", ours)]
    )
    const credentials = { token: theirs, url: `${url}/versions`, roles }
    const send = (method: string, token: string, body: unknown = credentials, version = "2.2.1") =>
      ask({ method, path: `${version}/credentials`, token, body })
    const now = Effect.map(store.find(party.id), Option.getOrThrow)
    const slots = Effect.map(store.tokens(party.id), (tokens) =>
      tokens.map(({ name, slot }) => `${slot} ${name}`).sort()
    )
    return { credentials, id: party.id, now, send, slots, url }
  })

const room = Effect.provide(roomLayer("http://127.0.0.1:9"))

describe("credentials that a partner sends", () => {
  it.live("register it: endpoints, parties and both tokens are ours then, and the invitation is used", () =>
    Effect.gen(function* () {
      const { now, send, slots, url } = yield* invited()
      yield* ask({ path: "versions", token: ours })
      const { code, json } = yield* send("POST", ours)
      assert.strictEqual(code, 1000, JSON.stringify(json))
      const party = yield* now
      assert.strictEqual(party.registration, "registered")
      assert.strictEqual(party.counterpart.versionsUrl, `${url}/versions`)
      assert.strictEqual(party.counterpart.parties?.[0]?.partyId, "CPO")
      assert.strictEqual(party.invitation?.state, "used")
      assert.isNull(party.open ?? null)
      assert.deepStrictEqual(party.dialect.deviations, [])
      assert.deepStrictEqual(yield* slots, [
        "dead tokenA",
        "issued tokenC",
        "outbound tokenB",
        "returned tokenB"
      ])
      assert.strictEqual((yield* ask({ path: "versions", token: ours })).http, 401)
      assert.strictEqual((yield* ask({ path: "versions", token: json.data.token })).http, 200)
    }).pipe(Effect.scoped, room)
  )

  it.live("are refused by the book, change nothing, and tell the owner why", () =>
    Effect.gen(function* () {
      const list = (data: unknown) => ({ "GET /versions": { body: ok(data) } })
      const refused: ReadonlyArray<
        readonly [number, RegExp, (url: string) => Record<string, Script>, body?: Record<string, unknown>]
      > = [
        [
          2001,
          /^protocol: .*POST credentials was refused with 2001: .*token/,
          () => ({}),
          { url: "x", roles }
        ],
        [2001, /^protocol: .*\burl is /, () => ({}), { token: theirs, roles }],
        [2001, /^protocol: .*\broles/, () => ({}), { token: theirs, url: "https://p.example/versions" }],
        [
          2001,
          /^protocol: .*new one that you issue/,
          () => ({}),
          { token: ours, url: "https://p.example/v", roles }
        ],
        [
          3001,
          /^network: .*refused with 3001: Calling back failed/,
          () => ({}),
          { token: theirs, url: nobody, roles }
        ],
        [3001, /^config: .*GET versions answered 404/, () => ({ "GET /versions": { http: 404, body: {} } })],
        [3001, /^protocol: .*HTML/, () => ({ "GET /versions": { type: "text/html", body: "<html>" } })],
        [
          3002,
          /^unsupported: .*offers 2\.1\.1/,
          (url) => list([{ version: "2.1.1", url: `${url}/details` }])
        ],
        [
          3003,
          /^unsupported: .*no endpoint that a CPO offers/,
          (url) => ({
            "GET /details": {
              body: ok({
                version: "2.2.1",
                endpoints: [{ identifier: "credentials", role: "SENDER", url: `${url}/credentials` }]
              })
            }
          })
        ]
      ]
      for (const [code, lastError, change, body] of refused) {
        const { answer, party, slots } = yield* Effect.gen(function* () {
          const one = yield* invited(change)
          const answer = yield* one.send("POST", ours, body ?? one.credentials)
          return { answer, party: yield* one.now, slots: yield* one.slots }
        }).pipe(Effect.scoped, room)
        assert.strictEqual(answer.http, 200)
        assert.strictEqual(answer.code, code, JSON.stringify(answer.json))
        assert.match(party.lastError ?? "", lastError)
        assert.notInclude(party.lastError, theirs)
        assert.strictEqual(party.registration, "none")
        assert.isNull(party.open ?? null)
        assert.deepStrictEqual(slots, ["issued tokenA"])
      }
    })
  )

  it.live("that call back with 401 to both forms of the token are 3001, and blamed on the token", () =>
    Effect.gen(function* () {
      const { now, send } = yield* invited(() => ({}), ["nothing"])
      assert.strictEqual((yield* send("POST", ours)).code, 3001)
      assert.match((yield* now).lastError ?? "", /^auth: .*401 to both token forms; check Token B/)
    }).pipe(Effect.scoped, room)
  )

  it.live("that are no JSON are HTTP 400, and the owner hears of it", () =>
    Effect.gen(function* () {
      const { now } = yield* invited()
      const { http } = yield* ask({ method: "POST", path: "2.2.1/credentials", token: ours, rawBody: "{" })
      assert.strictEqual(http, 400)
      assert.match((yield* now).lastError ?? "", /^protocol: .*refused with HTTP 400: .*not JSON/)
    }).pipe(Effect.scoped, room)
  )

  it.live("are taken again after a failure, which clears the error", () =>
    Effect.gen(function* () {
      const { now, send } = yield* invited()
      yield* send("POST", ours, {})
      assert.isNotNull((yield* now).lastError)
      assert.strictEqual((yield* send("POST", ours)).code, 1000)
      assert.isNull((yield* now).lastError)
    }).pipe(Effect.scoped, room)
  )

  it.live("are refused with 405 in the wrong state, and 401 with a dead token", () =>
    Effect.gen(function* () {
      const { send } = yield* invited()
      assert.strictEqual((yield* send("PUT", ours)).http, 405)
      assert.strictEqual((yield* send("DELETE", ours)).http, 405)
      assert.strictEqual((yield* send("PATCH", ours)).http, 405)
      const { json } = yield* send("POST", ours)
      assert.strictEqual((yield* send("POST", json.data.token)).http, 405)
      assert.strictEqual((yield* send("POST", ours)).http, 401)
      assert.strictEqual((yield* send("DELETE", json.data.token)).code, 1000)
      assert.strictEqual((yield* send("DELETE", json.data.token)).http, 401)
    }).pipe(Effect.scoped, room)
  )

  it.live("renew by PUT; one that fails leaves the old tokens in force", () =>
    Effect.gen(function* () {
      const { credentials, now, send, slots } = yield* invited()
      const tokenC = (yield* send("POST", ours)).json.data.token
      const failed = yield* send("PUT", tokenC, { ...credentials, url: nobody })
      assert.strictEqual(failed.code, 3001)
      assert.strictEqual((yield* now).registration, "registered")
      assert.match((yield* now).lastError ?? "", /^network: the partner's PUT credentials/)
      const renewed = yield* send("PUT", tokenC)
      assert.strictEqual(renewed.code, 1000)
      assert.notStrictEqual(renewed.json.data.token, tokenC)
      assert.isNull((yield* now).lastError)
      assert.strictEqual((yield* ask({ path: "versions", token: tokenC })).http, 200)
      assert.strictEqual((yield* ask({ path: "versions", token: renewed.json.data.token })).http, 200)
      assert.strictEqual((yield* ask({ path: "versions", token: tokenC })).http, 401)
      assert.deepStrictEqual(yield* slots, [
        "dead tokenC",
        "issued tokenC",
        "outbound tokenB",
        "returned tokenB"
      ])
    }).pipe(Effect.scoped, room)
  )

  it.live("are known when the partner goes on with a token that is dead, and refused all the same", () =>
    Effect.gen(function* () {
      const { id, send } = yield* invited()
      const store = yield* PartyStore
      const { json } = yield* send("POST", ours)
      assert.strictEqual((yield* send("DELETE", json.data.token)).code, 1000)
      const before = yield* store.head(id)
      assert.strictEqual((yield* ask({ path: "2.2.1/locations", token: json.data.token })).http, 401)
      // It is recorded a random while after the answer.
      yield* Effect.repeat(store.head(id), {
        until: (head) => head > before,
        schedule: Schedule.spaced("20 millis")
      })
      const [call, ...others] = yield* store.inboundAfter(id, before, 10)
      assert.isEmpty(others)
      assert.strictEqual(call?.exchange.module, "locations")
      assert.strictEqual(call?.exchange.response?.httpStatus, 401)
      assert.match(call?.exchange.request.headers["authorization"] ?? "", /^Token base64\(«tokenC:/)
      assert.notInclude(JSON.stringify(call), json.data.token)
    }).pipe(Effect.scoped, room)
  )

  it.live("go over to another version by PUT to that version's endpoint", () =>
    Effect.gen(function* () {
      const { now, send } = yield* invited((url) => ({
        "GET /versions": {
          body: ok([
            { version: "2.2.1", url: `${url}/details` },
            { version: "2.3.0", url: `${url}/newer` }
          ])
        },
        "GET /newer": {
          body: ok({
            version: "2.3.0",
            endpoints: [
              { identifier: "credentials", role: "SENDER", url: `${url}/newer/credentials` },
              { identifier: "locations", role: "SENDER", url: `${url}/newer/locations` }
            ]
          })
        }
      }))
      const tokenC = (yield* send("POST", ours)).json.data.token
      assert.strictEqual((yield* send("POST", tokenC, undefined, "2.3.0")).code, 3002)
      const moved = yield* send("PUT", tokenC, undefined, "2.3.0")
      assert.strictEqual(moved.code, 1000, JSON.stringify(moved.json))
      const party = yield* now
      assert.strictEqual(party.version, "2.3.0")
      assert.isTrue(party.counterpart.endpoints.every(({ url }) => url.includes("/newer/")))
      const token = moved.json.data.token
      assert.strictEqual((yield* ask({ path: "2.3.0/tokens", token })).http, 200)
      assert.strictEqual((yield* ask({ path: "2.2.1/tokens", token })).http, 404)
    }).pipe(Effect.scoped, room)
  )

  it.live("are taken wrapped in a list, from one that never looked at our versions, and both is noted", () =>
    Effect.gen(function* () {
      const { credentials, now, send } = yield* invited()
      assert.strictEqual((yield* send("POST", ours, [credentials])).code, 1000)
      const noted = (yield* now).dialect.deviations.join("; ")
      assert.match(noted, /wrapped in a list/)
      assert.match(noted, /never fetched our versions before it registered/)
    }).pipe(Effect.scoped, room)
  )

  it.live("come from one of whose many calls the first are forgotten: nothing is said of our versions", () =>
    Effect.gen(function* () {
      const { now, send } = yield* invited()
      const store = yield* PartyStore
      const { id } = yield* now
      for (let n = 0; n < 150; n++) yield* store.record(id, exchange(`before${n}`))
      assert.strictEqual((yield* send("POST", ours)).code, 1000)
      assert.deepStrictEqual((yield* now).dialect.deviations, [])
    }).pipe(Effect.scoped, room)
  )

  it.live("of two POSTs with one Token A register one", () =>
    Effect.gen(function* () {
      const { now, send } = yield* invited()
      const both = yield* Effect.all([send("POST", ours), send("POST", ours)], { concurrency: 2 })
      assert.deepStrictEqual(both.map(({ http }) => http).sort(), [200, 405])
      assert.strictEqual((yield* now).registration, "registered")
    }).pipe(Effect.scoped, room)
  )

  it.live("a POST that is overtaken while it is read is no renewal: Token A has registered somebody", () =>
    Effect.gen(function* () {
      const { now, send } = yield* invited()
      const store = yield* PartyStore
      const { find } = store
      const [reached, go] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      let holds = true
      // The first look at the party while its POST is open, and only that one, takes its time.
      const slow: PartyStore["Type"]["find"] = (id) =>
        Effect.gen(function* () {
          const found = yield* find(id)
          if (!holds || Option.getOrUndefined(found)?.open?.state !== "answering") return found
          holds = false
          yield* Deferred.succeed(reached, undefined)
          yield* Deferred.await(go)
          return yield* find(id)
        })
      Object.assign(store, { find: slow })
      const overtaken = yield* Effect.fork(send("POST", ours))
      yield* Deferred.await(reached)
      const first = yield* send("POST", ours)
      assert.strictEqual(first.code, 1000)
      yield* Deferred.succeed(go, undefined)
      assert.strictEqual((yield* Fiber.join(overtaken)).http, 405)
      assert.strictEqual((yield* ask({ path: "versions", token: first.json.data.token })).http, 200)
      assert.strictEqual((yield* now).registration, "registered")
    }).pipe(Effect.scoped, room)
  )
})

describe("an invitation of ours", () => {
  /** A party that may invite, and what may be done with its invitation. */
  const inviting = (registered = false) =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const { invite } = yield* Handshake
      const party = partyWith({ id: "conn_1", role: "EMSP" }, registered)
      yield* store.insert(party, [])
      return {
        issue: Effect.map(invite(party.id), (issued) => Redacted.value(Option.getOrThrow(issued).token)),
        invite: invite(party.id),
        now: Effect.map(store.find(party.id), Option.getOrThrow)
      }
    })

  it.effect("opens versions and credentials, and nothing else", () =>
    Effect.gen(function* () {
      const token = yield* (yield* inviting()).issue
      assert.strictEqual((yield* ask({ path: "versions", token })).http, 200)
      assert.strictEqual((yield* ask({ path: "2.2.1/tokens", token })).http, 401)
    }).pipe(room)
  )

  it.effect("replaces the one before", () =>
    Effect.gen(function* () {
      const { issue } = yield* inviting()
      const first = yield* issue
      const second = yield* issue
      assert.strictEqual((yield* ask({ path: "versions", token: first })).http, 401)
      assert.strictEqual((yield* ask({ path: "versions", token: second })).http, 200)
    }).pipe(room)
  )

  it.effect("expires after a week, and who comes too late is told of to the owner", () =>
    Effect.gen(function* () {
      const { issue, now } = yield* inviting()
      const token = yield* issue
      yield* TestClock.adjust("6 days")
      assert.strictEqual((yield* ask({ path: "versions", token })).http, 200)
      yield* TestClock.adjust("2 days")
      assert.strictEqual((yield* ask({ path: "versions", token })).http, 401)
      assert.match((yield* now).lastError ?? "", /^auth: .*invitation that expired at 1970-01-08/)
    }).pipe(room)
  )

  it.effect("is not issued to somebody who is registered", () =>
    Effect.gen(function* () {
      assert.isTrue(Option.isNone(yield* (yield* inviting(true)).invite))
    }).pipe(room)
  )
})
