import { assert, describe, it } from "@effect/vitest"
import { Data, Effect, Redacted } from "effect"
import { Tracing } from "../../src/telemetry/Tracing.ts"
import { collector } from "../support/telemetry/Collector.ts"

class Odd extends Data.TaggedError("Odd")<{ readonly message: string }> {}

const traced = (url: string | undefined, work: Effect.Effect<unknown, unknown>, headers?: string) =>
  Effect.exit(work).pipe(
    Effect.provide(
      Tracing.layer({
        url,
        instance: "test",
        everySeconds: 0.05,
        headers: headers === undefined ? undefined : Redacted.make(headers)
      })
    )
  )

const inner = Effect.withSpan(Effect.sleep("5 millis"), "inner", {
  kind: "client",
  attributes: { text: "a", count: 3, share: 0.5, yes: true, list: [1, 2] }
})

describe("Tracing", () => {
  it.scopedLive("sends spans to the collector as the protocol has them, the last ones at the end", () =>
    Effect.gen(function* () {
      const { requests, spans, url } = yield* collector()
      yield* traced(url, Effect.withSpan(inner, "outer", { kind: "server" }), "x-api-key=abc,b=c=d")
      const [child, parent] = spans()
      assert.strictEqual(requests[0]?.path, "/v1/traces")
      assert.deepInclude(requests[0]?.headers, { "x-api-key": "abc", b: "c=d" })
      assert.match(child!.traceId, /^[0-9a-f]{32}$/)
      assert.match(child!.spanId, /^[0-9a-f]{16}$/)
      assert.deepInclude(child, { name: "inner", kind: 3, parentSpanId: parent!.spanId })
      assert.deepInclude(parent, { name: "outer", kind: 2, traceId: child!.traceId, status: { code: 1 } })
      assert.deepStrictEqual(child!.attributes, {
        text: "a",
        count: "3",
        share: "0.5",
        yes: "true",
        list: "[1,2]"
      })
      const took = Number(BigInt(child!.endTimeUnixNano) - BigInt(child!.startTimeUnixNano)) / 1e6
      assert.isAtLeast(took, 4)
    })
  )

  it.scopedLive("names the kind of a failure, and none of its words", () =>
    Effect.gen(function* () {
      const { requests, spans, url } = yield* collector()
      yield* traced(url, Effect.withSpan(new Odd({ message: "canary-in-words" }), "fails"))
      assert.deepInclude(spans()[0], { name: "fails", status: { code: 2 } })
      assert.strictEqual(spans()[0]?.attributes["error.type"], "Odd")
      assert.notInclude(requests.map(({ body }) => body).join(), "canary-in-words")
    })
  )

  it.scopedLive("tries again what a busy collector did not take, once each and in order", () =>
    Effect.gen(function* () {
      const { requests, spans, url } = yield* collector([503, 429])
      const some = Effect.forEach(
        ["a", "b", "c"],
        (name) => Effect.withSpan(Effect.sleep("80 millis"), name),
        { discard: true }
      )
      yield* traced(
        url,
        Effect.zipRight(some, Effect.repeat(Effect.sleep("20 millis"), { until: () => spans().length === 3 }))
      )
      assert.isAtLeast(requests.length, 3)
      assert.deepStrictEqual(
        spans().map(({ name }) => name),
        ["a", "b", "c"]
      )
    })
  )

  it.scopedLive("costs the work nothing but a warning when there is no collector", () =>
    Effect.gen(function* () {
      const exit = yield* traced("http://127.0.0.1:1", Effect.withSpan(Effect.succeed(1), "a"))
      assert.strictEqual(exit._tag, "Success")
    })
  )

  it.scopedLive("makes no spans at all without a collector", () =>
    Effect.gen(function* () {
      const ids = yield* traced(
        undefined,
        Effect.withSpan(Effect.flatMap(Effect.currentSpan, Effect.succeed), "a")
      )
      assert.strictEqual(ids._tag, "Success")
      assert.strictEqual(ids._tag === "Success" ? (ids.value as { traceId: string }).traceId : "", "noop")
    })
  )
})
