import { assert, describe, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { routeOf } from "../../src/http/request/routes.ts"
import { ask, newConnection, registered, servedApi } from "../support/http/servedApi.ts"
import { readMetrics } from "../support/telemetry/readMetrics.ts"

const scraped = Effect.map(ask("/metrics", { key: null }), ({ text }) => readMetrics(text))
const requests = Effect.map(
  scraped,
  (families) => families.get("plugfest_http_requests_total")?.samples ?? []
)

describe("GET /metrics", () => {
  it.live("is text that a scraper reads: the service, its database and its process", () =>
    Effect.gen(function* () {
      const { headers, status, text } = yield* ask("/metrics", { key: null })
      assert.strictEqual(status, 200)
      assert.strictEqual(headers.get("content-type"), "text/plain; version=0.0.4; charset=utf-8")
      const families = readMetrics(text)
      for (const name of [
        "plugfest_database_up",
        "plugfest_database_connections",
        "plugfest_database_waiting",
        "plugfest_followers",
        "plugfest_runs_open",
        "nodejs_eventloop_lag_seconds",
        "process_resident_memory_bytes",
        "process_cpu_seconds_total"
      ]) {
        assert.isTrue(families.has(name), name)
      }
    }).pipe(Effect.provide(servedApi()))
  )

  it.live("counts requests by the route of the contract, whatever became of them", () =>
    Effect.gen(function* () {
      const id = yield* registered()
      yield* ask(`/api/v1/connections/${id}`)
      yield* ask("/api/v1/connections/conn_nosuch")
      yield* ask("/api/v1/connections/conn_1", { key: "nobody" })
      yield* ask("/no/such/path")
      yield* ask("/api/v1/connections", { text: "{" })
      const found = yield* requests
      const has = (method: string, route: string, status: string) =>
        found.some(({ labels }) => JSON.stringify(labels) === JSON.stringify({ method, route, status }))
      const one = "/api/v1/connections/{id}"
      assert.isTrue(has("GET", one, "200"))
      assert.isTrue(has("GET", one, "404"))
      assert.isTrue(has("GET", one, "401"))
      assert.isTrue(has("GET", "other", "404"))
      assert.isTrue(has("POST", "/api/v1/connections", "400"))
    }).pipe(Effect.provide(servedApi()))
  )

  it.live("counts requests of partners by version, module and status, and never by what they wrote", () =>
    Effect.gen(function* () {
      yield* ask("/ocpi/versions", { key: null })
      yield* ask("/ocpi/2.2.1/locations/DE/canary-id", { method: "PUT", key: null, body: {} })
      yield* ask("/ocpi/canary-version/canary-module", { key: null })
      yield* ask("/api/v1/connections")
      const counted = (yield* scraped).get("plugfest_ocpi_requests_total")?.samples ?? []
      const route = "/ocpi"
      for (const [method, version, module] of [
        ["GET", "none", "versions"],
        ["PUT", "2.2.1", "locations"],
        ["GET", "other", "other"]
      ]) {
        const of = counted.filter(
          ({ labels }) =>
            labels["route"] === route &&
            labels["method"] === method &&
            labels["version"] === version &&
            labels["module"] === module
        )
        assert.isNotEmpty(of, `${method} ${version} ${module}`)
        for (const { labels } of of) assert.match(labels["status"]!, /^[1-5]\d\d$/)
      }
      assert.notInclude(JSON.stringify(counted), "canary")
    }).pipe(Effect.provide(servedApi()))
  )

  it.live("says nothing of owners, ids, tokens or partners", () =>
    Effect.gen(function* () {
      const id = yield* registered()
      yield* ask(`/api/v1/connections/${id}?cursor=canary-query`)
      const { text } = yield* ask("/metrics", { key: null })
      for (const secret of [id, "alice", newConnection.tokenA, "cpo.example.com", "canary-query"]) {
        assert.notInclude(text, secret)
      }
    }).pipe(Effect.provide(servedApi()))
  )

  it.live("asks for the token, where there is one", () =>
    Effect.gen(function* () {
      const refused = yield* ask("/metrics", { key: "alice-key" })
      assert.strictEqual(refused.status, 401)
      assert.deepStrictEqual(Object.keys(refused.json), ["success", "message"])
      assert.strictEqual(refused.headers.get("www-authenticate"), "Bearer")
      assert.strictEqual((yield* ask("/metrics", { key: null })).status, 401)
      assert.strictEqual((yield* ask("/metrics", { key: "scrape-me-please" })).status, 200)
    }).pipe(Effect.provide(servedApi({ metricsToken: Redacted.make("scrape-me-please") })))
  )
})

describe("the route of a path", () => {
  it("is a template of the contract, or one word for all that are of none", () => {
    assert.strictEqual(routeOf("/api/v1/testing/runs/rep_1/checks"), "/api/v1/testing/runs/{id}/checks")
    assert.strictEqual(routeOf("/ocpi/2.2.1/cdrs/x"), "/ocpi")
    assert.strictEqual(routeOf("/api/v1/ocpi/versions"), "/ocpi")
    assert.strictEqual(routeOf("/sandbox/sbx_1/ocpi/versions"), "/sandbox/{id}/ocpi")
    assert.strictEqual(routeOf("/wp-login.php"), "other")
  })
})
