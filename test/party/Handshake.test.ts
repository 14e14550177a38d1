import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option } from "effect"
import { PartyId } from "../../schema/Ids.ts"
import { Handshake } from "../../src/party/registration/Handshake.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../src/store/parties/PartyStoreMemory.ts"
import { partyWith, roomLayer, tokenOf } from "../support/parties/parties.ts"
import { ok, type Script, scripted, tokenA } from "./support/scriptedPartner.ts"

const handshakeWith = (
  change: (url: string) => Record<string, Script>,
  accepts?: ReadonlyArray<string>,
  path = "/versions"
) =>
  Effect.gen(function* () {
    const { url } = yield* scripted(change, accepts)
    const store = yield* PartyStore
    const handshake = yield* Handshake
    const counterpart = { role: "CPO", versionsUrl: `${url}${path}`, endpoints: [], parties: null } as const
    const party = partyWith({ id: "conn_1", role: "EMSP", counterpart }, false)
    yield* store.insert(party, [tokenOf("outbound", "tokenA", tokenA)])
    const result = yield* handshake.run(party.id)
    if ("gone" in result) return yield* Effect.dieMessage(result.error)
    const slots = (yield* store.tokens(party.id)).map(({ name, slot }) => `${slot} ${name}`).sort()
    return { result, slots, error: result.ok ? "" : result.error }
  }).pipe(Effect.scoped, Effect.provide(roomLayer("http://127.0.0.1:9")))

describe("Handshake", () => {
  it.live("ends a registration that the partner knows no more: our stop came before we had noted it", () =>
    Effect.gen(function* () {
      const { url } = yield* scripted(() => ({ "DELETE /credentials/": { http: 401, body: {} } }))
      const store = yield* PartyStore
      const endpoints = [{ identifier: "credentials", role: "SENDER", url: `${url}/credentials/` }] as const
      const counterpart = { role: "CPO", versionsUrl: `${url}/versions`, endpoints, parties: null } as const
      const party = partyWith({ id: "conn_1", role: "EMSP", counterpart })
      yield* store.insert(party, [tokenOf("outbound", "tokenC", tokenA)])
      const { message, told } = yield* (yield* Handshake).unregister(party.id)
      assert.isTrue(told)
      assert.match(message, /no registration left/)
      assert.isEmpty((yield* store.tokens(party.id)).filter(({ slot }) => slot !== "dead"))
    }).pipe(Effect.scoped, Effect.provide(roomLayer("http://127.0.0.1:9")))
  )
  it.live("does nothing where it may not begin", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const party = partyWith({ id: "conn_1", role: "EMSP" })
      yield* store.insert(party, [tokenOf("outbound", "tokenC", tokenA)])
      const refused = yield* (yield* Handshake).run(party.id, { begins: () => Effect.succeedNone })
      if (refused.ok || "gone" in refused) return assert.fail("it has begun")
      assert.isTrue(refused.busy)
      assert.strictEqual(yield* store.head(party.id), 0)
      assert.isUndefined(refused.party.open ?? undefined)
    }).pipe(Effect.provide(roomLayer("http://127.0.0.1:9")))
  )
  it.live("says that the party is gone when it was removed before it could begin", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const handshake = yield* Handshake
      const id = PartyId.make("conn_1")
      const removedFirst = {
        begins: <A>(begin: Effect.Effect<A>) => Effect.zipRight(store.remove(id), begin)
      }
      const insert = store.insert(partyWith({ id, role: "EMSP" }), [tokenOf("outbound", "tokenC", tokenA)])
      yield* insert
      assert.deepInclude(yield* handshake.unregister(id, removedFirst), { told: false, gone: true })
      yield* insert
      assert.deepInclude(yield* handshake.run(id, removedFirst), { ok: false, gone: true })
    }).pipe(Effect.provide(roomLayer("http://127.0.0.1:9")))
  )
  it.live("is ending until it is gone, when it is removed: in between nothing else could begin", () => {
    const states: Array<string | undefined> = []
    const watched = Layer.map(PartyStoreMemory, (context) => {
      const store = Context.get(context, PartyStore)
      const update: typeof store.update = (id, change, tokens) =>
        Effect.tap(store.update(id, change, tokens), (found) =>
          states.push(Option.getOrUndefined(found)?.open?.state)
        )
      return Context.make(PartyStore, PartyStore.of({ ...store, update }))
    })
    return Effect.gen(function* () {
      const { url } = yield* scripted(() => ({ "DELETE /credentials/": { body: ok(null) } }))
      const store = yield* PartyStore
      const endpoints = [{ identifier: "credentials", role: "SENDER", url: `${url}/credentials/` }] as const
      const counterpart = { role: "CPO", versionsUrl: `${url}/versions`, endpoints, parties: null } as const
      const party = partyWith({ id: "conn_1", role: "EMSP", counterpart })
      yield* store.insert(party, [tokenOf("outbound", "tokenC", tokenA)])
      const { told } = yield* (yield* Handshake).unregister(party.id, { removes: true })
      assert.isTrue(told)
      assert.isTrue(Option.isNone(yield* store.find(party.id)))
      assert.isNotEmpty(states)
      for (const state of states) assert.strictEqual(state, "ending")
    }).pipe(Effect.scoped, Effect.provide(roomLayer("http://127.0.0.1:9", undefined, watched)))
  })
  it.live("registers with an honest partner and notes how its URLs end", () =>
    Effect.gen(function* () {
      const { error, result, slots } = yield* handshakeWith(() => ({}))
      assert.strictEqual(error, "")
      assert.isFalse(result.party.dialect.trailingSlash, "object URLs of OCPI have no slash at their end")
      assert.deepStrictEqual(slots, ["issued tokenB", "outbound tokenC", "returned tokenC"])
    })
  )
  it.live("tries the other token form once on 401, and stores it as a deviation", () =>
    Effect.gen(function* () {
      const { error, result } = yield* handshakeWith(() => ({}), [tokenA])
      assert.strictEqual(error, "")
      assert.strictEqual(result.party.dialect.tokenEncoding.outbound, "raw")
      assert.match(result.party.dialect.deviations.join(), /raw form/)
    })
  )
  it.live("registers although roles are missing, and says so", () =>
    Effect.gen(function* () {
      const { error, result } = yield* handshakeWith(() => ({
        "POST /credentials/": { body: ok({ token: "their-token-C-0123456789" }) }
      }))
      assert.strictEqual(error, "")
      assert.match(result.party.dialect.deviations.join(), /without the partner's roles/)
    })
  )
  it.live("gives each failure its class, drops the pending token and keeps Token A", () =>
    Effect.gen(function* () {
      const failures: ReadonlyArray<readonly [Record<string, Script>, RegExp]> = [
        [
          { "GET /versions": { type: "text/html", body: "<html>hi</html>" } },
          /^protocol: GET versions .*HTML/
        ],
        [{ "GET /versions": { body: [{ version: "2.2.1" }] } }, /^protocol: GET versions .*envelope/],
        [{ "GET /versions": { http: 404, body: {} } }, /^config: GET versions answered 404/],
        [
          { "GET /versions": { body: ok([{ version: "2.1.1", url: "http://x" }]) } },
          /^unsupported: .*offers 2\.1\.1/
        ],
        [
          { "GET /details": { http: 404, body: "" } },
          /^protocol: GET version details answered 404 at http\S+\/details, where the partner's versions list leads; the partner has to serve that URL, or to name the right one$/
        ],
        [
          { "POST /credentials/": { http: 404, body: "" } },
          /^protocol: POST credentials answered 404 at http\S+\/credentials\/, where the credentials endpoint of its version details leads;/
        ],
        [{ "GET /details": { http: 500, body: "oops" } }, /^protocol: GET version details answered HTTP 500/],
        [
          {
            "GET /details": {
              body: ok(["credentials", "locations"].map((identifier) => ({ identifier, url: "http://x" })))
            }
          },
          /^protocol: GET version details answered with a list of objects with the fields identifier, url; data must be an object with version and a list of endpoints$/
        ],
        [
          { "GET /details": { body: ok({ version: "2.2.1", endpoints: "none" }) } },
          /^protocol: GET version details answered with endpoints "none", which is no list; data must be/
        ],
        [
          { "GET /details": { body: ok({ version: "2.2.1", endpoints: [] }) } },
          /^unsupported: .*credentials/
        ],
        [
          { "POST /credentials/": { http: 302, headers: { location: "/else" }, body: "" } },
          /^protocol: POST credentials answered 302/
        ],
        [{ "POST /credentials/": { http: 405, body: {} } }, /^protocol: POST credentials answered 405/],
        [
          {
            "POST /credentials/": {
              http: 422,
              body: { detail: [{ loc: ["body", "roles", 0, "business_details"], msg: "Field required" }] }
            }
          },
          /^protocol: POST credentials answered HTTP 422; the partner says: "body\.roles\.0\.business_details: Field required"$/
        ],
        [
          { "GET /details": { http: 403, body: { detail: "Token expired" } } },
          /^auth: GET version details answered 403; the partner says: "Token expired"; likely, in this order: the token is known .*; or a gateway/
        ],
        [
          { "GET /details": { http: 403, body: "<html><head><title>Request blocked</title></head></html>" } },
          /^auth: GET version details answered 403; the partner says: "Request blocked"; likely, in this order: a gateway, .*; or the token is known/
        ],
        [
          { "POST /credentials/": { http: 400, body: { ...ok(null), status_code: 2000 } } },
          /^protocol: POST credentials answered HTTP 400 with OCPI status 2000.*no call back .*has come.*reach.*Token A, ask it for a new one/
        ],
        [
          { "POST /credentials/": { body: { ...ok(null), status_code: 3001 } } },
          /^config: POST credentials .*3001.*reach/
        ],
        [
          { "POST /credentials/": { body: { ...ok(null), status_code: "3001" } } },
          /^config: POST credentials .*3001.*reach/
        ],
        [
          { "POST /credentials/": { body: { ...ok({}), status_code: "fine" } } },
          /^protocol: .*status_code "fine"/
        ],
        [{ "POST /credentials/": { body: ok({}) } }, /^protocol: POST credentials answered without a token/],
        [
          { "POST /credentials/": { body: ok({ token: "t".repeat(1_000_000) }) } },
          /^protocol: POST credentials answered with a token of 1000000 characters/
        ]
      ]
      for (const [change, expected] of failures) {
        const { error, result, slots } = yield* handshakeWith(() => change)
        assert.match(error, expected)
        assert.strictEqual(result.party.registration, "none")
        assert.deepStrictEqual(slots, ["outbound tokenA"])
      }
    })
  )
  it.live("names what it found at a URL that is no versions URL, and the next step", () =>
    Effect.gen(function* () {
      const step = "partnerBaseUrl must be the partner's versions URL, which usually ends in /versions"
      const found: ReadonlyArray<readonly [Script | undefined, string]> = [
        [
          { body: ok({ version: "2.2.1", endpoints: [] }) },
          `config: GET versions answered with the details of version 2.2.1, not with a list of versions; ${step}`
        ],
        [
          { body: ok({ token: tokenA, roles: [] }) },
          `protocol: GET versions answered with an object with the fields token, roles, not with a list of versions; ${step}`
        ],
        [
          { body: ok([{ id: "LOC1", publish: true }]) },
          `protocol: GET versions answered with a list of objects with the fields id, publish, not with a list of versions; ${step}`
        ],
        [
          { body: ok(null) },
          `protocol: GET versions answered with no data, not with a list of versions; ${step}`
        ],
        [
          { body: ok([]) },
          "protocol: GET versions answered with an empty list, not with a list of versions; the partner must list the versions that it offers"
        ],
        [
          { body: ok([{ version_number: "2.2.1", url: "http://x" }]) },
          "protocol: GET versions answered with a list of objects with the fields version_number, url, not with a list of versions; each entry must have version and url, by these names"
        ],
        [
          { body: ok([{ identifier: "locations", url: "http://x" }]) },
          `protocol: GET versions answered with a list of objects with the fields identifier, url, not with a list of versions; ${step}`
        ],
        [
          { type: "text/html", body: "<html>Welcome</html>" },
          `protocol: GET versions answered an HTML page instead of JSON; ${step}`
        ],
        [
          { type: "application/json", body: '{"data": [' },
          `protocol: GET versions answered a body that is not valid JSON, although its type is application/json; ${step}`
        ],
        [
          { type: "text/plain", body: "hello" },
          `protocol: GET versions answered text/plain instead of JSON; ${step}`
        ],
        [undefined, `config: GET versions answered 404; check the URL; ${step}`]
      ]
      for (const [script, expected] of found) {
        const { error } = yield* handshakeWith(
          () => (script === undefined ? {} : { "GET /ocpi": script }),
          undefined,
          "/ocpi"
        )
        assert.strictEqual(error, expected)
      }
    })
  )
  it.live("calls a partner that is not there a network matter", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      const handshake = yield* Handshake
      const counterpart = {
        role: "CPO",
        versionsUrl: "http://127.0.0.1:9999/versions",
        endpoints: [],
        parties: null
      } as const
      const party = partyWith({ id: "conn_1", role: "EMSP", counterpart }, false)
      yield* store.insert(party, [tokenOf("outbound", "tokenA", tokenA)])
      const result = yield* handshake.run(party.id)
      assert.match(result.ok ? "" : result.error, /^network: GET versions/)
    }).pipe(Effect.provide(roomLayer("http://127.0.0.1:9")))
  )
})
