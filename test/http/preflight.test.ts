import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, exchangeOf, newConnection, servedApi } from "../support/http/servedApi.ts"

const path = "/api/v1/connections"
const refused = exchangeOf({
  response: null,
  outcome: "refused",
  fault: {
    kind: "tls",
    message: "The TLS handshake with cpo.example.com failed: its certificate has expired"
  }
})
const client = {
  exchange: () => Effect.succeed({ exchange: refused, body: undefined, json: undefined })
}

layer(servedApi({ client }), { excludeTestServices: true })("a preflight", (it) => {
  it.effect("names the step at which the way to the partner ends, and one thing to do about it", () =>
    Effect.gen(function* () {
      const { json } = yield* ask(path, { body: newConnection })
      const {
        json: answer,
        status,
        text
      } = yield* ask(`${path}/${json.data._id}/preflight`, { method: "POST" })
      assert.strictEqual(status, 200, text)
      assert.isFalse(answer.data.ready)
      assert.deepStrictEqual(
        answer.data.probes.map((probe: { id: string; outcome: string }) => [probe.id, probe.outcome]),
        [
          ["egress", "ok"],
          ["dns", "ok"],
          ["tcp", "ok"],
          ["tls", "failed"],
          ["versions", "skipped"],
          ["token", "skipped"],
          ["version", "skipped"],
          ["endpoints", "skipped"],
          ["callback", "failed"]
        ]
      )
      const tls = answer.data.probes[3]
      assert.strictEqual(tls.class, "network")
      assert.match(tls.message, /its certificate has expired/)
      assert.match(tls.nextAction, /certificate/)
      assert.notInclude(text, "canary")
    })
  )

  it.effect("changes nothing about the connection", () =>
    Effect.gen(function* () {
      const { json } = yield* ask(path, { body: newConnection })
      yield* ask(`${path}/${json.data._id}/preflight`, { method: "POST" })
      const after = yield* ask(`${path}/${json.data._id}`)
      assert.deepStrictEqual(after.json.data, json.data)
    })
  )

  it.effect("is not to be had for somebody else's connection", () =>
    Effect.gen(function* () {
      const { json } = yield* ask(path, { body: newConnection })
      const foreign = yield* ask(`${path}/${json.data._id}/preflight`, { method: "POST", key: "bob-key" })
      assert.strictEqual(foreign.status, 404)
    })
  )
})
