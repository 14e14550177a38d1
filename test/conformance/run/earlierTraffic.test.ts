/** What a run reads of the time before it, for a party that has been called often, beside others that are called as well. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import type { Exchange } from "../../../schema/Exchange.ts"
import { makeWatch } from "../../../src/conformance/run/Watch.ts"
import { PartyStore } from "../../../src/store/parties/PartyStore.ts"
import { PartyStoreMemory } from "../../../src/store/parties/PartyStoreMemory.ts"
import { exchange, party } from "../../support/parties/heldParties.ts"

const [us, other] = [party("p_watched"), party("p_busy")]

const call = (id: string): Exchange => exchange(id)
const credentials = (id: string): Exchange => {
  const { request, ...rest } = exchange(id)
  return {
    ...rest,
    module: "credentials",
    operation: "POST credentials",
    request: { ...request, method: "POST" },
    response: { httpStatus: 200, ocpiStatusCode: 1000, headers: {}, body: "{}", truncated: false }
  }
}

/** What a watch that begins now finds of so many exchanges by each source, in their order. */
const sourced = (
  exchanges: ReadonlyArray<readonly [typeof us, Exchange]>,
  ...sources: ReadonlyArray<"inbound" | "registration" | "registration.theirs">
) =>
  Effect.gen(function* () {
    const store = yield* PartyStore
    for (const one of [us, other]) yield* store.insert(one, [])
    for (const [at, [{ id }, one]] of exchanges.entries())
      yield* store.record(id, { ...one, startedAt: new Date(1000 * at).toISOString() })
    const watch = makeWatch({
      store,
      party: us,
      armedAt: yield* store.head(us.id),
      record: () => Effect.void,
      stageId: () => "stage"
    })
    const found: Array<ReadonlyArray<string>> = []
    for (const source of sources) {
      const gathered = yield* watch.source(source)
      found.push("seen" in gathered ? gathered.seen.map(({ exchange: { id } }) => id) : [])
    }
    return found
  }).pipe(Effect.provide(PartyStoreMemory))

const times = <A>(count: number, make: (n: number) => A): ReadonlyArray<A> =>
  Array.from({ length: count }, (_, n) => make(n))
const calls = (count: number, prefix: string) => times(count, (n) => [us, call(`${prefix}${n}`)] as const)

describe("calls from before a run", () => {
  it.effect("are found however many calls of others came between them", () =>
    Effect.gen(function* () {
      const others = times(600, (n) => [other, call(`other${n}`)] as const)
      const [found] = yield* sourced([...calls(5, "early"), ...others, ...calls(1, "late")], "inbound")
      assert.deepStrictEqual(found, ["early0", "early1", "early2", "early3", "early4", "late0"])
    })
  )

  it.effect("are the newest fifty of many, oldest first", () =>
    Effect.gen(function* () {
      const [found] = yield* sourced(calls(700, "c"), "inbound")
      assert.deepStrictEqual(
        found,
        times(50, (n) => `c${650 + n}`)
      )
    })
  )
})

describe("calls during a run", () => {
  it.effect("of one module, however many, leave those of others, and each of them can be waited for", () =>
    Effect.gen(function* () {
      const store = yield* PartyStore
      yield* store.insert(us, [])
      const recorded: Array<string> = []
      const watch = makeWatch({
        store,
        party: us,
        armedAt: 0,
        record: (drafts) =>
          Effect.sync(() => {
            recorded.push(
              ...drafts.flatMap((draft) => (draft.type === "inbound.received" ? draft.exchange.id : []))
            )
          }),
        stageId: () => "stage"
      })
      const finder = (id: string) => watch.finder(({ exchange }) => exchange.id === id)
      const push = (prefix: string, count: number) =>
        Effect.forEach(
          times(count, (n) => call(`${prefix}${n}`)),
          (one) => store.record(us.id, one)
        )
      const [early, late] = [finder("b400"), finder("a550")]
      yield* push("a", 600)
      yield* store.record(us.id, { ...call("result"), module: "commands" })
      assert.isUndefined(yield* early)
      yield* push("b", 600)
      assert.strictEqual((yield* early)?.exchange.id, "b400")
      assert.strictEqual((yield* finder("result"))?.exchange.id, "result")
      assert.strictEqual((yield* late)?.exchange.id, "a550")
      assert.isUndefined(yield* finder("none"))
      assert.lengthOf(recorded, 503)
      assert.sameMembers(recorded.slice(-2), ["b400", "a550"])
      const gathered = yield* watch.source("inbound.run")
      assert.deepStrictEqual("seen" in gathered ? [gathered.seen.length, gathered.cut] : [], [
        501,
        ["sessions"]
      ])

      const names = times(700, (n) => ({ ...call(`n${n}`), module: `made-up-${n}` }))
      yield* Effect.forEach(names, (one) => store.record(us.id, one))
      yield* watch.pull
      assert.lengthOf(recorded, 1003)
    }).pipe(Effect.provide(PartyStoreMemory))
  )
})

describe("the registration of a party with many exchanges", () => {
  const first = [us, credentials("first")] as const
  const second = [us, credentials("second")] as const

  it.effect("is its latest one", () =>
    Effect.gen(function* () {
      const exchanges = [...calls(4, "a"), first, ...calls(10_100, "b"), second, ...calls(700, "c")]
      const [latest, theirs] = yield* sourced(exchanges, "registration", "registration.theirs")
      assert.deepStrictEqual(latest, ["second"])
      assert.sameMembers([...theirs!], ["first", "second", ...times(20, (n) => `c${n}`)])
    })
  )

  it.effect("is the one with which it began, if it has no other", () =>
    Effect.gen(function* () {
      const exchanges = [first, ...calls(10_100, "b")]
      const [latest, theirs] = yield* sourced(exchanges, "registration", "registration.theirs")
      assert.deepStrictEqual(latest, ["first"])
      assert.sameMembers([...theirs!], ["first", ...times(20, (n) => `b${n}`)])
    })
  )

  it.effect("is followed by no calls from beyond those that are not read", () =>
    Effect.gen(function* () {
      const ours = times(5100, (n) => [us, exchange(`o${n}`, "outbound")] as const)
      const [theirs] = yield* sourced(
        [first, ...calls(3, "a"), ...ours, ...calls(5200, "c")],
        "registration.theirs"
      )
      assert.sameMembers([...theirs!], ["first", "a0", "a1", "a2"])
    })
  )

  for (const count of [3, 495, 500, 4990, 5003])
    it.effect(`is read once, with the calls after it, where ${count} calls came before it`, () =>
      Effect.gen(function* () {
        const exchanges = [...calls(count, "b"), second, ...calls(13, "c")]
        const [theirs] = yield* sourced(exchanges, "registration.theirs")
        assert.deepStrictEqual([...theirs!].sort(), ["second", ...times(13, (n) => `c${n}`)].sort())
      })
    )
})
