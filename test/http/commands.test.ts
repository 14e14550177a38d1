import { assert, describe, layer } from "@effect/vitest"
import { Effect, Ref } from "effect"
import type { OcpiCall } from "../../src/ocpi/OcpiClient.ts"
import { defaultLimits } from "../../src/services/accounts/RateLimits.ts"
import { PartyStore } from "../../src/store/parties/PartyStore.ts"
import { ask, exchangeOf, newConnection, registered, servedApi } from "../support/http/servedApi.ts"

const path = "/api/v1/testing/command"
const limits = { ...defaultLimits, connectionCommands: 100 }
const answering = (over: Parameters<typeof exchangeOf>[0]) => ({
  exchange: () => Effect.succeed({ exchange: exchangeOf(over), body: undefined, json: undefined })
})

layer(servedApi({ services: { limits } }), { excludeTestServices: true })("a command", (it) => {
  it.effect("gives the partner's raw status, code and body, and can be read again", () =>
    Effect.gen(function* () {
      const id = yield* registered()
      const sent = yield* ask(path, { body: { connectionId: id, command: "START_SESSION" } })
      assert.strictEqual(sent.status, 200, sent.text)
      assert.strictEqual(sent.json.data.httpStatus, 200)
      assert.strictEqual(sent.json.data.ocpiStatusCode, 1000)
      assert.strictEqual(sent.json.data.response.data.result, "ACCEPTED")
      const read = yield* ask(`/api/v1/testing/commands/${sent.json.data.commandId}`)
      assert.strictEqual(read.json.data.state, "accepted")
      assert.isNotNull(read.json.data.deadline)
      const foreign = yield* ask(`/api/v1/testing/commands/${sent.json.data.commandId}`, { key: "bob-key" })
      assert.strictEqual(foreign.status, 404)
    })
  )

  it.effect("can be drafted: the payload that would be sent, and the schema of its fields", () =>
    Effect.gen(function* () {
      const id = yield* registered()
      const at = (command: string, key?: string) =>
        ask(`${path}/draft`, { body: { connectionId: id, command }, ...(key === undefined ? {} : { key }) })
      const { json, status, text } = yield* at("UNLOCK_CONNECTOR")
      assert.strictEqual(status, 200, text)
      assert.deepStrictEqual(json.data.payload, {
        location_id: "LOC1",
        evse_uid: "EVSE1",
        connector_id: "1"
      })
      assert.deepStrictEqual(json.data.schema.required, ["location_id", "evse_uid", "connector_id"])
      assert.strictEqual((yield* at("UNLOCK_CONNECTOR", "bob-key")).status, 404)
      assert.strictEqual((yield* at("EXPLODE")).status, 400)
      const old = yield* registered({ ocpiVersion: "2.1.1" })
      const none = yield* ask(`${path}/draft`, {
        body: { connectionId: old, command: "CANCEL_RESERVATION" }
      })
      assert.strictEqual(none.status, 422)
      assert.match(none.json.message, /has no CANCEL_RESERVATION/)
    })
  )

  it.effect("is refused on a connection that is not registered", () =>
    Effect.gen(function* () {
      const { json } = yield* ask("/api/v1/connections", { body: newConnection })
      const sent = yield* ask(path, { body: { connectionId: json.data._id, command: "START_SESSION" } })
      assert.strictEqual(sent.status, 422)
      assert.match(sent.json.message, /pending, not registered/)
    })
  )

  it.effect("that the version has not is refused", () =>
    Effect.gen(function* () {
      const id = yield* registered({ ocpiVersion: "2.1.1" })
      const sent = yield* ask(path, { body: { connectionId: id, command: "CANCEL_RESERVATION" } })
      assert.strictEqual(sent.status, 422)
      assert.match(sent.json.message, /has no CANCEL_RESERVATION/)
    })
  )

  it.effect("goes from an EMSP only", () =>
    Effect.gen(function* () {
      const id = yield* registered({ ourRole: "CPO", theirRole: "EMSP" })
      const sent = yield* ask(path, { body: { connectionId: id, command: "START_SESSION" } })
      assert.strictEqual(sent.status, 422)
    })
  )

  it.effect("with a name that does not exist is a 400", () =>
    Effect.gen(function* () {
      const sent = yield* ask(path, { body: { connectionId: "conn_1", command: "EXPLODE" } })
      assert.strictEqual(sent.status, 400)
      assert.match(sent.json.message, /^command: /)
    })
  )
})

const text = (body: string) =>
  answering({ response: { httpStatus: 502, ocpiStatusCode: null, headers: {}, body, truncated: false } })

layer(servedApi({ client: text("<html>bad gateway</html>") }), { excludeTestServices: true })(
  "an answer without an envelope",
  (it) => {
    it.effect("has code 0 and the text as raw", () =>
      Effect.gen(function* () {
        const id = yield* registered()
        const { json } = yield* ask(path, { body: { connectionId: id, command: "START_SESSION" } })
        assert.strictEqual(json.success, true)
        assert.strictEqual(json.data.httpStatus, 502)
        assert.strictEqual(json.data.ocpiStatusCode, 0)
        assert.deepStrictEqual(json.data.response, { raw: "<html>bad gateway</html>" })
      })
    )
  }
)

const silent = answering({
  response: null,
  outcome: "timed_out",
  fault: { kind: "timeout", message: "no answer within 30 s" }
})

layer(servedApi({ client: silent }), { excludeTestServices: true })("a partner that never answers", (it) => {
  it.effect("is a 422 of class network, and the command is kept as unknown", () =>
    Effect.gen(function* () {
      const id = yield* registered()
      const sent = yield* ask(path, { body: { connectionId: id, command: "START_SESSION" } })
      assert.strictEqual(sent.status, 422)
      assert.match(sent.json.message, /^network: no answer within 30 s/)
      const commandId = /cmd_[0-9a-f]+/.exec(sent.json.message)?.[0]
      const read = yield* ask(`/api/v1/testing/commands/${commandId}`)
      assert.strictEqual(read.json.data.state, "unknown")
    })
  )
})

describe("a command on the wire", () => {
  const sentCalls = Ref.unsafeMake<ReadonlyArray<OcpiCall>>([])
  const counting = {
    exchange: (call: OcpiCall) =>
      Effect.as(
        Ref.update(sentCalls, (calls) => [...calls, call]),
        {
          exchange: exchangeOf(),
          body: undefined,
          json: undefined
        }
      )
  }

  layer(servedApi({ client: counting }), { excludeTestServices: true })("what is sent", (it) => {
    it.effect(
      "is the default with the caller's fields over it, and our response_url; once per Idempotency-Key",
      () =>
        Effect.gen(function* () {
          const id = yield* registered()
          const body = {
            connectionId: id,
            command: "STOP_SESSION",
            payload: { session_id: "S9", response_url: "http://evil" }
          }
          const headers = { "idempotency-key": "stop-once" }
          const first = yield* ask(path, { body, headers })
          const again = yield* ask(path, { body, headers })
          assert.strictEqual(first.status, 200, first.text)
          assert.strictEqual(again.text, first.text)
          const calls = yield* Ref.get(sentCalls)
          assert.lengthOf(calls, 1)
          const sent = calls[0]!.body as Record<string, string>
          assert.strictEqual(sent["session_id"], "S9")
          assert.match(sent["response_url"] ?? "", /^http:\/\/plugfest\.test:8080\/ocpi\//)
        })
    )

    it.effect(
      "is for an EVSE of the location that is named, however many newer ones the partner has sent",
      () =>
        Effect.gen(function* () {
          const id = yield* registered()
          const { putObject } = yield* PartyStore
          for (let number = 0; number <= 250; number++) {
            const evses = [{ uid: `E${number}`, status: "AVAILABLE", connectors: [{ id: "1" }] }]
            yield* putObject(id, {
              module: "locations",
              key: `DE/CPO/L${number}`,
              side: "received",
              json: { id: `L${number}`, evses },
              lastUpdated: new Date(Date.UTC(2026, 0, 1, 0, 0, number)).toISOString()
            })
          }
          const payload = { location_id: "l0" }
          const sent = yield* ask(path, { body: { connectionId: id, command: "UNLOCK_CONNECTOR", payload } })
          assert.strictEqual(sent.status, 200, sent.text)
          const body = (yield* Ref.get(sentCalls)).at(-1)?.body
          assert.deepInclude(body, { location_id: "l0", evse_uid: "E0", connector_id: "1" })
        })
    )

    it.effect("is limited to 64 KiB", () =>
      Effect.gen(function* () {
        const id = yield* registered()
        const payload = { session_id: "x".repeat(70_000) }
        const sent = yield* ask(path, {
          body: { connectionId: id, command: "STOP_SESSION", payload, validate: false }
        })
        assert.strictEqual(sent.status, 400)
      })
    )

    it.effect("is limited to six a minute a connection", () =>
      Effect.gen(function* () {
        const id = yield* registered()
        const answers = yield* Effect.replicateEffect(
          ask(path, { body: { connectionId: id, command: "STOP_SESSION" } }),
          7
        )
        assert.strictEqual(answers[6]!.status, 429)
        assert.isAtLeast(Number(answers[6]!.headers.get("retry-after")), 1)
      })
    )
  })
})
