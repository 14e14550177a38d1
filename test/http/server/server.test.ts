import { once } from "node:events"
import { connect } from "node:net"
import { FetchHttpClient, HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { assert, describe, it, layer } from "@effect/vitest"
import { Deferred, Duration, Effect, Exit, Fiber, Layer, Redacted, Scope } from "effect"
import { Api } from "../../../src/api/Api.ts"
import { DatabaseDown } from "../../../src/database/DatabaseDown.ts"
import { Server } from "../../../src/http/server/Server.ts"
import { ask, below, newConnection, publicUrl, servedApi } from "../../support/http/servedApi.ts"
import { factsOf, write } from "../../support/http/writtenRuns.ts"

layer(servedApi(), { excludeTestServices: true })("the OCPI side", (it) => {
  for (const [at, kind] of [
    ["/ocpi/versions", "connection"],
    ["/api/v1/ocpi/versions", "connection"],
    ["/sandbox/sbx_1/ocpi/versions", "sandbox"]
  ] as const) {
    it.effect(`is served at ${at} without a key, and the URL comes from the public one`, () =>
      Effect.gen(function* () {
        for (const slash of ["", "/"]) {
          const { json, status } = yield* ask(`${at}${slash}`, {
            key: null,
            headers: { "x-forwarded-host": "evil" }
          })
          assert.strictEqual(status, 200)
          assert.strictEqual(json.root.kind, kind)
          assert.deepStrictEqual(json.request.path, ["versions"])
          assert.strictEqual(json.request.url, `${publicUrl}${at}${slash}`)
        }
      })
    )
  }

  it.effect("takes any method and hands over the body as it came, with the partner's request id back", () =>
    Effect.gen(function* () {
      const { headers, json } = yield* ask("/ocpi/2.2.1/locations/NL/ABC/L%201?x=1", {
        method: "PATCH",
        text: "{broken"
      })
      assert.deepStrictEqual(json.request.path, ["2.2.1", "locations", "NL", "ABC", "L 1"])
      assert.strictEqual(json.request.method, "PATCH")
      assert.strictEqual(json.request.body, "{broken")
      assert.strictEqual(headers.get("x-request-id"), "partner-1")
    })
  )

  it.effect("takes more than the API does, and hands over what is too much by its length", () =>
    Effect.gen(function* () {
      const fits = yield* ask("/ocpi/2.2.1/cdrs", { text: "x".repeat(300 * 1024) })
      assert.strictEqual(fits.status, 200)
      const tooMuch = yield* ask("/ocpi/2.2.1/cdrs", { text: "x".repeat(1024 * 1024 + 1) })
      assert.strictEqual(tooMuch.headers.get("connection"), "close")
      assert.strictEqual(tooMuch.json.request.body, "")
      assert.deepStrictEqual(tooMuch.json.request.beyond, {
        limitBytes: 1024 * 1024,
        declaredBytes: 1024 * 1024 + 1
      })
    })
  )
})

layer(
  servedApi({
    journeys: {
      catalogue: () => {
        throw new Error("secret internals")
      }
    }
  }),
  { excludeTestServices: true }
)("a fault of ours", (it) => {
  it.effect("is a 500 that gives nothing away but the request id", () =>
    Effect.gen(function* () {
      const { headers, json, status, text } = yield* ask("/api/v1/testing/journeys")
      assert.strictEqual(status, 500)
      assert.hasAllKeys(json, ["success", "message"])
      assert.notInclude(text, "internals")
      assert.isNotNull(headers.get("x-request-id"))
    })
  )
})

const away = () => {
  throw new DatabaseDown({ message: "connection refused at 10.0.0.7" })
}

layer(servedApi({ journeys: { catalogue: away }, database: { writes: Effect.succeed("away") } }), {
  excludeTestServices: true
})("a database that is away", (it) => {
  for (const path of ["/api/v1/testing/journeys", "/health/ready"]) {
    it.effect(`is a 503 with Retry-After at ${path}`, () =>
      Effect.gen(function* () {
        const { headers, json, status, text } = yield* ask(path)
        assert.strictEqual(status, 503)
        assert.hasAllKeys(json, ["success", "message"])
        assert.notInclude(text, "10.0.0.7")
        assert.isNotNull(headers.get("retry-after"))
      })
    )
  }

  it.effect("does not make the process look dead", () =>
    Effect.gen(function* () {
      assert.strictEqual((yield* ask("/health/live")).status, 200)
    })
  )
})

layer(servedApi(), { excludeTestServices: true })("the derived client", (it) => {
  it.effect("reads plain data, and gets errors as the classes that they are", () =>
    Effect.gen(function* () {
      const client = yield* HttpApiClient.make(Api, {
        transformClient: HttpClient.mapRequest(HttpClientRequest.bearerToken("alice-key"))
      })
      const payload = { ...newConnection, ocpiVersion: "2.2.1", tokenA: Redacted.make("a") } as const
      const made = yield* client.connections.create({
        payload: { ...payload, ourRole: "EMSP", theirRole: "CPO" },
        headers: {}
      })
      assert.strictEqual(made.status, "pending")
      const read = yield* client.connections.read({ path: { id: made._id } })
      assert.deepStrictEqual(read, made)
      const error = yield* Effect.flip(
        client.connections.create({ payload: { ...payload, ourRole: "CPO", theirRole: "CPO" }, headers: {} })
      )
      assert.strictEqual(error._tag, "Unsupported")
    })
  )
})

/** A server that listens at `url`, and ends when its scope is closed. */
const listening = (graceSeconds: number) =>
  Effect.gen(function* () {
    const scope = yield* Scope.make()
    const heard = yield* Deferred.make<string>()
    const context = yield* Layer.buildWithScope(
      Server.layer({
        host: "127.0.0.1",
        port: 0,
        publicUrl,
        sandbox: true,
        onListening: (url) => Effect.asVoid(Deferred.succeed(heard, url)),
        graceSeconds
      }).pipe(Layer.provideMerge(below())),
      scope
    )
    return { scope, context, url: yield* Deferred.await(heard) }
  })

describe("the server", () => {
  it("says that it listens when it serves, drains at the end, and ends in time", () =>
    Effect.gen(function* () {
      const { context, scope, url } = yield* listening(1)
      const client = yield* HttpClient.HttpClient
      assert.strictEqual((yield* client.get(`${url}/health/ready`)).status, 200)
      // An open long poll and an open feed do not hold the server up; the feed is told goodbye.
      yield* write(factsOf("draining"), 1, 2).pipe(Effect.provide(context))
      const asking = { headers: { authorization: "Bearer alice-key" } }
      const poll = fetch(`${url}/api/v1/testing/runs/rep_draining?wait=30`, asking).then((it) => it.status)
      yield* Effect.sleep("300 millis")
      // What was asked for before it has begun when the feed answers.
      const open = yield* Effect.promise(() =>
        fetch(`${url}/api/v1/testing/journey-runs/run_draining/stream`, asking)
      )
      const feed = open.text()
      const [duration] = yield* Effect.timed(Scope.close(scope, Exit.void))
      assert.isBelow(Duration.toMillis(duration), 15_000)
      assert.strictEqual(yield* Effect.promise(() => poll), 200)
      assert.include(yield* Effect.promise(() => feed), ": the server is going down")
      assert.isTrue(Exit.isFailure(yield* Effect.exit(client.get(`${url}/health/live`))))
    }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer), Effect.runPromise))

  it("hears a partner to the last, and nobody else, while it drains", () =>
    Effect.gen(function* () {
      const { scope, url } = yield* listening(60)
      // A request whose body does not come holds up the end.
      const holding = connect(Number(new URL(url).port), "127.0.0.1").on("error", () => {})
      holding.write(
        "PUT /ocpi/2.2.1/locations/1 HTTP/1.1\r\nHost: h\r\nExpect: 100-continue\r\nContent-Length: 2\r\n\r\n"
      )
      yield* Effect.promise(() => once(holding, "data"))
      const end = yield* Effect.fork(Scope.close(scope, Exit.void))
      const asked = Effect.promise(() => fetch(`${url}/api/v1/testing/suites`))
      const caller = yield* Effect.repeat(Effect.delay(asked, "10 millis"), {
        until: ({ status }) => status === 503
      })
      const partner = yield* Effect.promise(() => fetch(`${url}/ocpi/versions`))
      assert.deepStrictEqual([partner.status, caller.status], [200, 503])
      assert.strictEqual(partner.headers.get("connection"), "close")
      assert.strictEqual(caller.headers.get("retry-after"), "5")
      holding.destroy()
      yield* Fiber.join(end)
    }).pipe(Effect.scoped, Effect.runPromise))
})
