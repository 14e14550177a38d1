import { assert, it } from "@effect/vitest"
import { Effect, Layer, Option } from "effect"
import { PartyId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { RefusedCalls } from "../../src/store/parties/exchanges/RefusedCalls.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

it.scopedLive("calls that were turned away are known in every process, from then on and not before", () =>
  Effect.gen(function* () {
    const before = new Date(Date.now() - 1000).toISOString()
    const { lastSince, note } = yield* RefusedCalls
    const party = PartyId.make("conn_waits")
    assert.isTrue(Option.isNone(yield* lastSince(before, party)))
    yield* note(undefined)
    const here = yield* lastSince(before, party)
    const { query } = yield* Database
    for (let rows = 0; rows === 0; ) {
      rows = (yield* query({ text: "SELECT 1 FROM refused_call" })).length
      yield* Effect.sleep("20 millis")
    }
    const elsewhere = yield* Effect.provide(
      Effect.flatMap(RefusedCalls, (other) => other.lastSince(before, party)),
      Layer.fresh(RefusedCalls.layer)
    )
    assert.isTrue(Option.isSome(here))
    assert.deepStrictEqual(elsewhere, here)
    assert.isTrue(Option.isNone(yield* lastSince(Option.getOrThrow(here), party)))
  }).pipe(Effect.provide(RefusedCalls.layer), Effect.provide(TestDatabase))
)

it.scopedLive("a call of a known party excuses nobody else, however often it was turned away", () =>
  Effect.gen(function* () {
    const before = new Date(Date.now() - 1000).toISOString()
    const { lastSince, note } = yield* RefusedCalls
    const [flooding, honest] = [PartyId.make("conn_flooding"), PartyId.make("conn_honest")]
    yield* Effect.replicateEffect(note(flooding), 500, { discard: true })
    const { query } = yield* Database
    for (let rows = 0; rows === 0; ) {
      rows = (yield* query({ text: "SELECT 1 FROM refused_party_call" })).length
      yield* Effect.sleep("20 millis")
    }
    const elsewhere = yield* Effect.provide(RefusedCalls, Layer.fresh(RefusedCalls.layer))
    for (const lookUp of [lastSince, elsewhere.lastSince]) {
      assert.isTrue(Option.isSome(yield* lookUp(before, flooding)))
      assert.isTrue(Option.isNone(yield* lookUp(before, honest)))
    }
    assert.lengthOf(yield* query({ text: "SELECT 1 FROM refused_party_call" }), 1)
    assert.lengthOf(yield* query({ text: "SELECT 1 FROM refused_call" }), 0)
  }).pipe(Effect.provide(RefusedCalls.layer), Effect.provide(TestDatabase))
)

it.scopedLive(
  "a process that was killed may have lost a call, one that lives or ended in order has lost none",
  () =>
    Effect.gen(function* () {
      const { query } = yield* Database
      const { lastSince } = yield* RefusedCalls
      const party = PartyId.make("conn_waits")
      const since = new Date(Date.now() - 60_000).toISOString()
      const row = (id: string, seconds: number) =>
        query<{ readonly at: Date }>({
          text: `INSERT INTO server_process (id, alive_until) VALUES ($1, clock_timestamp() + $2 * interval '1 second')
                 RETURNING alive_until AS at`,
          values: [id, seconds]
        })
      yield* row("proc_lives", 600)
      yield* row("proc_died_before", -90)
      assert.isTrue(Option.isNone(yield* lastSince(since, party)))
      const [killed] = yield* row("proc_killed", -5)
      const lost = Option.getOrThrow(yield* lastSince(since, party))
      assert.approximately(Date.parse(lost), killed!.at.getTime(), 1000)
    }).pipe(Effect.provide(RefusedCalls.layer), Effect.provide(TestDatabase))
)
