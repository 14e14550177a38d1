import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { ask, servedApi } from "./support/servedApi.ts"
import { factsOf, write } from "./support/writtenRuns.ts"

const at = (rest = "") => `/api/v1/machines${rest}`

layer(servedApi(), { excludeTestServices: true })("the machines", (it) => {
  it.effect("are listed with how many of the caller's runs are in each state", () =>
    Effect.gen(function* () {
      const counts = (key: string) =>
        Effect.map(ask(at(), { key }), ({ json }) =>
          Object.fromEntries(json.data.map(({ counts, id }: any) => [id, counts.running ?? counts]))
        )
      const before = yield* counts("bob-key")
      const { json } = yield* ask(at())
      const running = json.data.find(({ id }: any) => id === "journeyRun").counts.running
      yield* write(factsOf("counted"), 1, 2)
      const { json: after } = yield* ask(at("/journeyRun"))
      assert.strictEqual(after.data.counts.running, running + 1)
      assert.deepStrictEqual(yield* counts("bob-key"), before)
    })
  )
  it.effect("are shown with states, transitions and a drawing", () =>
    Effect.gen(function* () {
      for (const id of ["journeyRun", "suiteRun", "handshake"]) {
        const { json } = yield* ask(at(`/${id}`))
        assert.isNotEmpty(json.data.transitions)
        assert.lengthOf(json.data.layout.nodes, json.data.states.length)
      }
    })
  )
  it.effect("are not found under another name", () =>
    Effect.gen(function* () {
      const { json, status } = yield* ask(at("/toaster"))
      assert.strictEqual(status, 404)
      assert.deepStrictEqual(Object.keys(json), ["success", "message"])
    })
  )
})
