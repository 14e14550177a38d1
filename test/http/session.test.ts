/** Sessions by the derived client, and where a request's caller comes from. */
import { FetchHttpClient, HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Unauthorized } from "../../schema/Errors.ts"
import { Api } from "../../src/api/Api.ts"
import { ask, publicUrl, servedApi } from "../support/http/servedApi.ts"

/** The derived client, with these headers on each request. */
const clientWith = (headers: Record<string, string>) =>
  Effect.gen(function* () {
    const { request } = yield* Effect.flatMap(HttpClient.HttpClient, (client) => client.get("/health/live"))
    return yield* HttpApiClient.make(Api, {
      baseUrl: new URL(request.url).origin,
      transformClient: HttpClient.mapRequest(HttpClientRequest.setHeaders(headers))
    }).pipe(Effect.provide(FetchHttpClient.layer))
  })

layer(servedApi(), { excludeTestServices: true })("the derived client", (it) => {
  it.effect("signs in, reads the session and signs out", () =>
    Effect.gen(function* () {
      const anybody = yield* clientWith({})
      const [begun, response] = yield* anybody.session.signIn({
        payload: { apiKey: "alice-key" },
        withResponse: true
      })
      assert.strictEqual(begun.keyId, "key_alice")
      const cookie = response.headers["set-cookie"]!.split(";")[0]!
      const browser = yield* clientWith({ cookie, "x-plugfest-console": "1" })
      assert.deepStrictEqual(yield* browser.session.read(), begun)
      assert.deepStrictEqual(yield* browser.connections.list({ urlParams: {} }), [])
      assert.deepStrictEqual(yield* browser.session.signOut(), begun)
      const over = yield* Effect.flip(browser.session.read())
      assert.instanceOf(over, Unauthorized)
    })
  )

  it.effect("gets the refusal of a sign-in as what it is", () =>
    Effect.gen(function* () {
      const anybody = yield* clientWith({})
      const refused = yield* Effect.flip(anybody.session.signIn({ payload: { code: "none" } }))
      assert.instanceOf(refused, Unauthorized)
    })
  )

  it.effect("makes a link with a key, and signs in with it once", () =>
    Effect.gen(function* () {
      const bob = yield* clientWith({ authorization: "Bearer bob-key" })
      const { url } = yield* bob.session.makeLink({ headers: {} })
      assert.strictEqual(url.split("#")[0], `${publicUrl}/sign-in`)
      const code = url.split("#code=")[1]!
      const begun = yield* bob.session.signIn({ payload: { code } })
      assert.strictEqual(begun.keyId, "key_bob")
      assert.instanceOf(yield* Effect.flip(bob.session.signIn({ payload: { code } })), Unauthorized)
    })
  )

  it.effect("is itself when it has both a key and a session", () =>
    Effect.gen(function* () {
      const [, response] = yield* (yield* clientWith({})).session.signIn({
        payload: { apiKey: "alice-key" },
        withResponse: true
      })
      const headers = {
        cookie: response.headers["set-cookie"]!.split(";")[0]!,
        origin: "https://evil.example"
      }
      const account = yield* ask("/api/v1/settings/api-keys", {
        key: "reader-key",
        method: "POST",
        body: {},
        headers
      })
      assert.strictEqual(account.status, 403)
      assert.match(account.json.message, /it has read/)
    })
  )
})
