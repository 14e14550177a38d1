import { assert, layer } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import type { LedgerEvent } from "../../schema/LedgerEvent.ts"
import type { JourneyRuns } from "../../src/journeys/JourneyRuns.ts"
import { NotAccepted } from "../../src/journeys/NotAccepted.ts"
import { ask, servedApi } from "../support/http/servedApi.ts"
import { factsOf, types, write } from "../support/http/writtenRuns.ts"

const at = (name: string, rest = "") => `/api/v1/testing/journey-runs/run_${name}${rest}`

layer(servedApi(), { excludeTestServices: true })("a journey run", (it) => {
  it.effect("shows its durable status to its owner and to nobody else", () =>
    Effect.gen(function* () {
      yield* write(factsOf("status"), 1, 2)
      const { json } = yield* ask(at("status"))
      assert.strictEqual(json.data.status, "running")
      assert.strictEqual(json.data.workerHealthy, true)
      assert.deepStrictEqual(json.data.recoveryOptions, [])
      for (const rest of ["", "/events", "/stream"]) {
        const foreign = yield* ask(at("status", rest), { key: "bob-key" })
        assert.strictEqual(foreign.status, 404)
        assert.strictEqual(foreign.text, (yield* ask(at("nothing", rest), { key: "bob-key" })).text)
      }
      for (const rest of ["/recovery", "/cancel"]) {
        assert.strictEqual((yield* ask(at("status", rest), { key: "bob-key", method: "POST" })).status, 404)
      }
    })
  )

  it.effect("pages its ledger by sequence", () =>
    Effect.gen(function* () {
      yield* write(factsOf("paged"), 1, 3)
      const first = yield* ask(at("paged", "/events?limit=2"))
      assert.deepStrictEqual(
        first.json.data.map((event: LedgerEvent) => event.sequence),
        [1, 2]
      )
      assert.include(first.headers.get("link"), "after=2")
      assert.isNull((yield* ask(at("paged", "/events?limit=3"))).headers.get("link"), "as many as there are")
      const rest = yield* ask(at("paged", "/events?after=2"))
      assert.deepStrictEqual(
        rest.json.data.map((event: LedgerEvent) => event.type),
        ["run.completed"]
      )
    })
  )

  for (const bad of ["after=-1", "after=x", "after=1.5", "after=", "limit=0", "type=run.exploded"]) {
    it.effect(`refuses ${bad}`, () =>
      Effect.gen(function* () {
        yield* write(factsOf("bad"), 1, 2)
        assert.strictEqual((yield* ask(at("bad", `/events?${bad}`))).status, 400)
      })
    )
  }
})

layer(servedApi(), { excludeTestServices: true })("the stream", (it) => {
  it.effect("is answered to HEAD as to GET, without waiting for events", () =>
    Effect.gen(function* () {
      yield* write(factsOf("head"), 1, 2)
      const open = yield* ask(at("head", "/stream"), { method: "HEAD" })
      assert.strictEqual(open.status, 200)
      assert.match(open.headers.get("content-type") ?? "", /^text\/event-stream/)
      yield* write(factsOf("over"), 1, 3)
      const over = yield* ask(at("over", "/stream?lastEventId=3"), { method: "HEAD" })
      assert.strictEqual(over.status, 204)
    })
  )

  it.effect("replays, follows live, and ends after the terminal event", () =>
    Effect.gen(function* () {
      yield* write(factsOf("live"), 1, 2)
      const reading = yield* Effect.fork(ask(at("live", "/stream")))
      yield* Effect.sleep("200 millis")
      yield* write(factsOf("live"), 3, 3)
      const { headers, text } = yield* Fiber.join(reading)
      assert.match(headers.get("content-type") ?? "", /^text\/event-stream/)
      assert.strictEqual(headers.get("x-accel-buffering"), "no")
      assert.strictEqual(headers.get("cache-control"), "no-store")
      assert.match(text, /^retry: 2000\n/)
      assert.deepStrictEqual(
        [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id),
        ["1", "2", "3"]
      )
      const frames = [...text.matchAll(/^data: (.+)$/gm)].map(([, line]) => JSON.parse(line!) as LedgerEvent)
      assert.deepStrictEqual(
        frames.map(({ type }) => type),
        types
      )
    })
  )

  it.effect("goes on after Last-Event-ID, which beats the query", () =>
    Effect.gen(function* () {
      yield* write(factsOf("resumed"), 1, 3)
      const { text } = yield* ask(at("resumed", "/stream?lastEventId=0"), {
        headers: { "last-event-id": "2" }
      })
      assert.deepStrictEqual(
        [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => id),
        ["3"]
      )
    })
  )

  it.effect("tells a client that has all of a finished run to stay away", () =>
    Effect.gen(function* () {
      yield* write(factsOf("over"), 1, 3)
      const answer = yield* ask(at("over", "/stream"), { headers: { "last-event-id": "3" } })
      assert.strictEqual(answer.status, 204)
    })
  )

  for (const id of ["x", "-1", "1.5", "4", "99999999999999999999"]) {
    it.effect(`refuses to go on after ${id}`, () =>
      Effect.gen(function* () {
        yield* write(factsOf("refused"), 1, 3)
        const answer = yield* ask(at("refused", "/stream"), { headers: { "last-event-id": id } })
        assert.strictEqual(answer.status, 400)
        assert.match(answer.json.message, /^Last-Event-ID: /)
      })
    )
  }
})

layer(servedApi(), { excludeTestServices: true })("a report with wait", (it) => {
  const report = (name: string, query: string) => ask(`/api/v1/testing/runs/rep_${name}${query}`)

  it.effect("answers as soon as the run changes", () =>
    Effect.gen(function* () {
      yield* write(factsOf("wait"), 1, 2)
      const waiting = yield* Effect.fork(report("wait", "?wait=20&since=2"))
      yield* Effect.sleep("200 millis")
      yield* write(factsOf("wait"), 3, 3)
      const { json } = yield* Fiber.join(waiting)
      assert.strictEqual(json.data.status, "completed")
      assert.strictEqual(json.data.revision, 3)
    })
  )

  it.effect(
    "answers at once when the run is over, when since is old, or when wait is no whole number",
    () =>
      Effect.gen(function* () {
        yield* write(factsOf("done"), 1, 3)
        yield* write(factsOf("old"), 1, 2)
        for (const asking of [
          report("done", "?wait=30"),
          report("old", "?wait=30&since=1"),
          report("old", "?wait=1.5"),
          report("old", "?wait=-3")
        ]) {
          const answer = yield* asking
          assert.strictEqual(answer.status, 200)
        }
      }).pipe(Effect.timeout("15 seconds")) // of thirty that one may wait
  )

  it.effect("answers with what it has when the time is over", () =>
    Effect.gen(function* () {
      yield* write(factsOf("slow"), 1, 2)
      const { json } = yield* report("slow", "?wait=1")
      assert.strictEqual(json.data.status, "running")
      assert.isNull(json.data.verdict)
    })
  )

  it.effect("is in the list of its owner only", () =>
    Effect.gen(function* () {
      yield* write(factsOf("listed"), 1, 2)
      const mine = yield* ask("/api/v1/testing/runs")
      assert.isNotEmpty(mine.json.data)
      assert.deepStrictEqual((yield* ask("/api/v1/testing/runs", { key: "bob-key" })).json.data, [])
    })
  )
})

const asked: Array<unknown> = []
const recover = (...[, , request]: Parameters<JourneyRuns["Type"]["recover"]>) => {
  asked.push(request)
  return Effect.fail(new NotAccepted({ kind: "stale", message: "asked" }))
}
layer(servedApi({ journeys: { recover } }), { excludeTestServices: true })("a decision", (it) => {
  for (const [query, body, field] of [
    ["decision=resume", { decision: "abandon" }, "decision"],
    ["decision=resume&recoveryVersion=1", { decision: "resume", recoveryVersion: 2 }, "recoveryVersion"]
  ] as const) {
    it.effect(`is refused with two values of ${field}, in the query and in the body`, () =>
      Effect.gen(function* () {
        yield* write(factsOf(`two-${field}`), 1, 2)
        const answer = yield* ask(at(`two-${field}`, `/recovery?${query}`), { body })
        assert.strictEqual(answer.status, 400, answer.text)
        assert.match(answer.json.message, new RegExp(`^${field}: is .* in the query and .* in the body`))
        assert.isEmpty(asked)
      })
    )
  }

  it.effect("may stand in part in the query and in part in the body, and twice if it is the same", () =>
    Effect.gen(function* () {
      yield* write(factsOf("parts"), 1, 2)
      const query = "/recovery?decision=resume&recoveryVersion=1"
      yield* ask(at("parts", query), { body: { decision: "resume" } })
      assert.deepStrictEqual(asked.splice(0), [{ decision: "resume", recoveryVersion: 1 }])
    })
  )
})
