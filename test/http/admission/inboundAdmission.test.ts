import type { IncomingMessage } from "node:http"
import { Readable } from "node:stream"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Fiber, Option } from "effect"
import { makeInboundAdmission } from "../../../src/http/admission/InboundAdmission.ts"
import type { InboundCaller } from "../../../src/party/wire/Admission.ts"
import { defaultLimits } from "../../../src/services/accounts/RateLimits.ts"

const caller = { party: { id: "conn_1", ownerId: "acc_1" }, callsBack: false } as unknown as InboundCaller

/** A request with a body of so many bytes. */
const requestOf = (bytes: number, headers: Record<string, string> = { "content-length": String(bytes) }) =>
  Object.assign(Readable.from(bytes === 0 ? [] : [Buffer.alloc(bytes, "x")]), {
    headers: { authorization: "Token abc", ...headers },
    socket: { remoteAddress: "192.0.2.1" }
  }) as unknown as IncomingMessage

/** How many of forty such calls of one party are served at once: `expected`, unless more come in or fewer for very long. */
const servedAtOnce = (request: () => IncomingMessage, expected: number) =>
  Effect.gen(function* () {
    const admissionOf = makeInboundAdmission(Option.none())
    let served = 0
    const begun = Effect.sync(() => {
      served += 1
    })
    const serve = () => Effect.zipRight(begun, Effect.never)
    const calls = yield* Effect.forEach(Array.from({ length: 40 }), () =>
      Effect.fork(admissionOf({ kind: "connection" }, request()).admit(caller, serve))
    )
    for (let looks = 0; served < expected && looks < 200; looks++) yield* Effect.sleep("50 millis")
    yield* Effect.sleep("50 millis")
    yield* Fiber.interruptAll(calls)
    return served
  })

describe("the admission of partners' calls", () => {
  it.live("serves a quarter of its slots for one party at once", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* servedAtOnce(() => requestOf(0), 32), 32)
      assert.strictEqual(yield* servedAtOnce(() => requestOf(1024), 32), 32)
    })
  )

  it.live("serves fewer with bodies that are large, or of an undeclared length", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* servedAtOnce(() => requestOf(64 * 1024), 6), 6)
      const chunked = { "transfer-encoding": "chunked" }
      assert.strictEqual(yield* servedAtOnce(() => requestOf(1024, chunked), 6), 6)
    })
  )

  // On a clock that stands, because the limit refills in time.
  it.effect(
    "has the look-ups of a flooded address wait for each other, but not those of tokens that were accepted",
    () =>
      Effect.gen(function* () {
        const admissionOf = makeInboundAdmission(Option.none())
        const from = (token: string) =>
          admissionOf({ kind: "connection" }, requestOf(0, { authorization: `Token ${token}` }))
        const accepted = from("accepted")
        yield* accepted.lookUp(Effect.void)
        yield* accepted.admit(caller, () => Effect.void)
        // A caller that was found in memory has no look-up, and nothing of it is remembered.
        yield* from("held").admit(caller, () => Effect.void)
        for (let n = 0; n < defaultLimits.unauthenticatedCalls; n++)
          yield* from("unknown").admit(undefined, () => Effect.void)
        const turn = Effect.promise(() => new Promise((done) => setImmediate(done)))
        const isDone = (token: string) =>
          Effect.gen(function* () {
            const fiber = yield* Effect.fork(from(token).lookUp(Effect.void))
            yield* turn
            const isOver = Option.isSome(yield* Fiber.poll(fiber))
            yield* Fiber.interrupt(fiber)
            return isOver
          })
        const waiting = yield* Effect.fork(from("unknown").lookUp(Effect.never))
        yield* turn
        assert.isTrue(yield* isDone("accepted"))
        assert.isFalse(yield* isDone("held"))
        assert.isFalse(yield* isDone("unknown"))
        yield* Fiber.interrupt(waiting)
        assert.isTrue(yield* isDone("unknown"))
      })
  )
})
