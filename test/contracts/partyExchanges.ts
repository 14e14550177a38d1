/** What every PartyStore promises of the exchanges of a party. */
import { assert, describe, it, layer } from "@effect/vitest"
import { Effect, type Layer, Queue, type Scope } from "effect"
import { PartyId } from "../../schema/Ids.ts"
import type { Arrivals } from "../../src/store/parties/Arrivals.ts"
import { type ExchangePage, PartyStore, refusedKept } from "../../src/store/parties/PartyStore.ts"
import { exchange, party } from "../support/parties/heldParties.ts"

export const partyExchangesContract = <E>(name: string, live: Layer.Layer<PartyStore, E>) =>
  layer(live)(`${name}, exchanges`, (it) => {
    it.effect(
      "keeps exchanges in order, absorbs one that is recorded twice, and wakes only for inbound ones",
      () =>
        Effect.scoped(
          Effect.gen(function* () {
            const {
              arrivals,
              exchanges,
              exchangesBefore,
              exchangesById,
              head,
              inboundAfter,
              insert,
              record
            } = yield* PartyStore
            const id = PartyId.make("p_exchanges")
            const quiet = PartyId.make("p_only_called_by_us")
            yield* insert(party("p_exchanges"), [])
            yield* insert(party("p_only_called_by_us"), [])
            const woken = yield* heardBy(arrivals)
            yield* record(id, exchange("exc_1", "outbound"))
            yield* record(id, exchange("exc_2"))
            yield* record(id, { ...exchange("exc_1", "outbound"), outcome: "completed" })
            yield* record(id, exchange("exc_3"))
            const all = yield* exchanges(id, 0, 10)
            assert.deepStrictEqual(
              all.map(({ exchange: { id, outcome } }) => [id, outcome]),
              [
                ["exc_1", "completed"],
                ["exc_2", "unknown"],
                ["exc_3", "unknown"]
              ]
            )
            assert.deepStrictEqual(all[1]!.exchange, exchange("exc_2"))
            assert.strictEqual(yield* head(id), all[2]!.position)
            const outbound = yield* exchanges(id, 0, 10, "outbound")
            assert.deepStrictEqual(outbound, all.slice(0, 1))
            const before = (page: Omit<ExchangePage, "limit">, limit = 2) =>
              Effect.map(exchangesBefore(id, { limit, ...page }), (found) =>
                found.map(({ exchange: { id } }) => id)
              )
            assert.deepStrictEqual(yield* before({}), ["exc_3", "exc_2"])
            assert.deepStrictEqual(yield* before({ cursor: "exc_2" }), ["exc_1"])
            assert.deepStrictEqual(yield* before({ direction: "inbound" }, 9), ["exc_3", "exc_2"])
            assert.deepStrictEqual(yield* before({ direction: "outbound" }), ["exc_1"])
            assert.deepStrictEqual(yield* before({ direction: "outbound", cursor: "exc_1" }), [])
            assert.deepStrictEqual(yield* before({ upTo: all[1]!.position }), ["exc_2", "exc_1"])
            assert.deepStrictEqual(yield* before({ direction: "inbound", upTo: all[1]!.position }), ["exc_2"])
            assert.deepStrictEqual(yield* before({ cursor: "exc_3", upTo: all[0]!.position }), ["exc_1"])
            for (const cursor of ["exc_gone", "\0"]) assert.deepStrictEqual(yield* before({ cursor }), [])
            const byId = yield* exchangesById(id, ["exc_3", "exc_gone", "\0", "exc_1"])
            assert.sameDeepMembers([...byId], [all[2]!.exchange, all[0]!.exchange])
            assert.deepStrictEqual(yield* exchangesById(quiet, ["exc_1"]), [])
            assert.deepStrictEqual(yield* exchangesById(id, []), [])
            const later = yield* inboundAfter(id, all[0]!.position, 1)
            assert.deepStrictEqual(
              later.map(({ exchange: { id } }) => id),
              ["exc_2"]
            )
            yield* record(quiet, exchange("exc_4", "outbound"))
            const wakes = [...(yield* Queue.takeAll(woken))]
            assert.isAtLeast(wakes.filter((one) => one === id).length, 2)
            assert.notInclude(wakes, quiet)
          })
        )
    )

    it.effect(
      "keeps the latest of the calls that were refused, and all others",
      () =>
        Effect.gen(function* () {
          const { inboundAfter, insert, record } = yield* PartyStore
          const [id, other] = [PartyId.make("p_refused"), PartyId.make("p_refused_too")]
          yield* insert(party("p_refused"), [])
          yield* insert(party("p_refused_too"), [])
          yield* record(id, exchange("exc_good"))
          yield* record(other, exchange("exc_other"), "refused")
          yield* Effect.forEach(Array.from({ length: refusedKept + 20 }), (_, n) =>
            record(id, exchange(`exc_${n}`), "refused")
          )
          const all = yield* inboundAfter(id, 0, 5000)
          assert.lengthOf(all, refusedKept + 1)
          assert.deepStrictEqual(
            [all[0]!.exchange.id, all[1]!.exchange.id, all.at(-1)!.exchange.id],
            ["exc_good", "exc_20", `exc_${refusedKept + 19}`]
          )
          assert.lengthOf(yield* inboundAfter(other, 0, 10), 1)
        }),
      60_000
    )

    it.effect("lets no reader of growing positions miss a slower writer", () =>
      Effect.gen(function* () {
        const { inboundAfter, insert, record } = yield* PartyStore
        const id = PartyId.make("p_race")
        yield* insert(party("p_race"), [])
        const seen: Array<string> = []
        const writing = yield* Effect.fork(
          Effect.forEach(
            Array.from({ length: 200 }, (_, n) => `exc_${n}`),
            (name) => record(id, exchange(name)),
            {
              concurrency: 20,
              discard: true
            }
          )
        )
        let position = 0
        while (seen.length < 200) {
          const isWritten = writing.unsafePoll() !== null
          const page = yield* inboundAfter(id, position, 50)
          seen.push(...page.map(({ exchange }) => exchange.id))
          position = page.at(-1)?.position ?? position
          yield* Effect.yieldNow()
          if (isWritten && page.length === 0) break
        }
        assert.strictEqual(new Set(seen).size, 200)
      })
    )
  })

/** `stores`: those of two processes on one database, of which `elsewhere` sends no notifications. */
export const twoProcessesContract = <E>(
  name: string,
  stores: Effect.Effect<Record<"here" | "elsewhere", PartyStore["Type"]>, E, Scope.Scope>
) =>
  describe(`${name}, exchanges of two processes`, () => {
    it.scopedLive("wakes for a call that another process received, although its notification is lost", () =>
      Effect.gen(function* () {
        const { elsewhere, here } = yield* stores
        const id = PartyId.make("p_called_elsewhere")
        yield* here.insert(party("p_called_elsewhere"), [])
        const woken = yield* heardBy(here.arrivals)
        yield* elsewhere.record(id, exchange("exc_ours", "outbound"))
        yield* elsewhere.record(id, exchange("exc_theirs"))
        assert.strictEqual(yield* Effect.timeout(Queue.take(woken), "15 seconds"), id)
        yield* Effect.sleep("2500 millis")
        assert.deepStrictEqual([...(yield* Queue.takeAll(woken))], [], "once for each call")
      })
    )
  })

/** The parties that were called since, in order. */
const heardBy = ({ hear }: Arrivals) =>
  Effect.tap(Queue.unbounded<PartyId>(), (called) => hear((id) => called.unsafeOffer(id)))
