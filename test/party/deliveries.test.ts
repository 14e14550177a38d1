/** A balancer delivers a request again where a process died: the partner sent it once, and it is one exchange. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { resultsOf } from "../../src/party/outbound/PartnerCalls.ts"
import type { Delivery } from "../../src/party/wire/Request.ts"
import { expectedResults, PartyStore } from "../../src/store/parties/PartyStore.ts"
import { cdr, session } from "../support/ocpi/objects.ts"
import { ask, own, partyWith, roomLayer, tokenOf } from "../support/parties/parties.ts"

const token = (name: string) => `of-emsp-${name}-0123456789`

const emsp = (name: string) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    const party = partyWith({ id: `emsp_${name}`, role: "EMSP" })
    yield* store.insert(party, [tokenOf("issued", "tokenC", token(name))])
    const recorded = Effect.map(store.inboundAfter(party.id, 0, 10), (all) =>
      all.map(({ exchange }) => [exchange.operation, exchange.response?.httpStatus])
    )
    const deliver = (delivery: Delivery, method: string, path: string, body?: unknown) =>
      ask({ method, path: `2.2.1/${path}`, token: token(name), body, delivery })
    return { party, recorded, deliver, store }
  })

/** The time of the requests of `ask`. */
const now = Date.UTC(2026, 0, 1)
const named = (beganAt: number, name = "23ca840c-67a5-4d87-90d4-41bc7b7f7aa5"): Delivery => ({
  beganAt,
  name
})

layer(roomLayer("http://ours.test"))("a request that is delivered twice", (it) => {
  const path = "sessions/DE/CPO/S1"
  const object = session({ id: "S1" })

  it.effect("is one exchange, with the answer that was given last", () =>
    Effect.gen(function* () {
      const { deliver, recorded } = yield* emsp("twice")
      assert.strictEqual((yield* deliver(named(now - 900), "PUT", path, object)).http, 201)
      assert.strictEqual((yield* deliver(named(now - 900), "PUT", path, object)).http, 200)
      assert.deepStrictEqual(yield* recorded, [["PUT session", 200]])
      assert.strictEqual((yield* deliver(named(now - 800), "GET", path)).http, 200)
      assert.strictEqual((yield* deliver(named(now - 800), "GET", path)).http, 200)
      assert.lengthOf(yield* recorded, 2)
    })
  )

  it.effect("is one CDR", () =>
    Effect.gen(function* () {
      const { deliver, recorded } = yield* emsp("cdr")
      const first = yield* deliver(named(now), "POST", "cdrs", cdr({ id: "C1" }))
      const second = yield* deliver(named(now), "POST", "cdrs", cdr({ id: "C1" }))
      assert.deepStrictEqual([first.http, second.http], [201, 200])
      assert.strictEqual(second.headers["location"], first.headers["location"])
      assert.lengthOf(yield* recorded, 1)
    })
  )

  it.effect("is one result of a command", () =>
    Effect.gen(function* () {
      const { deliver, party, store } = yield* emsp("result")
      yield* own(party, expectedResults, "cmd_1", {
        command: "STOP_SESSION",
        last_updated: "2026-01-01T00:00:00Z"
      })
      const result = { result: "ACCEPTED" }
      for (let turn = 0; turn < 2; turn++)
        assert.strictEqual(
          (yield* deliver(named(now), "POST", "commands/STOP_SESSION/cmd_1", result)).code,
          1000
        )
      const [exchange, ...more] = yield* store.inboundAfter(party.id, 0, 10)
      assert.lengthOf(more, 0)
      const kept = yield* store.objects(party.id, resultsOf("cmd_1"), "received", { offset: 0, limit: 10 })
      assert.deepStrictEqual(
        kept.items.map(({ key }) => key),
        [exchange?.exchange.id]
      )
    })
  )

  it.effect("is told from what the partner itself sends again, and from another request of that name", () =>
    Effect.gen(function* () {
      const { deliver, recorded } = yield* emsp("again")
      yield* deliver(named(now), "PUT", path, object)
      yield* deliver(named(now, "f".repeat(32)), "PUT", path, object)
      yield* deliver(named(now), "PUT", path, session({ id: "S1", kwh: 2 }))
      assert.lengthOf(yield* recorded, 3)
    })
  )

  it.effect("is told by a clock that is right", () =>
    Effect.gen(function* () {
      const { deliver, recorded } = yield* emsp("clocks")
      const counts: Array<number> = []
      for (const at of [now, now + 400_000, now - 400_000]) {
        for (let turn = 0; turn < 2; turn++) yield* deliver(named(at), "PUT", path, object)
        counts.push((yield* recorded).length)
      }
      assert.deepStrictEqual(counts, [1, 3, 5])
    })
  )
})
