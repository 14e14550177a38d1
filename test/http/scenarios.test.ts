import { HttpApiClient, HttpClient, HttpClientRequest } from "@effect/platform"
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Api } from "../../src/api/Api.ts"
import { plannedTemplates } from "../../src/journeys/catalogue/catalogue.ts"
import { misfitsOf, plannedPacks } from "../../src/journeys/catalogue/playable.ts"
import { ask, registered, servedApi } from "../support/http/servedApi.ts"

const at = "/api/v1/testing/scenarios"
const draft = { name: "Slow", templateId: "remote-start", limits: { "session-active": 60 } }
const real = servedApi({
  journeys: { misfits: misfitsOf, packs: plannedPacks, catalogue: plannedTemplates }
})

layer(real, { excludeTestServices: true })("saved scenarios", (it) => {
  it.effect("are kept, changed with their version, and removed by their owner", () =>
    Effect.gen(function* () {
      const made = yield* ask(at, { body: draft })
      assert.strictEqual(made.status, 201)
      const one = `${at}/${made.json.data.id}`
      assert.deepInclude(made.json.data, { ...draft, inputs: {}, version: 1 })
      assert.strictEqual((yield* ask(one, { key: "bob-key" })).status, 404)
      const change = { ...draft, name: "Slower", version: 1 }
      const changed = yield* ask(one, { method: "PUT", body: change })
      assert.deepInclude(changed.json.data, { name: "Slower", version: 2 })
      const stale = yield* ask(one, { method: "PUT", body: change })
      assert.strictEqual(stale.status, 409)
      assert.match(stale.json.message, /version: 1 is not the current version, which is 2/)
      assert.strictEqual((yield* ask(one, { method: "DELETE" })).status, 200)
      assert.strictEqual((yield* ask(one)).status, 404)
    })
  )

  it.effect("are refused when something does not fit the template, by name", () =>
    Effect.gen(function* () {
      const wrong = yield* ask(at, { body: { ...draft, limits: { nowhere: 1 } } })
      assert.strictEqual(wrong.status, 400)
      assert.match(wrong.json.message, /limits\.nowhere: remote-start has no stage/)
      assert.strictEqual((yield* ask(at, { body: draft, key: "reader-key" })).status, 403)
    })
  )

  it.effect("are imported from a file and exported to one", () =>
    Effect.gen(function* () {
      const file = "name: From a file\ntemplateId: first-reads\n"
      const made = yield* ask(`${at}/import`, { body: { file } })
      assert.strictEqual(made.status, 201)
      const { id } = made.json.data
      const yaml = yield* ask(`${at}/${id}/export`)
      assert.strictEqual(yaml.headers.get("content-type"), "application/yaml")
      assert.include(yaml.text, "name: From a file")
      const json = yield* ask(`${at}/${id}/export?format=json`)
      assert.deepInclude(json.json, { name: "From a file", templateId: "first-reads" })
      const bad = yield* ask(`${at}/import`, { body: { file: "name: A\ntemplateId: no\n" } })
      assert.strictEqual(bad.status, 400)
      assert.match(bad.json.message, /^line 2, column 13: templateId: No journey and no pack has the id/)
    })
  )

  it.effect("are validated without being kept, through the derived client", () =>
    Effect.gen(function* () {
      const http = yield* HttpClient.HttpClient
      const api = yield* HttpApiClient.makeWith(Api, {
        httpClient: HttpClient.mapRequest(http, HttpClientRequest.bearerToken("alice-key"))
      })
      const answer = yield* api.scenarios.validate({ payload: { file: "name: A\ntemplateId: no\n" } })
      assert.deepInclude(answer.problems[0], { line: 2, column: 13, path: "templateId" })
      const saved = yield* api.scenarios.create({ headers: {}, payload: draft })
      assert.deepInclude(yield* api.scenarios.list({ urlParams: {} }), saved)
    })
  )
})

layer(real, { excludeTestServices: true })("the journey catalogue", (it) => {
  it.effect("has packs, and the caller's scenarios; its ETag changes with them", () =>
    Effect.gen(function* () {
      const before = yield* ask("/api/v1/testing/journeys")
      assert.isTrue(before.json.data.packs.some(({ id }: { id: string }) => id === "go-live-cpo"))
      for (const one of [...before.json.data.templates, ...before.json.data.packs]) {
        assert.isFalse(one.runnable)
        assert.match(one.reasons.join(), /^No target is named: give connectionId/, one.id)
      }
      yield* ask(at, { body: draft })
      const after = yield* ask("/api/v1/testing/journeys")
      assert.strictEqual(after.json.data.scenarios[0].name, "Slow")
      assert.notStrictEqual(after.headers.get("etag"), before.headers.get("etag"))
    })
  )

  it.effect("is not sent again to a client that has it", () =>
    Effect.gen(function* () {
      const etag = (yield* ask("/api/v1/testing/journeys")).headers.get("etag")!
      const given = (value: string) =>
        ask("/api/v1/testing/journeys", { headers: { "if-none-match": value } })
      for (const value of [etag, `W/${etag}`, `"other", ${etag}`]) {
        const same = yield* given(value)
        assert.strictEqual(same.status, 304, value)
        assert.strictEqual(same.text, "")
        assert.strictEqual(same.headers.get("etag"), etag)
      }
      assert.strictEqual((yield* given('"other"')).status, 200)
      const other = yield* ask("/api/v1/testing/journeys?ocpiVersion=2.1.1", {
        headers: { "if-none-match": etag }
      })
      assert.strictEqual(other.status, 200)
    })
  )

  it.effect("says for a target what can be run, and why not", () =>
    Effect.gen(function* () {
      const id = yield* registered()
      const { json } = yield* ask(`/api/v1/testing/journeys?connectionId=${id}`)
      const start = json.data.templates.find(({ id }: { id: string }) => id === "remote-start")
      assert.isFalse(start.runnable)
      assert.match(start.reasons.join(), /no locations endpoint/)
      const sandbox = yield* ask("/api/v1/testing/journeys?target=sandbox")
      assert.isTrue(sandbox.json.data.templates.every(({ runnable }: { runnable: boolean }) => runnable))
      const poor = yield* ask(`/api/v1/testing/journeys?connectionId=${yield* registered({}, "poor-key")}`, {
        key: "poor-key"
      })
      assert.match(poor.json.data.templates[0].reasons.join(), /lowest plan that does is "integrate"/)
    })
  )

  it.effect("takes one of template, pack and scenario, and no stale plan", () =>
    Effect.gen(function* () {
      const connectionId = yield* registered()
      const run = (body: Record<string, unknown>) =>
        ask("/api/v1/testing/journey-runs", { body: { connectionId, ...body } })
      assert.strictEqual((yield* run({})).status, 400)
      assert.strictEqual((yield* run({ templateId: "a", packId: "b" })).status, 400)
      assert.strictEqual((yield* run({ packId: "none" })).status, 404)
      assert.strictEqual((yield* run({ scenarioId: "scn_none" })).status, 404)
      const stale = yield* run({ packId: "go-live-cpo", planVersion: "old" })
      assert.strictEqual(stale.status, 409)
      const unfit = yield* run({ packId: "go-live-cpo" })
      assert.strictEqual(unfit.status, 422)
    })
  )
})
