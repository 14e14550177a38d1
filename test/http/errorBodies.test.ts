import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, newConnection, servedApi } from "../support/http/servedApi.ts"

const path = "/api/v1/connections"

layer(servedApi(), { excludeTestServices: true })("an error", (it) => {
  const cases: ReadonlyArray<
    readonly [name: string, status: number, path: string, asked: Parameters<typeof ask>[1], says: RegExp]
  > = [
    ["of malformed JSON is a 400", 400, path, { text: "{nope" }, /not valid JSON/],
    ["of a missing field names it", 400, path, { body: {} }, /^partnerBaseUrl: .*missing/],
    [
      "of a wrong value shows it",
      400,
      path,
      { body: { ...newConnection, ourRole: "HUB" } },
      /^ourRole: .*"CPO".*actual "HUB"/
    ],
    [
      "of an impossible version names the field",
      400,
      path,
      { body: { ...newConnection, ocpiVersion: "2.2.0" } },
      /^ocpiVersion/
    ],
    ["of a body that is a list is a 400", 400, path, { text: '["canary-token-a"]' }, /got something else/],
    [
      "of a list in place of an object says what is due",
      400,
      path,
      { body: { ...newConnection, dialect: [] } },
      /^dialect: Expected an object, actual \[\]$/
    ],
    [
      "of a nested wrong kind of value says what is due",
      400,
      path,
      { body: { ...newConnection, dialect: { tokenEncoding: "raw" } } },
      /^dialect\.tokenEncoding: Expected an object \(the value is not shown\)$/
    ],
    [
      "of a text in place of a list says what is due",
      400,
      "/api/v1/settings/api-keys",
      { body: { name: "ci", scopes: "read" } },
      /^scopes: Expected a list, actual "read"$/
    ],
    [
      "of a list with too few items says how many are due",
      400,
      "/api/v1/settings/api-keys",
      { body: { name: "ci", scopes: [] } },
      /^scopes: expected at least 1 item/
    ],
    [
      "of a query parameter that is given twice says so",
      400,
      `${path}?limit=1&limit=2`,
      {},
      /^limit: is given 2 times in the query; give it once$/
    ],
    [
      "of a parameter with a list of values that is given twice says so once",
      400,
      `${path}?status=pending&status=failed`,
      {},
      /^status: is given 2 times in the query; give it once$/
    ],
    ["of an unknown path is a 404", 404, "/api/v1/nothing", {}, /nothing at this path/],
    ["of a NUL in an id is a 404", 404, `${path}/conn_%00`, {}, /./],
    ["of a path that cannot be decoded is a 404", 404, `${path}/%zz`, {}, /./],
    [
      "of an id of thousands of characters is a 404",
      404,
      `${path}/${"a".repeat(8000)}`,
      {},
      /nothing at this/
    ],
    ["of an unknown id is a 404", 404, `${path}/conn_nope`, {}, /no such connection/],
    ["of a wrong method is a 405", 405, path, { method: "PATCH" }, /GET, HEAD, OPTIONS, POST/],
    ["of an Accept without JSON is a 406", 406, path, { headers: { accept: "text/html" } }, /Accept/],
    ["of a declared large body is a 413", 413, path, { text: `"${"x".repeat(256 * 1024)}"` }, /256 KiB/],
    [
      "of a form is a 415",
      415,
      path,
      { text: "a=b", headers: { "content-type": "application/x-www-form-urlencoded" } },
      /application\/json/
    ],
    [
      "of another charset is a 415",
      415,
      path,
      { text: "{}", headers: { "content-type": "application/json; charset=latin1" } },
      /utf-8/
    ],
    ["of a deep body is a 400", 400, path, { text: "[".repeat(65) + "]".repeat(65) }, /deeper than 64/],
    [
      "of a very deep body is a 400",
      400,
      path,
      { text: "[".repeat(100_000) + "]".repeat(100_000) },
      /deeper than 64/
    ],
    ["of __proto__ is a 400", 400, path, { text: '{"__proto__":{"status":"registered"}}' }, /__proto__/],
    ["of a NUL in a string is a 400", 400, path, { text: '{"label":"a\\u0000b"}' }, /NUL/],
    [
      "of a field that comes twice is a 400",
      400,
      path,
      { text: '{"tokenA":"first","label":{"a":1},"token\\u0041":"second"}' },
      /the field "tokenA" twice in one object/
    ],
    ["of a bad query is a 400", 400, `${path}?limit=0`, {}, /^limit: .*1 to 100.*"0"/],
    [
      "of the same role on both sides is a 422",
      422,
      path,
      { body: { ...newConnection, ourRole: "CPO" } },
      /both CPO/
    ],
    [
      "of a private address is a 422",
      422,
      path,
      { body: { ...newConnection, partnerBaseUrl: "http://169.254.169.254/" } },
      /^config: partnerBaseUrl/
    ]
  ]
  for (const [name, status, at, asked, says] of cases) {
    it.effect(name, () =>
      Effect.gen(function* () {
        const answer = yield* ask(at, asked)
        assert.strictEqual(answer.status, status, answer.text)
        assert.deepStrictEqual(Object.keys(answer.json), ["success", "message"])
        assert.strictEqual(answer.json.success, false)
        assert.match(answer.json.message, says)
      })
    )
  }

  it.effect("of a chunked large body is a 413", () =>
    Effect.gen(function* () {
      const chunk = new TextEncoder().encode("x".repeat(64 * 1024))
      let left = 6
      const text = new ReadableStream({
        pull: (controller) => (left-- > 0 ? controller.enqueue(chunk) : controller.close())
      })
      const answer = yield* ask(path, { text })
      assert.strictEqual(answer.status, 413)
      assert.strictEqual(answer.json.success, false)
    })
  )

  it.effect("never shows a token", () =>
    Effect.gen(function* () {
      const answer = yield* ask(path, { body: { ...newConnection, tokenA: "canary".repeat(60) } })
      assert.strictEqual(answer.status, 400)
      assert.match(answer.json.message, /^tokenA/)
      assert.notInclude(answer.text, "canary")
    })
  )

  it.effect("of a wrong method says in Allow what is possible", () =>
    Effect.gen(function* () {
      const answer = yield* ask(`${path}/conn_1`, { method: "PUT", body: {} })
      assert.strictEqual(answer.status, 405)
      assert.strictEqual(answer.headers.get("allow"), "DELETE, GET, HEAD, OPTIONS")
    })
  )

  it.effect("leaves prototypes alone", () =>
    Effect.gen(function* () {
      yield* ask(path, {
        text: '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'
      })
      assert.notProperty({}, "polluted")
    })
  )
})

layer(servedApi(), { excludeTestServices: true })("every answer", (it) => {
  for (const [name, at] of [
    ["of the API", path],
    ["that is an error", "/api/v1/nothing"],
    ["of the documentation", "/docs"]
  ] as const) {
    it.effect(`${name} carries the protective headers`, () =>
      Effect.gen(function* () {
        const { headers } = yield* ask(at)
        assert.match(headers.get("x-request-id") ?? "", /^[0-9a-f-]{36}$/)
        assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
        // The documentation may be kept, to be asked for again by its tag.
        assert.strictEqual(headers.get("cache-control"), at === "/docs" ? "no-cache" : "no-store")
        assert.include(headers.get("content-security-policy") ?? "", "frame-ancestors 'none'")
        assert.isNull(headers.get("server"))
        assert.isNull(headers.get("x-powered-by"))
      })
    )
  }

  it.effect("of the documentation says its language", () =>
    Effect.gen(function* () {
      const { text } = yield* ask("/docs")
      assert.match(text, /^<!doctype html>\s*<html lang="en">/)
    })
  )

  it.effect("to HEAD is that of GET without the body", () =>
    Effect.gen(function* () {
      const head = yield* ask(path, { method: "HEAD" })
      assert.strictEqual(head.status, 200)
      assert.strictEqual(head.text, "")
    })
  )

  it.effect("to OPTIONS lists the methods", () =>
    Effect.gen(function* () {
      const options = yield* ask(path, { method: "OPTIONS", key: null })
      assert.strictEqual(options.status, 204)
      assert.strictEqual(options.headers.get("allow"), "GET, HEAD, OPTIONS, POST")
    })
  )
})
