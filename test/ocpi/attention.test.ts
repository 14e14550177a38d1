/** While the event loop stands still nobody is late but us. */
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import { Clock, Effect, Fiber, Layer } from "effect"
import { EgressGuard } from "../../src/ocpi/EgressGuard.ts"
import { OcpiClient } from "../../src/ocpi/OcpiClient.ts"
import { attendedTimeout, stoodStill } from "../../src/ocpi/transport/attention.ts"

const allowed = OcpiClient.layer({ timeoutMillis: 1000 }).pipe(
  Layer.provide(EgressGuard.layer({ allowCidrs: ["127.0.0.0/8"], reserved: [] }))
)

/** A partner in a thread of its own, which goes on while ours stands still: answers after so many milliseconds, or never. */
const partner = (afterMillis: number) =>
  Effect.acquireRelease(
    Effect.async<{ readonly url: string; readonly worker: Worker }>((resume) => {
      const worker = new Worker(
        `const { parentPort } = require("node:worker_threads")
         const server = require("node:http").createServer((_, response) => {
           if (${afterMillis} >= 0) setTimeout(() => response.end('{"status_code":1000}'), ${afterMillis})
         }).listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port))`,
        { eval: true }
      )
      worker.once("message", (port) =>
        resume(Effect.succeed({ url: `http://127.0.0.1:${port}/versions`, worker }))
      )
    }),
    ({ worker }) => Effect.promise(() => worker.terminate())
  )

const ask = (url: string) =>
  Effect.flatMap(OcpiClient, (client) =>
    client.exchange({
      exchangeId: "exc_1",
      module: "versions",
      operation: "list",
      method: "GET",
      url,
      requestId: "r",
      correlationId: "c",
      audience: [new URL(url).origin],
      secrets: []
    })
  ).pipe(Effect.provide(allowed))

/** Nothing else happens in this thread for so long. */
const block = (millis: number) =>
  Effect.sync(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, millis))

const millisOf = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const began = yield* Clock.currentTimeMillis
    const value = yield* work
    return [value, (yield* Clock.currentTimeMillis) - began] as const
  })

describe("a request whose answer came while we stood still", () => {
  it.scopedLive("has that answer, however long it lay there", () =>
    Effect.gen(function* () {
      const { url } = yield* partner(300)
      const many = Array.from({ length: 40 }, () => ask(url))
      const asking = yield* Effect.fork(Effect.all(many, { concurrency: "unbounded" }))
      yield* Effect.sleep("150 millis")
      yield* block(1800)
      for (const { exchange } of yield* Fiber.join(asking)) assert.strictEqual(exchange.outcome, "completed")
    })
  )

  it.scopedLive("has timed out when none came, in time that we attended to", () =>
    Effect.gen(function* () {
      const { url } = yield* partner(-1)
      const [{ exchange }, quiet] = yield* millisOf(ask(url))
      assert.strictEqual(exchange.outcome, "timed_out")
      assert.isAtLeast(quiet, 950)
      const asking = yield* Effect.fork(millisOf(ask(url)))
      yield* Effect.sleep("150 millis")
      yield* block(1200)
      const [late, paused] = yield* Fiber.join(asking)
      assert.strictEqual(late.exchange.outcome, "timed_out")
      assert.isAtLeast(paused, 2000)
    })
  )
})

describe("time of attention", () => {
  it.live("counts no pause, and all else", () =>
    Effect.gen(function* () {
      // The machine may be away during one of them.
      const waits = yield* Effect.replicateEffect(stoodStill(Effect.sleep("20 millis"), 20), 5)
      assert.include(
        waits.map(({ pausedMillis }) => pausedMillis),
        0
      )
      const still = yield* stoodStill(Effect.zipRight(block(800), Effect.sleep("20 millis")), 20)
      assert.isAtLeast(still.pausedMillis, 700)
    })
  )

  it.live("ends although pause follows pause", () =>
    Effect.gen(function* () {
      const sleeping = yield* Effect.fork(
        Effect.async<void>((resume) => void attendedTimeout(300, () => resume(Effect.void)))
      )
      for (let n = 0; n < 3; n++) {
        yield* Effect.sleep("50 millis")
        yield* block(650)
      }
      yield* Fiber.join(sleeping)
    })
  )
})
