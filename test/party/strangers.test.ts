/** Who comes with a token that is not his, or asks for what is of another connection, gets nothing and leaves nothing. */
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { PartnerCalls } from "../../src/party/outbound/PartnerCalls.ts"
import { retireToken, takeToken } from "../../src/party/wire/tokenSlots.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { disguisesOf } from "../contracts/disguises.ts"
import { location, session, tariff } from "../support/ocpi/objects.ts"
import { ask, base64, partyWith, roomLayer, tokenOf } from "../support/parties/parties.ts"
import { tried } from "../support/tried.ts"

/** Two connections on which we are the EMSP, one that is invited, and a sandbox partner, under tokens of their own. */
const people = (name: string) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const tokenFor = (who: string) => `of-${who}-${name}-0123456789`
    const mine = partyWith({ id: `mine_${name}`, role: "EMSP" })
    const theirs = partyWith({ id: `theirs_${name}`, role: "EMSP" })
    const invited = partyWith({ id: `invited_${name}`, role: "EMSP" }, false)
    const sandbox = partyWith({ id: `sbx_${name}`, role: "EMSP", kind: "sandbox" })
    for (const [party, who] of [
      [mine, "mine"],
      [theirs, "theirs"],
      [sandbox, "sandbox"]
    ] as const) {
      yield* store.insert(party, [tokenOf("issued", "tokenC", tokenFor(who))])
    }
    yield* store.insert(invited, [tokenOf("issued", "tokenA", tokenFor("invited"))])
    const kept = Effect.gen(function* () {
      const counts: Array<number> = []
      for (const { id } of [mine, theirs, invited, sandbox]) {
        for (const module of ["locations", "sessions", "cdrs", "tariffs", "tokens"]) {
          const { items } = yield* store.objects(id, module, "received", { offset: 0, limit: 100 })
          counts.push(items.length)
        }
      }
      return counts
    })
    return { store, mine, theirs, tokenFor, kept }
  })

const puts = [
  ["locations/DE/CPO/LOC1", location()],
  ["sessions/DE/CPO/S1", session()],
  ["tariffs/DE/CPO/T1", tariff()]
] as const

layer(roomLayer("http://ours.test"))("a stranger", (it) => {
  it.effect(
    "with a token that is unknown, a sandbox partner's, or only good to register with stores nothing",
    () =>
      Effect.gen(function* () {
        const { kept, tokenFor } = yield* people("unknown")
        const before = yield* kept
        const real = tokenFor("mine")
        const wrong = [
          "never-issued-0123456789",
          tokenFor("sandbox"),
          tokenFor("invited"),
          `${real} `.repeat(2),
          real.toUpperCase(),
          real.slice(0, -1),
          base64(base64(real)),
          `${real}\u0000`,
          "%",
          "' OR '1'='1"
        ]
        const headers = wrong.flatMap((token) => [
          `Token ${token}`,
          `Token ${base64(token)}`,
          `token  ${token}`
        ])
        const methods = ["GET", "PUT", "PATCH", "DELETE"]
        for (const authorization of headers) {
          for (const [path, body] of puts) {
            for (const method of methods) {
              const answer = yield* ask({ path: `2.2.1/${path}`, method, body, headers: { authorization } })
              assert.strictEqual(answer.http, 401, `${method} ${path} ${authorization}`)
              assert.isNumber(answer.code)
            }
          }
        }
        assert.deepStrictEqual(yield* kept, before)
        const each = puts.length * methods.length
        tried("B26", [`${headers.length} tokens`, `${each} requests each`], "all 401")
      })
  )

  it.effect(
    "gets nowhere with a token that is over, or one that the partner issued, however it is dressed up",
    () =>
      Effect.gen(function* () {
        const store = yield* PartyStore
        const party = partyWith({ id: "over", role: "EMSP" })
        const valueOf = (what: string) => `plugfest-${what}-0123456789abcdef`
        yield* store.insert(party, [tokenOf("issued", "tokenA", valueOf("usedA"))])
        // As a registration with our Token A, and a renewal after it, leave them.
        yield* retireToken(party.id, tokenOf("issued", "tokenA", valueOf("usedA")))
        yield* store.putToken(party.id, "issued", tokenOf("issued", "tokenC", valueOf("formerC")))
        yield* takeToken(party.id, tokenOf("outbound", "tokenB", valueOf("theirs")))
        yield* retireToken(party.id, tokenOf("issued", "tokenC", valueOf("formerC")))
        yield* store.putToken(party.id, "issued", tokenOf("issued", "tokenC", valueOf("good")))
        const before = yield* store.find(party.id)
        const credentials = {
          token: "stolen-0123456789",
          url: "http://evil.test/versions",
          roles: [{ role: "CPO", party_id: "CPO", country_code: "DE", business_details: { name: "x" } }]
        }
        const acts = [
          ["PUT", "2.2.1/locations/DE/CPO/LOC1", location()],
          ["PUT", "2.2.1/credentials", credentials],
          ["DELETE", "2.2.1/credentials", undefined],
          ["GET", "2.2.1/credentials", undefined]
        ] as const
        const tokens = ["usedA", "formerC", "theirs"].flatMap((what) => [
          valueOf(what),
          ...disguisesOf(valueOf(what))
        ])
        let calls = 0
        for (const [at, token] of tokens.entries()) {
          for (const form of [token, base64(token)]) {
            const [method, path, body] = acts[at % acts.length]!
            const headers = { authorization: `Token ${form}` }
            const answer = yield* ask({ path, method, body, headers })
            assert.strictEqual(answer.http, 401, `${method} ${path} ${JSON.stringify(token)}`)
            calls += 1
          }
        }
        // The owner is told who comes; nothing else has changed.
        const { dialect: _, lastError, ...after } = Option.getOrThrow(yield* store.find(party.id))
        const { dialect: __, ...unchanged } = Option.getOrThrow(before)
        assert.deepStrictEqual(after, unchanged)
        assert.match(String(lastError), /the token that you issued/)
        const page = { offset: 0, limit: 9 }
        assert.lengthOf((yield* store.objects(party.id, "locations", "received", page)).items, 0)
        const good = { path: "2.2.1/locations/DE/CPO/LOC1", method: "PUT", body: location() }
        assert.strictEqual((yield* ask({ ...good, token: valueOf("good") })).http, 201)
        tried("B26", [`${calls} calls`], "all 401")
      }),
    60_000
  )

  it.effect("is every partner to another: what one has put there the other neither sees nor changes", () =>
    Effect.gen(function* () {
      const { mine, store, theirs, tokenFor } = yield* people("crossing")
      for (const [path, body] of puts) {
        const put = yield* ask({ path: `2.2.1/${path}`, method: "PUT", token: tokenFor("mine"), body })
        assert.include([200, 201], put.http, JSON.stringify(put.json))
        const again = yield* ask({ path: `2.2.1/${path}`, method: "PUT", token: tokenFor("mine"), body })
        assert.strictEqual(again.http, 200, "the same once more changes nothing")
        const seen = yield* ask({ path: `2.2.1/${path}`, token: tokenFor("theirs") })
        assert.strictEqual(seen.http, 404, path)
        assert.isUndefined(seen.json.data)
        const change = { last_updated: "2030-01-01T00:00:00Z", name: "theirs" }
        const patched = yield* ask({
          path: `2.2.1/${path}`,
          method: "PATCH",
          token: tokenFor("theirs"),
          body: change
        })
        assert.notStrictEqual(patched.code, 1000, path)
        const module = path.split("/")[0]!
        const found = yield* store.objects(mine.id, module, "received", { offset: 0, limit: 10 })
        assert.lengthOf(found.items, 1)
        assert.notInclude(JSON.stringify(found.items), "theirs")
        const other = yield* store.objects(theirs.id, module, "received", { offset: 0, limit: 10 })
        assert.lengthOf(other.items, 0)
      }
    })
  )

  it.effect("who guesses where a result is awaited reaches nobody's command but his own", () =>
    Effect.gen(function* () {
      const { mine, tokenFor } = yield* people("guessing")
      const calls = yield* PartnerCalls
      const url = yield* calls.expectResult(mine, "START_SESSION", "run_1.command")
      const awaited = url.slice(url.indexOf("/ocpi/") + "/ocpi/".length)
      const send = (path: string, token: string) =>
        ask({ path, method: "POST", token, body: { result: "ACCEPTED" } })
      const guesses = [
        [awaited, tokenFor("theirs"), 404],
        [awaited, "never-issued-0123456789", 401],
        [awaited, tokenFor("sandbox"), 401],
        [awaited.replace("run_1", "run_2"), tokenFor("mine"), 404],
        [awaited.replace("START_SESSION", "STOP_SESSION"), tokenFor("mine"), 404],
        [awaited.replace("run_1.command", "x"), tokenFor("theirs"), 404]
      ] as const
      for (const [path, token, http] of guesses) {
        assert.strictEqual((yield* send(path, token)).http, http, path)
        assert.deepStrictEqual(yield* calls.results(mine.id, "run_1.command"), [])
      }
      assert.strictEqual((yield* send(awaited, tokenFor("mine"))).http, 200)
      assert.lengthOf(yield* calls.results(mine.id, "run_1.command"), 1)
      tried("B27", [`${guesses.length} guesses`], "none reached a command")
    })
  )
})
