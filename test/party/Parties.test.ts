import { assert, describe, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { overriddenBy } from "../../src/party/wire/dialect.ts"
import { forgetAfterDelete } from "../../src/party/wire/tokenSlots.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { cdr, connector, evse, location, period, session, tariff, token } from "../support/ocpi/objects.ts"
import { ask, base64, own, partyWith, roomLayer, tokenOf } from "../support/parties/parties.ts"

/** A registered party of each role, and one that waits with Token A; each under tokens of its own. */
const people = (name: string) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const emsp = partyWith({ id: `emsp_${name}`, role: "EMSP" })
    const cpo = partyWith({ id: `cpo_${name}`, role: "CPO" })
    const invited = partyWith({ id: `invited_${name}`, role: "CPO" }, false)
    const sandbox = partyWith({ id: `sbx_${name}`, role: "CPO", kind: "sandbox" })
    yield* store.insert(emsp, [tokenOf("issued", "tokenC", `of-emsp-${name}-0123456789`)])
    yield* store.insert(cpo, [tokenOf("issued", "tokenC", `of-cpo-${name}-0123456789`)])
    yield* store.insert(invited, [tokenOf("issued", "tokenA", `of-invited-${name}-0123456789`)])
    yield* store.insert(sandbox, [tokenOf("issued", "tokenC", `of-sandbox-${name}-0123456789`)])
    const tokens = {
      emsp: `of-emsp-${name}-0123456789`,
      cpo: `of-cpo-${name}-0123456789`,
      invited: `of-invited-${name}-0123456789`,
      sandbox: `of-sandbox-${name}-0123456789`
    }
    return { store, emsp, cpo, invited, sandbox, tokens }
  })

describe("Parties", () => {
  layer(roomLayer("http://ours.test"))("discovery", (it) => {
    it.effect("shows all versions to whoever comes without a token, and ignores a bearer key", () =>
      Effect.gen(function* () {
        for (const headers of [{}, { authorization: "Bearer some-key" }]) {
          const { http, json } = yield* ask({ path: "versions/", headers })
          assert.strictEqual(http, 200)
          assert.deepStrictEqual(
            json.data.map(({ version }: { version: string }) => version),
            ["2.1.1", "2.2", "2.2.1", "2.3.0"]
          )
          assert.strictEqual(json.data[2].url, "http://ours.test/ocpi/2.2.1")
        }
      })
    )
    it.effect("lists the interfaces of both roles to a stranger and of one role to a partner", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("details")
        const both = (yield* ask({ path: "2.2.1/" })).json.data.endpoints
        const one = (yield* ask({ path: "2.2.1", token: tokens.emsp })).json.data.endpoints
        const roles = (list: ReadonlyArray<{ identifier: string; role: string }>) =>
          list.filter(({ identifier }) => identifier === "locations").map(({ role }) => role)
        assert.deepStrictEqual(roles(both), ["SENDER", "RECEIVER"])
        assert.deepStrictEqual(roles(one), ["RECEIVER"])
      })
    )
    it.effect("names no roles in a version that has none, and each module once", () =>
      Effect.gen(function* () {
        const { endpoints } = (yield* ask({ path: "2.1.1" })).json.data
        const ids = endpoints.map(({ identifier }: { identifier: string }) => identifier)
        assert.strictEqual(new Set(ids).size, ids.length)
        assert.notProperty(endpoints[0], "role")
      })
    )
    it.effect("needs a token at the root of a sandbox partner", () =>
      Effect.gen(function* () {
        const { sandbox, tokens } = yield* people("sandboxroot")
        const root = { kind: "sandbox", partyId: sandbox.id } as const
        assert.strictEqual((yield* ask({ path: "versions", root })).http, 401)
        assert.strictEqual((yield* ask({ path: "versions", root, token: tokens.cpo })).http, 401)
        assert.strictEqual((yield* ask({ path: "versions", root, token: tokens.sandbox })).http, 200)
        assert.strictEqual((yield* ask({ path: "versions", token: tokens.sandbox })).http, 401)
      })
    )
  })

  layer(roomLayer("http://ours.test"))("the way in", (it) => {
    it.effect("answers by protocol whatever is asked wrongly", () =>
      Effect.gen(function* () {
        const { cpo, tokens } = yield* people("wrong")
        yield* own(cpo, "tariffs", "T1", tariff())
        const { emsp, cpo: cpoToken, invited } = tokens
        const table = [
          { path: "versions", token: "nobody-has-this-one", http: 401, code: 2000 },
          { path: "2.2.1/locations", http: 401, code: 2000 },
          { path: "2.2.1/locations", token: invited, http: 401, code: 2000 },
          { path: "2.2.1/nothing", token: cpoToken, http: 404, code: 2000 },
          { path: "9.9", http: 404, code: 2000 },
          { path: "2.1.1/locations", token: cpoToken, http: 404, code: 2000 },
          { path: "2.2.1/locations", token: cpoToken, method: "POST", http: 405, code: 2000 },
          { path: "2.2.1/locations/DE/CPO/LOC1", token: emsp, method: "DELETE", http: 405, code: 2000 },
          { path: "2.2.1/tariffs/T1", token: cpoToken, http: 404, code: 2000 },
          { path: "2.2.1/locations/LOC9", token: cpoToken, http: 404, code: 2003 },
          { path: "2.2.1/locations/DE/CPO/LOC9", token: emsp, http: 404, code: 2003 },
          { path: "2.2.1/sessions", token: cpoToken, http: 200, code: 2001 },
          { path: "2.2.1/cdrs?limit=0", token: cpoToken, http: 200, code: 2001 },
          { path: "2.2.1/cdrs?offset=-1", token: cpoToken, http: 200, code: 2001 },
          {
            path: "2.2.1/cdrs?date_from=2026-01-01T00:00:00%2B00:00",
            token: cpoToken,
            http: 200,
            code: 2001
          },
          {
            path: "2.2.1/locations/DE/CPO/LOC1",
            token: emsp,
            method: "PUT",
            rawBody: "{",
            http: 400,
            code: 2001
          },
          {
            path: "2.2.1/locations/DE/CPO/LOC1",
            token: emsp,
            method: "PUT",
            rawBody: "\u001f\ufffd\b",
            headers: { "content-encoding": "gzip" },
            http: 415,
            code: 2000
          },
          { path: "2.2.1/locations/DE/CPO/LOC1", token: emsp, method: "PUT", http: 200, code: 2001 },
          {
            path: "2.2.1/locations/DE/CPO/LOC2",
            token: emsp,
            method: "PUT",
            body: location(),
            http: 200,
            code: 2001
          },
          {
            path: "2.2.1/locations/FR/XXX/LOC1",
            token: emsp,
            method: "PUT",
            body: location(),
            http: 404,
            code: 2001
          },
          { path: "2.2.1/credentials", token: cpoToken, method: "POST", body: {}, http: 405, code: 2000 },
          { path: "2.2.1/credentials", token: invited, method: "PUT", body: {}, http: 405, code: 2000 },
          { path: "2.2.1/credentials", token: invited, method: "DELETE", http: 405, code: 2000 },
          { path: "2.2.1/credentials", token: invited, method: "PATCH", body: {}, http: 405, code: 2000 },
          { path: "2.2.1/credentials", token: invited, method: "POST", body: {}, http: 200, code: 2001 },
          { path: "2.2/credentials", token: invited, method: "POST", body: {}, http: 200, code: 3002 }
        ]
        for (const { code, http, ...asked } of table) {
          const answer = yield* ask(asked)
          const what = JSON.stringify(asked)
          assert.strictEqual(answer.http, http, what)
          assert.strictEqual(answer.code, code, what)
          // RFC 9110, 15.5.2 and 15.5.6: no 401 without a challenge, no 405 without what is allowed.
          if (http === 401) assert.strictEqual(answer.headers["www-authenticate"], "Token", what)
          if (http === 405) {
            assert.match(answer.headers["allow"] ?? "", /^GET|^PUT/, what)
            assert.notInclude(answer.headers["allow"]!.split(", "), asked.method, what)
          }
        }
      })
    )
    it.effect("accepts a token in raw and in Base64 form and remembers which one it was", () =>
      Effect.gen(function* () {
        const { emsp, store, tokens } = yield* people("forms")
        const headers = { authorization: `Token ${tokens.emsp}` }
        assert.strictEqual((yield* ask({ path: "versions", headers })).http, 200)
        const { dialect } = (yield* store.find(emsp.id)).pipe(
          (found) => (found as { value: typeof emsp }).value
        )
        assert.strictEqual(dialect.tokenEncoding.inbound, "raw")
        assert.strictEqual(dialect.deviations.length, 1)
      })
    )
    it.effect("serves a token in the form that the caller has not set, and notes it until the end", () =>
      Effect.gen(function* () {
        const { emsp, store, tokens } = yield* people("fixed-forms")
        yield* store.update(emsp.id, (party) => ({
          ...party,
          dialect: overriddenBy(party.dialect, { tokenEncoding: { inbound: "base64" } })
        }))
        const deviations = Effect.map(
          store.find(emsp.id),
          (found) => Option.getOrThrow(found).dialect.deviations
        )
        const raw = { path: "versions", headers: { authorization: `Token ${tokens.emsp}` } }
        for (const asked of [raw, { path: "versions", token: tokens.emsp }, raw])
          assert.strictEqual((yield* ask(asked)).http, 200)
        assert.deepStrictEqual(yield* deviations, [
          "in traffic, sends the token in raw form, the dialect is set to base64"
        ])
        yield* forgetAfterDelete(emsp.id)
        assert.deepStrictEqual(yield* deviations, [])
      })
    )
    it.effect("notes another form of the token than before in calls of its version alone", () =>
      Effect.gen(function* () {
        const { emsp, store, tokens } = yield* people("two-forms")
        yield* ask({ path: "versions", token: tokens.emsp })
        const headers = { authorization: `Token ${tokens.emsp}` }
        const deviationsAfter = (path: string) =>
          Effect.andThen(
            ask({ path, headers }),
            Effect.map(store.find(emsp.id), (found) => Option.getOrThrow(found).dialect.deviations)
          )
        assert.deepStrictEqual(yield* deviationsAfter("versions"), [])
        assert.deepStrictEqual(yield* deviationsAfter("2.1.1/"), [])
        assert.deepStrictEqual(yield* deviationsAfter("2.2.1/"), [
          "in traffic, sends the token in raw form, its first call had the base64 form"
        ])
      })
    )
    it.effect("echoes message ids everywhere, and swaps routing on functional modules only", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("headers")
        const headers = {
          "ocpi-from-country-code": "NL",
          "ocpi-from-party-id": "MSP",
          "ocpi-to-country-code": "DE",
          "ocpi-to-party-id": "CPO"
        }
        const functional = yield* ask({ path: "2.2.1/cdrs", token: tokens.cpo, headers })
        assert.strictEqual(functional.headers["x-request-id"], "request-1")
        assert.strictEqual(functional.headers["x-correlation-id"], "correlation-1")
        assert.strictEqual(functional.headers["ocpi-from-party-id"], "CPO")
        assert.strictEqual(functional.headers["ocpi-to-party-id"], "MSP")
        const configuration = yield* ask({ path: "2.2.1/credentials", token: tokens.cpo, headers })
        assert.notProperty(configuration.headers, "ocpi-from-party-id")
      })
    )
    it.effect("records every call under a known token, scrubbed, before it answers", () =>
      Effect.gen(function* () {
        const { emsp, store, tokens } = yield* people("record")
        yield* ask({
          path: "2.2.1/locations/DE/CPO/LOC1",
          token: tokens.emsp,
          method: "PUT",
          body: { id: "LOC1", hint: tokens.emsp }
        })
        const [inbound] = yield* store.inboundAfter(emsp.id, 0, 10)
        const text = JSON.stringify(inbound)
        assert.strictEqual(inbound?.exchange.operation, "PUT location")
        assert.strictEqual(inbound?.exchange.response?.ocpiStatusCode, 2001)
        assert.notInclude(text, tokens.emsp)
        assert.notInclude(text, base64(tokens.emsp))
      })
    )
  })

  layer(roomLayer("http://ours.test"))("lists", (it) => {
    it.effect("pages with an absolute Link that keeps the filters, to the end", () =>
      Effect.gen(function* () {
        const { cpo, tokens } = yield* people("pages")
        for (const n of [1, 2, 3])
          yield* own(cpo, "cdrs", `CDR${n}`, cdr({ id: `CDR${n}`, last_updated: `2026-01-0${n}T00:00:00Z` }))
        const first = yield* ask({
          path: "2.2.1/cdrs?limit=2&date_from=2026-01-01T00:00:00Z&date_to=2026-01-04T00:00:00Z",
          token: tokens.cpo
        })
        assert.strictEqual(first.json.data.length, 2)
        assert.strictEqual(first.headers["x-total-count"], "3")
        assert.strictEqual(first.headers["x-limit"], "2")
        const link = /^<(http:\/\/ours\.test\/ocpi\/2\.2\.1\/cdrs\?.*)>; rel="next"$/.exec(
          first.headers["link"] ?? ""
        )
        assert.isNotNull(link)
        const next = new URL(link![1]!)
        assert.strictEqual(next.searchParams.get("date_to"), "2026-01-04T00:00:00Z")
        const second = yield* ask({ path: `2.2.1/cdrs${next.search}`, token: tokens.cpo })
        assert.deepStrictEqual(
          second.json.data.map(({ id }: { id: string }) => id),
          ["CDR3"]
        )
        assert.notProperty(second.headers, "link")
      })
    )
    it.effect("includes date_from and excludes date_to, and caps the page", () =>
      Effect.gen(function* () {
        const { cpo, tokens } = yield* people("dates")
        for (const n of [1, 2, 3])
          yield* own(cpo, "cdrs", `CDR${n}`, cdr({ id: `CDR${n}`, last_updated: `2026-01-0${n}T00:00:00Z` }))
        const { headers, json } = yield* ask({
          path: "2.2.1/cdrs?limit=1000&date_from=2026-01-02T00:00:00Z&date_to=2026-01-03T00:00:00Z",
          token: tokens.cpo
        })
        assert.strictEqual(headers["x-limit"], "50")
        assert.deepStrictEqual(
          json.data.map(({ id }: { id: string }) => id),
          ["CDR2"]
        )
      })
    )
  })

  layer(roomLayer("http://ours.test"))("what partners push", (it) => {
    it.effect("creates with 201, replaces with 200, keeps unknown fields, and finds ids in any case", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("put")
        const path = "2.2.1/locations/DE/CPO/LOC1"
        const put = { path, token: tokens.emsp, method: "PUT", body: location({ extra: 1 }) }
        assert.strictEqual((yield* ask(put)).http, 201)
        assert.strictEqual((yield* ask(put)).http, 200)
        const read = yield* ask({ path: "2.2.1/locations/de/cpo/loc1", token: tokens.emsp })
        assert.strictEqual(read.json.data.extra, 1)
      })
    )
    it.effect("merges a PATCH, and refuses one without last_updated", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("patch")
        const path = "2.2.1/locations/DE/CPO/LOC1"
        yield* ask({ path, token: tokens.emsp, method: "PUT", body: location() })
        const patch = (body: unknown) => ask({ path, token: tokens.emsp, method: "PATCH", body })
        assert.strictEqual((yield* patch({ name: "New" })).code, 2001)
        assert.strictEqual((yield* patch({ publish: 3, last_updated: "2026-01-02T00:00:00Z" })).code, 2001)
        assert.strictEqual((yield* patch({ name: "New", last_updated: "2026-01-02T00:00:00Z" })).code, 1000)
        const { data } = (yield* ask({ path, token: tokens.emsp })).json
        assert.strictEqual(data.name, "New")
        assert.strictEqual(data.city, "Berlin")
      })
    )
    it.effect("moves last_updated of the parents on when an EVSE or a connector changes", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("parents")
        const path = "2.2.1/locations/DE/CPO/LOC1"
        const call = (method: string, below: string, body?: unknown) =>
          ask({ path: `${path}${below}`, token: tokens.emsp, method, body })
        yield* call("PUT", "", location())
        const status = { status: "CHARGING", last_updated: "2026-01-02T00:00:00Z" }
        assert.strictEqual((yield* call("PATCH", "/EVSE-1", status)).code, 1000)
        const later = connector({ max_amperage: 32, last_updated: "2026-01-03T00:00:00Z" })
        assert.strictEqual((yield* call("PUT", "/EVSE-1/1", later)).http, 200)
        const { data } = (yield* call("GET", "")).json
        assert.strictEqual(data.last_updated, "2026-01-03T00:00:00Z")
        assert.strictEqual(data.evses[0].last_updated, "2026-01-03T00:00:00Z")
        assert.strictEqual(data.evses[0].status, "CHARGING")
        assert.strictEqual(data.evses[0].connectors[0].max_amperage, 32)
        assert.strictEqual((yield* call("PUT", "/EVSE-2", evse({ uid: "EVSE-2" }))).http, 201)
        assert.strictEqual((yield* call("PUT", "/EVSE-3", evse())).code, 2001)
        assert.strictEqual((yield* call("GET", "/EVSE-1/1")).json.data.id, "1")
        assert.strictEqual((yield* call("PATCH", "/EVSE-9", status)).http, 404)
      })
    )
    it.effect("says what has to come before a change of an object that was not PUT", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("unknown")
        const path = "2.2.1/locations/DE/CPO/LOC1"
        const body = { status: "CHARGING", last_updated: "2026-01-02T00:00:00Z" }
        const { http, json } = yield* ask({
          path: `${path}/EVSE-1`,
          token: tokens.emsp,
          method: "PATCH",
          body
        })
        assert.strictEqual(http, 404)
        assert.include(json.status_message, "what is only read in your list is not kept")
        assert.include(json.status_message, "PUT the whole Location")
      })
    )
    it.effect("loses none of many changes to one location at the same time", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("parallel")
        const path = "2.2.1/locations/DE/CPO/LOC1"
        const uids = Array.from({ length: 20 }, (_, n) => `EVSE-${n}`)
        yield* ask({
          path,
          token: tokens.emsp,
          method: "PUT",
          body: location({ evses: uids.map((uid) => evse({ uid })) })
        })
        const patch = (uid: string) =>
          ask({
            path: `${path}/${uid}`,
            token: tokens.emsp,
            method: "PATCH",
            body: { status: "CHARGING", last_updated: "2026-01-02T00:00:00Z" }
          })
        yield* Effect.forEach(uids, patch, { concurrency: "unbounded" })
        const { evses } = (yield* ask({ path, token: tokens.emsp })).json.data
        assert.isTrue(evses.every(({ status }: { status: string }) => status === "CHARGING"))
      })
    )
    it.effect("appends the charging periods of a session PATCH; a PUT replaces them", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("periods")
        const path = "2.2.1/sessions/DE/CPO/S1"
        const call = (method: string, body?: unknown) => ask({ path, token: tokens.emsp, method, body })
        assert.strictEqual((yield* call("PATCH", { kwh: 1, last_updated: "2026-01-01T00:00:00Z" })).http, 404)
        yield* call("PUT", session({ charging_periods: [period()] }))
        yield* call("PATCH", {
          kwh: 2,
          charging_periods: [period("2026-01-01T00:05:00Z")],
          last_updated: "2026-01-01T00:05:00Z"
        })
        yield* call("PATCH", { kwh: 3, last_updated: "2026-01-01T00:06:00Z" })
        const { data } = (yield* call("GET")).json
        assert.strictEqual(data.charging_periods.length, 2)
        assert.strictEqual(data.kwh, 3)
      })
    )
    it.effect("takes a CDR once: Location is answered, the same again is fine, another is 2001", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("cdr")
        const post = (body: unknown) => ask({ path: "2.2.1/cdrs", token: tokens.emsp, method: "POST", body })
        const first = yield* post(cdr())
        assert.strictEqual(first.http, 201)
        const url = first.headers["location"]!
        assert.strictEqual(url, "http://ours.test/ocpi/2.2.1/cdrs/DE/CPO/CDR1")
        const path = url.replace("http://ours.test/ocpi/", "")
        assert.strictEqual((yield* ask({ path, token: tokens.emsp })).json.data.id, "CDR1")
        const again = yield* post(cdr())
        assert.deepStrictEqual([again.http, again.code, again.headers["location"]], [200, 1000, url])
        assert.strictEqual((yield* post(cdr({ total_energy: 9 }))).code, 2001)
        assert.strictEqual((yield* post(cdr({ id: "CDR2", party_id: "OTH" }))).code, 2001)
      })
    )
    it.effect("takes tariffs and gives them up", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("tariffs")
        const path = "2.2.1/tariffs/DE/CPO/T1"
        const call = (method: string, body?: unknown) => ask({ path, token: tokens.emsp, method, body })
        assert.strictEqual((yield* call("PUT", tariff())).http, 201)
        assert.strictEqual((yield* call("DELETE")).code, 1000)
        assert.strictEqual((yield* call("DELETE")).http, 404)
      })
    )
    it.effect("keeps tokens of one uid and two types apart", () =>
      Effect.gen(function* () {
        const { tokens } = yield* people("tokens")
        const path = "2.2.1/tokens/NL/MSP/TOKEN-1"
        const call = (method: string, query: string, body?: unknown) =>
          ask({ path: `${path}${query}`, token: tokens.cpo, method, body })
        assert.strictEqual((yield* call("PUT", "", token())).http, 201)
        assert.strictEqual((yield* call("PUT", "?type=APP_USER", token({ type: "APP_USER" }))).http, 201)
        assert.strictEqual((yield* call("GET", "?type=APP_USER")).json.data.type, "APP_USER")
        assert.strictEqual((yield* call("GET", "")).json.data.type, "RFID")
        assert.strictEqual((yield* call("GET", "?type=OTHER")).code, 2004)
      })
    )
  })

  layer(roomLayer("http://ours.test"))("authorize", (it) => {
    it.effect("gives the verdict of the token, or the one laid down", () =>
      Effect.gen(function* () {
        const { emsp, tokens } = yield* people("authorize")
        yield* own(emsp, "tokens", "TOKEN-1", token())
        yield* own(emsp, "tokens", "TOKEN-2", token({ uid: "TOKEN-2", valid: false }))
        yield* own(emsp, "tokens", "TOKEN-3", token({ uid: "TOKEN-3" }))
        const script = { allowed: "NO_CREDIT", needsLocation: true, last_updated: "2026-01-01T00:00:00Z" }
        yield* own(emsp, "token-verdicts", "TOKEN-3", script)
        const authorize = (uid: string, body?: unknown) =>
          ask({ path: `2.2.1/tokens/${uid}/authorize`, token: tokens.emsp, method: "POST", body })
        const good = yield* authorize("TOKEN-1", { location_id: "LOC1" })
        assert.strictEqual(good.json.data.allowed, "ALLOWED")
        assert.isString(good.json.data.authorization_reference)
        assert.deepStrictEqual(good.json.data.location, { location_id: "LOC1" })
        assert.strictEqual((yield* authorize("TOKEN-2")).json.data.allowed, "BLOCKED")
        assert.strictEqual((yield* authorize("TOKEN-3")).code, 2002)
        assert.strictEqual(
          (yield* authorize("TOKEN-3", { location_id: "LOC1" })).json.data.allowed,
          "NO_CREDIT"
        )
        const unknown = yield* authorize("TOKEN-9")
        assert.deepStrictEqual([unknown.http, unknown.code], [404, 2004])
      })
    )
  })

  layer(roomLayer("http://ours.test"))("commands", (it) => {
    it.effect("answers each command by what the location can do", () =>
      Effect.gen(function* () {
        const { cpo, tokens } = yield* people("commands")
        yield* own(
          cpo,
          "locations",
          "LOC1",
          location({ evses: [evse(), evse({ uid: "BARE", capabilities: [] })] })
        )
        yield* own(cpo, "sessions", "DONE", session({ id: "DONE", status: "COMPLETED" }))
        const response_url = "http://127.0.0.1:1/result"
        const start = { response_url, token: token(), location_id: "LOC1" }
        const table = [
          ["START_SESSION", { ...start, location_id: "LOC9" }, 2003, undefined],
          ["START_SESSION", { response_url }, 2001, undefined],
          ["START_SESSION", start, 1000, "ACCEPTED"],
          ["START_SESSION", { ...start, evse_uid: "NONE" }, 1000, "REJECTED"],
          ["START_SESSION", { ...start, evse_uid: "BARE" }, 1000, "NOT_SUPPORTED"],
          ["START_SESSION", { ...start, evse_uid: "EVSE-1", connector_id: "9" }, 1000, "REJECTED"],
          ["STOP_SESSION", { response_url, session_id: "S9" }, 1000, "UNKNOWN_SESSION"],
          ["STOP_SESSION", { response_url, session_id: "DONE" }, 1000, "REJECTED"],
          ["CANCEL_RESERVATION", { response_url, reservation_id: "R1" }, 1000, "ACCEPTED"],
          [
            "UNLOCK_CONNECTOR",
            { response_url, location_id: "LOC1", evse_uid: "EVSE-1", connector_id: "1" },
            1000,
            "ACCEPTED"
          ]
        ] as const
        for (const [command, body, code, result] of table) {
          const answer = yield* ask({
            path: `2.2.1/commands/${command}`,
            token: tokens.cpo,
            method: "POST",
            body
          })
          const what = `${command} ${JSON.stringify(body)}`
          assert.strictEqual(answer.code, code, what)
          assert.strictEqual(answer.json.data?.result, result, what)
        }
        const unknown = yield* ask({
          path: "2.2.1/commands/EXPLODE",
          token: tokens.cpo,
          method: "POST",
          body: {}
        })
        assert.strictEqual(unknown.http, 404)
      })
    )
  })
})
