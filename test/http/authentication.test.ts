import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { openApiDocument } from "../../src/http/server/documents.ts"
import { defaultLimits } from "../../src/services/accounts/RateLimits.ts"
import { ask, newConnection, servedApi } from "../support/http/servedApi.ts"

const operations = Object.entries(openApiDocument().paths)
  .filter(([path]) => path.startsWith("/api/v1/") && path !== "/api/v1/session")
  .flatMap(([path, item]) =>
    Object.keys(item).map((method) => [method.toUpperCase(), path.replace(/\{\w+\}/g, "x_1")] as const)
  )

/** A POST for the size of its body, and nothing is changed by it. */
const onlyReads = [
  "/api/v1/testing/validate",
  "/api/v1/testing/scenarios/validate",
  "/api/v1/testing/scenarios/dry-run",
  // A link is good for no more than the key that made it.
  "/api/v1/session/links"
]
const acting = operations.filter(([method, path]) => method !== "GET" && !onlyReads.includes(path))

layer(servedApi(), { excludeTestServices: true })("a request without a valid key", (it) => {
  it.effect("is a 401 on every operation of the document, whatever its body is", () =>
    Effect.gen(function* () {
      assert.isAbove(operations.length, 25)
      for (const [method, path] of operations) {
        const answer = yield* ask(path, {
          method,
          key: null,
          ...(method === "POST" ? { text: "{nope" } : {})
        })
        assert.strictEqual(answer.status, 401, `${method} ${path} ${answer.text}`)
        assert.strictEqual(answer.headers.get("www-authenticate"), "Bearer")
      }
    })
  )

  it.effect("gets the same body for every reason", () =>
    Effect.gen(function* () {
      const bodies = new Set<string>()
      for (const authorization of [
        undefined,
        "",
        "Bearer",
        "Bearer ",
        "Bearer unknown",
        "Basic alice-key",
        "Token alice-key",
        "alice-key",
        "Bearer alice-key x",
        `Bearer ${"k".repeat(600)}`
      ]) {
        const answer = yield* ask("/api/v1/connections", {
          key: null,
          headers: authorization === undefined ? {} : { authorization }
        })
        assert.strictEqual(answer.status, 401, String(authorization))
        bodies.add(answer.text)
      }
      assert.strictEqual((yield* ask("/api/v1/connections?api_key=alice-key", { key: null })).status, 401)
      assert.strictEqual(bodies.size, 1)
    })
  )

  it.effect("is let in with the scheme in any case", () =>
    Effect.gen(function* () {
      const answer = yield* ask("/api/v1/connections", {
        key: null,
        headers: { authorization: "bEARER alice-key" }
      })
      assert.strictEqual(answer.status, 200)
    })
  )
})

layer(servedApi({ services: { limits: { ...defaultLimits, requests: 1000, connections: 2 } } }), {
  excludeTestServices: true
})("a key", (it) => {
  it.effect("with scope read may not act, on any acting operation", () =>
    Effect.gen(function* () {
      for (const [method, path] of acting) {
        const answer = yield* ask(path, { method, key: "reader-key", body: {} })
        assert.strictEqual(answer.status, 403, `${method} ${path}`)
        assert.match(answer.json.message, /lacks the scope/)
      }
    })
  )

  it.effect("of a small plan is told the lowest plan that has the capability", () =>
    Effect.gen(function* () {
      const first = yield* ask("/api/v1/connections", { body: newConnection, key: "poor-key" })
      assert.strictEqual(first.status, 201)
      const second = yield* ask("/api/v1/connections", { body: newConnection, key: "poor-key" })
      assert.strictEqual(second.status, 402)
      assert.match(second.json.message, /connections.*"integrate"/)
      const command = yield* ask("/api/v1/testing/command", {
        body: { connectionId: first.json.data._id, command: "START_SESSION" },
        key: "poor-key"
      })
      assert.strictEqual(command.status, 402)
      assert.match(command.json.message, /commands.*"integrate"/)
    })
  )

  it.effect("meets the quota of connections with a 429", () =>
    Effect.gen(function* () {
      yield* ask("/api/v1/connections", { body: newConnection })
      yield* ask("/api/v1/connections", { body: newConnection })
      const third = yield* ask("/api/v1/connections", { body: newConnection })
      assert.strictEqual(third.status, 429)
      assert.strictEqual(third.headers.get("retry-after"), "60")
    })
  )
})

layer(servedApi({ services: { limits: { ...defaultLimits, requests: 3 } } }), { excludeTestServices: true })(
  "a rate",
  (it) => {
    it.effect(
      "is told in headers and ends in a 429 that says when to come back; others are not touched",
      () =>
        Effect.gen(function* () {
          const answers = yield* Effect.replicateEffect(ask("/api/v1/connections"), 4)
          assert.deepStrictEqual(
            answers.map(({ status }) => status),
            [200, 200, 200, 429]
          )
          assert.strictEqual(answers[0]!.headers.get("ratelimit-policy"), '"default";q=3;w=60')
          assert.match(answers[0]!.headers.get("ratelimit") ?? "", /^"default";r=2;t=\d+$/)
          assert.isAtLeast(Number(answers[3]!.headers.get("retry-after")), 1)
          assert.strictEqual((yield* ask("/api/v1/connections", { key: "bob-key" })).status, 200)
        })
    )
  }
)
