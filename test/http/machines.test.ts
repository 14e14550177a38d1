import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { Placement } from "../../src/placement/Placement.ts"
import { ask, servedApi } from "../support/http/servedApi.ts"
import { factsOf, write } from "../support/http/writtenRuns.ts"

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
  it.effect(
    "run in processes, of which a caller sees how many of its own runs each works on, and at which epoch",
    () =>
      Effect.gen(function* () {
        const held = (key?: string) =>
          Effect.map(ask("/api/v1/processes", key === undefined ? {} : { key }), ({ json }) =>
            json.data.map(({ _id, alive, runs }: any) => [_id, alive, runs])
          )
        const lags = (yield* ask("/api/v1/processes")).json.data.map(({ lagMs }: any) => lagMs)
        assert.deepStrictEqual(lags, [7, undefined])
        const [[, , before]] = yield* held()
        yield* write(factsOf("leased"), 1, 2)
        yield* write({ ...factsOf("leased_suite"), kind: "conformance" }, 1, 2)
        yield* write(factsOf("leased_over"), 1, 3)
        yield* write(factsOf("leased_of_bob", "own_bob"), 1, 2)
        assert.deepStrictEqual(yield* held(), [
          ["memory", true, before + 2],
          ["lost", false, 0]
        ])
        assert.strictEqual((yield* held("bob-key"))[0][2], 1)

        const { json, text } = yield* ask("/api/v1/leases?limit=1000")
        assert.notInclude(text, "of_bob")
        assert.notInclude(text, "run_leased_over")
        const { until, ...lease } = json.data.find(({ runId }: any) => runId === "run_leased")
        assert.isAbove(Date.parse(until), 0)
        assert.deepStrictEqual(lease, {
          runId: "run_leased",
          kind: "journey",
          epoch: 1,
          processId: "memory",
          valid: true
        })
        const { runId } = lease
        yield* Effect.flatMap(Placement, ({ release }) => release(runId, 1))
        const suite = yield* ask("/api/v1/leases?kind=conformance&limit=1")
        assert.isNull(suite.headers.get("link"), "as many as there are")
        yield* write({ ...factsOf("earlier_suite"), kind: "conformance" }, 1, 2)
        const suites = yield* ask("/api/v1/leases?kind=conformance&limit=1")
        assert.deepStrictEqual(
          suites.json.data.map(({ runId }: any) => runId),
          ["run_leased_suite"]
        )
        assert.include(suites.headers.get("link"), "cursor=run_leased_suite")
        const rest = yield* ask("/api/v1/leases?cursor=run_leased_suite")
        assert.deepInclude(rest.json.data[0], { runId, epoch: 1, processId: null, valid: false })
        assert.deepStrictEqual((yield* held())[0], ["memory", true, before + 2])
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
