import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { ConnectionId, PartyId } from "../../schema/Ids.ts"
import { defaultLimits } from "../../src/services/accounts/RateLimits.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import {
  ask,
  exchangeOf,
  newConnection,
  newerConnections,
  registered,
  servedApi
} from "../support/http/servedApi.ts"
import { factsOf, write } from "../support/http/writtenRuns.ts"

const path = "/api/v1/connections"

layer(servedApi(), { excludeTestServices: true })("a connection", (it) => {
  it.effect("is pending at first and shows no token", () =>
    Effect.gen(function* () {
      const made = yield* ask(path, { body: { ...newConnection, _id: "conn_mine", status: "registered" } })
      assert.strictEqual(made.status, 201)
      assert.strictEqual(made.json.success, true)
      assert.strictEqual(made.json.data.status, "pending")
      assert.match(made.json.data._id, /^conn_a[0-9a-f]{32}$/)
      assert.strictEqual(made.json.data.label, "CPO cpo.example.com 2.2.1")
      assert.notInclude(made.text, "canary")
      assert.notProperty(made.json.data, "tokenA")
      assert.notInclude((yield* ask(`${path}/${made.json.data._id}`)).text, "canary")
    })
  )

  it.effect("lists its exchanges from either end, of one direction or both", () =>
    Effect.gen(function* () {
      const { json } = yield* ask(path, { body: newConnection })
      const id = json.data._id
      const { record } = yield* PartyStore
      for (const [at, direction] of (["outbound", "inbound", "outbound"] as const).entries())
        yield* record(PartyId.make(id), exchangeOf({ id: `exc_${at}`, direction }))
      const listed = (query: string) =>
        Effect.map(ask(`${path}/${id}/exchanges?${query}`), ({ headers, json, status }) => ({
          status,
          ids: json.data?.map(({ id }: { readonly id: string }) => id),
          next: /^<([^>]+)>/.exec(headers.get("link") ?? "")?.[1]?.split("?")[1],
          message: json.message
        }))
      const oldest = yield* listed("limit=2")
      assert.deepStrictEqual(oldest.ids, ["exc_0", "exc_1"])
      assert.deepStrictEqual((yield* listed(oldest.next ?? "")).ids, ["exc_2"])
      const newest = yield* listed("order=newest&limit=2")
      assert.deepStrictEqual(newest.ids, ["exc_2", "exc_1"])
      assert.strictEqual(newest.next, "order=newest&limit=2&cursor=exc_1")
      assert.deepStrictEqual((yield* listed(newest.next ?? "")).ids, ["exc_0"])
      for (const whole of ["limit=3", "order=newest&limit=3", "direction=inbound&limit=1"])
        assert.isUndefined((yield* listed(whole)).next, whole)
      assert.deepStrictEqual((yield* listed("direction=inbound")).ids, ["exc_1"])
      assert.deepStrictEqual((yield* listed("order=newest&direction=outbound")).ids, ["exc_2", "exc_0"])
      for (const wrong of ["order=newest&after=1", "cursor=exc_1"]) {
        const { message, status } = yield* listed(wrong)
        assert.strictEqual(status, 400, wrong)
        assert.match(message, /^(after|cursor): /)
      }
    })
  )

  it.effect("reads no page by a cursor that no Link header has", () =>
    Effect.gen(function* () {
      for (const list of ["connections", "testing/runs", "testing/journey-runs", "testing/scenarios"])
        for (const cursor of ["", "x", "%00", "25", "eyJhIjoxfQ"]) {
          const { json, status } = yield* ask(`/api/v1/${list}?cursor=${cursor}`)
          assert.strictEqual(status, 400, `${list} ${cursor}`)
          assert.match(json.message, /^cursor: expected the cursor of a Link header/)
        }
    })
  )

  it.effect("shows us as somebody else to a partner at which we are registered already", () =>
    Effect.gen(function* () {
      const at = (partnerBaseUrl: string, more: object = {}) =>
        Effect.gen(function* () {
          const { json } = yield* ask(path, { body: { ...newConnection, partnerBaseUrl, ...more } })
          const party = yield* (yield* PartyStore).find(PartyId.make(json.data._id))
          return Option.getOrThrow(party).identity.partyId
        })
      const there = "https://twice.example.com:8443/ocpi/versions"
      assert.strictEqual(yield* at(there), "PLG")
      assert.strictEqual(yield* at("https://twice.example.com:8443/tenant/2/versions"), "PL1")
      assert.strictEqual(yield* at("https://twice.example.com/ocpi/versions"), "PLG")
      assert.strictEqual(yield* at(there, { ourRole: "CPO", theirRole: "EMSP" }), "PLG")
      assert.strictEqual(yield* at(there), "PL2")
    })
  )

  it.effect("shows us as a hub with two parties behind it, in versions that have hubs", () =>
    Effect.gen(function* () {
      const { json, status } = yield* ask(path, { body: { ...newConnection, hub: true } })
      assert.strictEqual(status, 201)
      const { hubClients } = json.data
      assert.deepStrictEqual(
        hubClients.map(({ partyId, role }: { readonly partyId: string; readonly role: string }) => [
          role,
          partyId
        ]),
        [
          ["EMSP", "PLX"],
          ["EMSP", "PLY"]
        ]
      )
      assert.notProperty((yield* ask(path, { body: newConnection })).json.data, "hubClients")
      const early = yield* ask(path, { body: { ...newConnection, ocpiVersion: "2.1.1", hub: true } })
      assert.strictEqual(early.status, 422)
    })
  )

  it.effect("is registered by the handshake", () =>
    Effect.gen(function* () {
      const { json } = yield* ask(path, { body: newConnection })
      const after = yield* ask(`${path}/${json.data._id}/handshake`, { method: "POST" })
      assert.strictEqual(after.status, 200)
      assert.strictEqual(after.json.data.status, "registered")
      assert.isNotNull(after.json.data.registeredAt)
    })
  )

  it.effect("keeps what went wrong in the handshake", () =>
    Effect.gen(function* () {
      const { json } = yield* ask(path, {
        body: { ...newConnection, partnerBaseUrl: "https://rude.example.com/v" }
      })
      yield* ask(`${path}/${json.data._id}/handshake`, { method: "POST" })
      const read = yield* ask(`${path}/${json.data._id}`)
      assert.strictEqual(read.json.data.status, "failed")
      assert.match(read.json.data.lastError, /^auth: /)
    })
  )

  it.effect(
    "can be given a new Token A while nobody is registered, and another version afterwards only",
    () =>
      Effect.gen(function* () {
        const { json } = yield* ask(path, { body: newConnection })
        const at = `${path}/${json.data._id}/handshake`
        const early = yield* ask(at, { body: { ocpiVersion: "2.3.0" } })
        assert.strictEqual(early.status, 422)
        assert.match(early.json.message, /^ocpiVersion: .*register first/)
        assert.strictEqual((yield* ask(at, { body: { ocpiVersion: "9.9" } })).status, 400)
        assert.strictEqual((yield* ask(at, { body: { tokenA: "another-canary" } })).status, 200)
        const late = yield* ask(at, { body: { tokenA: "another-canary" } })
        assert.strictEqual(late.status, 422)
        assert.match(late.json.message, /^tokenA: /)
        assert.notInclude(late.text, "canary")
      })
  )

  it.effect("is refused a Token A or a URL that was not copied as it is", () =>
    Effect.gen(function* () {
      for (const around of [" ", "\n", "\r\n", "\t", "\u00a0"]) {
        for (const tokenA of [`${around}canary`, `canary${around}`, around]) {
          const { json, status } = yield* ask(path, { body: { ...newConnection, tokenA } })
          assert.strictEqual(status, 400, JSON.stringify(tokenA))
          assert.match(json.message, /^tokenA: has a blank at its beginning or end/)
          assert.notInclude(json.message, "canary")
        }
        for (const partnerBaseUrl of [`${around}https://a.example/v`, `https://a.example/a${around}b`]) {
          const { json, status } = yield* ask(path, { body: { ...newConnection, partnerBaseUrl } })
          assert.strictEqual(status, 400, JSON.stringify(partnerBaseUrl))
          assert.match(json.message, /^partnerBaseUrl: expected an absolute URI without blanks/)
        }
      }
      for (const tokenA of ["a\nb", "a\u0007b"]) {
        assert.strictEqual((yield* ask(path, { body: { ...newConnection, tokenA } })).status, 400)
      }
      assert.strictEqual((yield* ask(path, { body: { ...newConnection, tokenA: "a b" } })).status, 201)
    })
  )

  it.effect("can be invited: the token is shown once, the view tells that it is out", () =>
    Effect.gen(function* () {
      const { json } = yield* ask(path, { body: newConnection })
      assert.isNull(json.data.invitation)
      const issued = yield* ask(`${path}/${json.data._id}/invitation`, { method: "POST" })
      assert.strictEqual(issued.status, 201)
      assert.strictEqual(issued.json.data.versionsUrl, "http://plugfest.test:8080/ocpi/versions")
      const read = yield* ask(`${path}/${json.data._id}`)
      assert.strictEqual(read.json.data.invitation.state, "open")
      assert.notInclude(read.text, issued.json.data.token)
    })
  )

  it.effect(
    "can be made without a Token A, and then nothing is sent to the partner until it registers or one is given",
    () =>
      Effect.gen(function* () {
        const { tokenA: _, ...order } = newConnection
        const made = yield* ask(path, { body: order })
        assert.strictEqual(made.status, 201, made.text)
        const id = made.json.data._id
        const { exchanges, tokens } = yield* PartyStore
        assert.deepStrictEqual(yield* tokens(PartyId.make(id)), [])
        const orders = [
          [`${path}/${id}/handshake`, {}],
          ["/api/v1/testing/command", { connectionId: id, command: "UNLOCK_CONNECTOR" }]
        ] as const
        for (const [at, body] of orders) {
          const refused = yield* ask(at, { body })
          assert.strictEqual(refused.status, 422, `${at}: ${refused.text}`)
          assert.match(refused.json.message, /Token A/, at)
          assert.include(refused.json.message, `POST /connections/${id}/invitation`, at)
        }
        yield* ask(`${path}/${id}/invitation`, { method: "POST" })
        for (const [at, body] of orders) {
          const refused = yield* ask(at, { body })
          assert.strictEqual(refused.status, 422, `${at}: ${refused.text}`)
          assert.match(refused.json.message, /wait until the partner has registered with the invitation/, at)
        }
        assert.deepStrictEqual(yield* exchanges(PartyId.make(id), 0, 9), [])
        assert.strictEqual((yield* ask(`${path}/${id}`)).json.data.status, "pending")
        const given = yield* ask(`${path}/${id}/handshake`, { body: { tokenA: newConnection.tokenA } })
        assert.strictEqual(given.json.data.status, "registered", given.text)
      })
  )

  it.effect("that is registered cannot be invited", () =>
    Effect.gen(function* () {
      const refused = yield* ask(`${path}/${yield* registered()}/invitation`, { method: "POST" })
      assert.strictEqual(refused.status, 409)
      assert.match(refused.json.message, /registered/)
    })
  )

  it.effect("has a dialect that can be overridden in part", () =>
    Effect.gen(function* () {
      const at = `${path}/${yield* registered()}/dialect`
      const set = yield* ask(at, {
        method: "PUT",
        body: { tokenEncoding: { outbound: "raw" }, pageLimit: 20 }
      })
      assert.deepStrictEqual(set.json.data.dialect, {
        tokenEncoding: { inbound: "auto", outbound: "raw" },
        pageLimit: 20,
        overridden: ["tokenEncoding.outbound", "pageLimit"],
        deviations: []
      })
      const back = yield* ask(at, { method: "PUT", body: { pageLimit: null } })
      assert.deepStrictEqual(back.json.data.dialect, {
        tokenEncoding: { inbound: "auto", outbound: "raw" },
        overridden: ["tokenEncoding.outbound"],
        deviations: []
      })
      const wrong = yield* ask(at, { method: "PUT", body: { tokenEncoding: { outbound: "rot13" } } })
      assert.strictEqual(wrong.status, 400)
      assert.match(wrong.json.message, /tokenEncoding.*outbound/)
    })
  )

  it.effect(
    "of somebody else is not there: same status and body as an unknown one, for every operation",
    () =>
      Effect.gen(function* () {
        const id = yield* registered()
        for (const [method, at, body] of [
          ["GET", `${path}/ID`],
          ["POST", `${path}/ID/handshake`],
          ["POST", `${path}/ID/invitation`],
          ["PUT", `${path}/ID/dialect`, {}],
          ["GET", `${path}/ID/exchanges`],
          ["DELETE", `${path}/ID`],
          ["POST", "/api/v1/testing/command", { connectionId: "ID", command: "START_SESSION" }],
          ["GET", "/api/v1/testing/journeys?connectionId=ID"]
        ] as const) {
          const as = (which: string) =>
            ask(at.replace("ID", which), {
              method,
              key: "bob-key",
              ...(body === undefined ? {} : { body: { ...body, connectionId: which } })
            })
          const foreign = yield* as(id)
          const unknown = yield* as("conn_00000000000000000000000000000000")
          assert.strictEqual(foreign.status, 404, `${method} ${at}`)
          assert.strictEqual(foreign.text, unknown.text)
        }
        assert.strictEqual((yield* ask(`${path}/${id}`)).json.data.status, "registered")
      })
  )

  it.effect("is not removed while credentials are being exchanged, but after three minutes", () =>
    Effect.gen(function* () {
      const id = yield* registered()
      const store = yield* PartyStore
      const since = (secondsAgo: number) =>
        store.update(id, (party) => ({
          ...party,
          open: {
            id: "exc_open",
            state: "renewing",
            since: new Date(Date.now() - secondsAgo * 1000).toISOString()
          }
        }))
      yield* since(170)
      const refused = yield* ask(`${path}/${id}`, { method: "DELETE" })
      assert.strictEqual(refused.status, 409)
      assert.match(refused.json.message, /handshake .* under way/)
      yield* since(190)
      assert.strictEqual((yield* ask(`${path}/${id}`, { method: "DELETE" })).status, 200)
    })
  )

  it.effect("stays as it is while a run is open on it: 409 that names the run, until that is over", () =>
    Effect.gen(function* () {
      const id = yield* registered()
      const facts = { ...factsOf(id), connectionId: ConnectionId.make(id) }
      yield* write(facts, 1, 2)
      for (const [method, at, body] of [
        ["POST", `${path}/${id}/handshake`],
        ["PUT", `${path}/${id}/dialect`, { pageLimit: 20 }],
        ["DELETE", `${path}/${id}`]
      ] as const) {
        const refused = yield* ask(at, { method, ...(body === undefined ? {} : { body }) })
        assert.strictEqual(refused.status, 409, `${method} ${at}`)
        assert.hasAllKeys(refused.json, ["success", "message"])
        assert.include(refused.json.message, facts.runId)
      }
      const after = yield* ask(`${path}/${id}`)
      assert.strictEqual(after.json.data.status, "registered")
      assert.isEmpty(after.json.data.dialect.overridden ?? [])
      yield* write(facts, 3, 3)
      assert.strictEqual((yield* ask(`${path}/${id}/handshake`, { method: "POST" })).status, 200)
    })
  )

  it.effect("is gone after DELETE", () =>
    Effect.gen(function* () {
      const id = yield* registered()
      const removed = yield* ask(`${path}/${id}`, { method: "DELETE" })
      assert.deepStrictEqual(removed.json.data, {
        _id: id,
        partnerTold: true,
        message: "The partner took DELETE credentials"
      })
      assert.strictEqual((yield* ask(`${path}/${id}`)).status, 404)
    })
  )
})

layer(servedApi(), { excludeTestServices: true })("the list of connections", (it) => {
  it.effect("is paged, newest first, by the Link header", () =>
    Effect.gen(function* () {
      const ids: Array<string> = []
      for (let made = 0; made < 3; made++)
        ids.unshift((yield* ask(path, { body: newConnection })).json.data._id)
      yield* ask(path, { body: newConnection, key: "bob-key" })
      const first = yield* ask(`${path}?limit=2`)
      const next = /^<(.+)>; rel="next"$/.exec(first.headers.get("link") ?? "")?.[1]
      const second = yield* ask(next ?? "")
      assert.deepStrictEqual(
        [...first.json.data, ...second.json.data].map(({ _id }) => _id),
        ids
      )
      assert.isNull(second.headers.get("link"))
      assert.isNull((yield* ask(`${path}?limit=3`)).headers.get("link"), "as many as there are")
    })
  )
})

layer(servedApi(), { excludeTestServices: true })("an Idempotency-Key", (it) => {
  const post = (key: string, over: object = {}, who = "alice-key") =>
    ask(path, { body: { ...newConnection, ...over }, headers: { "idempotency-key": key }, key: who })

  it.effect("gives the first answer again, with its status", () =>
    Effect.gen(function* () {
      const first = yield* post("one")
      const again = yield* post("one")
      assert.strictEqual(again.status, 201)
      assert.strictEqual(again.text, first.text)
    })
  )

  it.effect("with another body is a conflict, also when only the token differs", () =>
    Effect.gen(function* () {
      yield* post("two")
      assert.strictEqual((yield* post("two", { tokenA: "another" })).status, 409)
      assert.strictEqual((yield* post("two", { label: "another" })).status, 409)
    })
  )

  it.effect("of another owner is another key", () =>
    Effect.gen(function* () {
      const mine = yield* post("three")
      const theirs = yield* post("three", {}, "bob-key")
      assert.strictEqual(theirs.status, 201)
      assert.notStrictEqual(theirs.json.data._id, mine.json.data._id)
    })
  )

  it.effect("of another API key of the same account is another key too", () =>
    Effect.gen(function* () {
      const first = yield* post("of-one-key")
      const other = yield* post("of-one-key", {}, "alice-second-key")
      assert.strictEqual(other.status, 201)
      assert.notStrictEqual(other.json.data._id, first.json.data._id)
      assert.strictEqual((yield* post("of-one-key", { label: "x" }, "alice-second-key")).status, 409)
      assert.strictEqual((yield* post("of-one-key")).text, first.text)
    })
  )

  it.effect(
    "gives no secret again: 409 names what was made and how to get another one; both are audited",
    () =>
      Effect.gen(function* () {
        const headers = { "idempotency-key": "tells-a-secret" }
        const partners = "/api/v1/sandbox/partners"
        const body = { theirRole: "CPO", ocpiVersion: "2.2.1" }
        const made = yield* ask(partners, { body, headers })
        assert.strictEqual(made.status, 201)
        const again = yield* ask(partners, { body, headers })
        assert.strictEqual(again.status, 409)
        assert.include(again.json.message, made.json.data._id)
        assert.match(again.json.message, /tokenA was shown once.*issues another one/)
        assert.notInclude(again.text, made.json.data.tokenA)

        const connection = yield* post("invites")
        const invitation = `${path}/${connection.json.data._id}/invitation`
        const invited = yield* ask(invitation, { method: "POST", headers })
        assert.strictEqual(invited.status, 201)
        const invitedAgain = yield* ask(invitation, { method: "POST", headers })
        assert.strictEqual(invitedAgain.status, 409)
        assert.match(invitedAgain.json.message, /token was shown once.*new Idempotency-Key/)
        assert.notInclude(invitedAgain.text, invited.json.data.token)

        yield* post("invites")
        const log = (yield* ask("/api/v1/settings/audit?limit=100")).json.data
        const replays = log.filter(({ replay }: { readonly replay: boolean }) => replay)
        const told = (entry: any) => [entry.action, entry.status, entry.result]
        assert.deepStrictEqual(replays.slice(0, 3).map(told), [
          ["connections.create", 201, connection.json.data._id],
          ["connections.invite", 409, null],
          ["sandbox.create", 409, null]
        ])
        assert.isTrue(replays.every(({ key }: any) => key._id === "key_alice"))
        assert.isFalse(log.every(({ replay }: any) => replay))
      })
  )

  it.effect("in parallel makes one connection: the others get its answer or a conflict", () =>
    Effect.gen(function* () {
      const answers = yield* Effect.all(
        Array.from({ length: 20 }, () => post("four", {}, "bob-key")),
        {
          concurrency: "unbounded"
        }
      )
      const ids = new Set(answers.filter(({ status }) => status === 201).map(({ json }) => json.data._id))
      assert.strictEqual(ids.size, 1)
      assert.isTrue(answers.every(({ status }) => status === 201 || status === 409))
    })
  )

  it.effect("of a request that changed nothing may be used again", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* post("five", { ourRole: "HUB" })).status, 400)
      assert.strictEqual((yield* post("five")).status, 201)
    })
  )

  it.effect("must be printable", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* post("a b")).status, 400)
    })
  )
})

const roomy = { ...defaultLimits, connections: 2_000 }

layer(servedApi({ services: { limits: roomy } }), { excludeTestServices: true })("many connections", (it) => {
  it.effect("are all searched for who we are at the partner of a further one", () =>
    Effect.gen(function* () {
      const partyIdOfNext = Effect.gen(function* () {
        const { json } = yield* ask(path, { body: newConnection })
        const party = yield* (yield* PartyStore).find(PartyId.make(json.data._id))
        return Option.getOrThrow(party).identity.partyId
      })
      assert.strictEqual(yield* partyIdOfNext, "PLG")
      yield* newerConnections(1_000)
      assert.strictEqual(yield* partyIdOfNext, "PL1")
    })
  )
})
