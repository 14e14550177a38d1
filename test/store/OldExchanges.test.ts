import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { Database } from "../../src/database/Database.ts"
import { OldExchanges } from "../../src/store/parties/exchanges/OldExchanges.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

layer(OldExchanges.layer.pipe(Layer.provideMerge(TestDatabase)))("OldExchanges", (it) => {
  const kept = Effect.fn(function* (partyId: string, days: number, count = 1) {
    const { query } = yield* Database
    yield* query({
      text: `INSERT INTO party_exchange (party_id, exchange_id, direction, exchange, kept_at)
             SELECT $1, 'exc_' || $2 || '_' || n, 'inbound', '{}', now() - $2::int * interval '1 day'
             FROM generate_series(1, $3) n`,
      values: [partyId, days, count]
    })
  })
  const left = (partyId: string) =>
    Effect.flatMap(Database, ({ query }) =>
      Effect.map(
        query<{ readonly exchange_id: string }>({
          text: "SELECT exchange_id FROM party_exchange WHERE party_id = $1 ORDER BY kept_at",
          values: [partyId]
        }),
        (rows) => rows.map(({ exchange_id }) => exchange_id)
      )
    )

  it.effect("go in batches, oldest first, and only when they are old", () =>
    Effect.gen(function* () {
      const { count, purge } = yield* OldExchanges
      yield* kept("conn_old", 40, 3)
      yield* kept("conn_old", 31)
      yield* kept("conn_old", 29)
      assert.strictEqual(yield* count(30), 4)
      assert.strictEqual(yield* purge(30, 3), 3)
      assert.deepStrictEqual(yield* left("conn_old"), ["exc_31_1", "exc_29_1"])
      assert.strictEqual(yield* purge(30, 3), 1)
      assert.strictEqual(yield* purge(30, 3), 0)
      assert.deepStrictEqual(yield* left("conn_old"), ["exc_29_1"])
    })
  )

  it.effect("stay while a run at their connection is open", () =>
    Effect.gen(function* () {
      const { count, purge } = yield* OldExchanges
      const { query } = yield* Database
      yield* kept("conn_busy", 40)
      yield* query({ text: openRun })
      assert.strictEqual(yield* count(30), 0)
      assert.strictEqual(yield* purge(30, 10), 0)
      yield* query({ text: "UPDATE run SET closed = true" })
      assert.strictEqual(yield* purge(30, 10), 1)
      assert.deepStrictEqual(yield* left("conn_busy"), [])
    })
  )

  it.effect("are removed once when two look at the same time", () =>
    Effect.gen(function* () {
      const { purge } = yield* OldExchanges
      yield* kept("conn_both", 40, 200)
      const gone = yield* Effect.all([purge(30, 1000), purge(30, 1000)], { concurrency: 2 })
      assert.strictEqual(gone[0] + gone[1], 200)
    })
  )
})

const openRun = `
  INSERT INTO run (run_id, report_id, owner_id, kind, connection_id, connection_label, ocpi_version, subject_id, plan,
    created_at, status, snapshot, last_sequence, head_hash, closed, lease_epoch, lease_until)
  VALUES ('run_1', 'rep_1', 'own_1', 'journey', 'conn_busy', 'label', '2.2.1', 'remote-start', '{}',
    '2026-01-01T00:00:00.000Z', 'running', '[]', 1, 'hash', false, 1, now())`
