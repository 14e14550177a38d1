import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { Database } from "../../src/database/Database.ts"
import { Heartbeats } from "../../src/placement/presence/Heartbeats.ts"
import { administer, databaseUrl } from "../support/TestDatabase.ts"

/** Each run of the statement leaves a row. */
const noted = {
  text: "INSERT INTO noted VALUES ($1, $2::int, clock_timestamp())",
  values: ["a"]
}

const made = (standstillSeconds?: number, everySeconds = 0.2) =>
  Effect.gen(function* () {
    const url = yield* databaseUrl("migrated")
    yield* administer(
      "CREATE TABLE noted (item text, late int, at timestamptz); GRANT ALL ON noted TO PUBLIC",
      new URL(Redacted.value(url)).pathname.slice(1)
    )
    const database = Context.get(yield* Layer.build(Database.layer({ url, dataDir: "/nowhere" })), Database)
    const heartbeats = Context.get(
      yield* Layer.build(
        Heartbeats.layer({
          everySeconds,
          ...(standstillSeconds === undefined ? {} : { standstillSeconds })
        }).pipe(Layer.provide(Layer.succeed(Database, database)))
      ),
      Heartbeats
    )
    const rows = database.query<{ readonly late: number; readonly at: Date }>({
      text: "SELECT late, at FROM noted ORDER BY at"
    })
    return { heartbeats, rows }
  })

/** Keeps the event loop of this process busy. Answers the database's time at both ends, give or take some ms. */
const standStill = (millis: number) =>
  Effect.sync(() => {
    const from = Date.now()
    while (Date.now() - from < millis) {
      // nothing else runs
    }
    return { from, until: Date.now() }
  })

const untilSeen = <A>(rows: Effect.Effect<ReadonlyArray<A>>, least: number) =>
  Effect.gen(function* () {
    for (let looks = 0; looks < 200; looks++) {
      const found = yield* rows
      if (found.length >= least) return found
      yield* Effect.sleep("50 millis")
    }
    return yield* Effect.dieMessage(`fewer than ${least} rows after 10 seconds`)
  })

describe("Heartbeats", () => {
  it.scopedLive("go on while the event loop stands still", () =>
    Effect.gen(function* () {
      const { heartbeats, rows } = yield* made()
      const beat = yield* heartbeats.start("test", noted)
      yield* untilSeen(rows, 1)
      const { from, until } = yield* standStill(2500)
      // Read before anything else of this process can have run.
      assert.isBelow(Number(beat.age()) / 1e6, until - from)
      const meanwhile = (yield* rows).filter(({ at }) => at.getTime() > from && at.getTime() < until)
      assert.isAtLeast(meanwhile.length, 3)
    })
  )

  it.scopedLive("end when the event loop stands still for too long, and come back with it", () =>
    Effect.gen(function* () {
      const { heartbeats, rows } = yield* made(0.6)
      yield* heartbeats.start("test", noted)
      yield* untilSeen(rows, 1)
      const { from, until } = yield* standStill(2500)
      const before = yield* rows
      const late = before.filter(({ at }) => at.getTime() > from + 1500 && at.getTime() < until)
      assert.deepStrictEqual(late, [])
      yield* untilSeen(rows, before.length + 2)
    })
  )

  it.scopedLive("say how late the event loop was at most since the last one, while it stands still too", () =>
    Effect.gen(function* () {
      const { heartbeats, rows } = yield* made()
      yield* heartbeats.start("test", noted)
      yield* untilSeen(rows, 1)
      const { from, until } = yield* standStill(1500)
      const all = yield* untilSeen(rows, 12)
      const within = all.filter(({ at }) => at.getTime() > from && at.getTime() < until)
      const most = Math.max(...within.map(({ late }) => late))
      assert.isAbove(most, 600)
      assert.isBelow(most, until - from + 100)
      const later = yield* Effect.delay(rows, "2 seconds")
      assert.isBelow(later.at(-1)!.late, most)
    })
  )

  it.scopedLive("come at their interval, also where that is no whole number of milliseconds", () =>
    Effect.gen(function* () {
      const { heartbeats, rows } = yield* made(undefined, 2 / 3)
      yield* heartbeats.start("test", noted)
      const began = performance.now()
      const before = (yield* untilSeen(rows, 1)).length
      yield* Effect.sleep("2 seconds")
      const came = (yield* rows).length - before
      assert.isAtLeast(came, 1)
      // Three in two seconds, and more where the machine is slow.
      assert.isAtMost(came, Math.ceil((performance.now() - began) / (1000 * (2 / 3))) + 1)
    })
  )

  it.scopedLive("are over when their scope has closed", () =>
    Effect.gen(function* () {
      const { heartbeats, rows } = yield* made()
      const scope = yield* Scope.make()
      yield* heartbeats.start("test", noted).pipe(Scope.extend(scope))
      yield* untilSeen(rows, 1)
      yield* Scope.close(scope, Exit.void)
      const count = (yield* rows).length
      yield* Effect.sleep("600 millis")
      assert.lengthOf(yield* rows, count)
    })
  )

  it.scopedLive("come back when their connection was cut", () =>
    Effect.gen(function* () {
      const { heartbeats, rows } = yield* made()
      yield* heartbeats.start("test", noted)
      const before = yield* untilSeen(rows, 1)
      const cut = yield* administer(
        "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE application_name = 'plugfest heartbeat'"
      )
      assert.isAtLeast(Number(cut[0]?.["count"]), 1)
      yield* untilSeen(rows, before.length + 2)
    })
  )
})
