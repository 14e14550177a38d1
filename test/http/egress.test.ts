import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, servedApi } from "../support/http/servedApi.ts"

const path = "/api/v1/settings/egress"

layer(servedApi(), { excludeTestServices: true })("a question about a URL", (it) => {
  it.effect("is answered with the rule that decides", () =>
    Effect.gen(function* () {
      const { json, status, text } = yield* ask(path, { body: { url: "ftp://partner.example/" } })
      assert.strictEqual(status, 200, text)
      assert.isFalse(json.data.allowed)
      assert.strictEqual(json.data.rule, "scheme")
      assert.match(json.data.message, /use http or https/)
      assert.strictEqual((yield* ask(path, { body: {} })).status, 400)
    })
  )
})
