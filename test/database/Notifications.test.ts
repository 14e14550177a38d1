import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Queue } from "effect"
import type { PartyId, RunId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { Notifications } from "../../src/database/Notifications.ts"
import { administer, TestDatabase } from "../support/TestDatabase.ts"

/** Two processes on one database, both of which have just begun to listen. */
const two = Effect.gen(function* () {
  const context = yield* Layer.build(TestDatabase)
  const database = Context.get(context, Database)
  const open = (self: string) =>
    Effect.gen(function* () {
      const notifications = Context.get(
        yield* Layer.build(
          Notifications.layer({ self }).pipe(Layer.provide(Layer.succeed(Database, database)))
        ),
        Notifications
      )
      const runs = yield* notifications.run.subscribe
      const parties = yield* notifications.party.subscribe
      assert.isNull(yield* Queue.take(runs))
      assert.isNull(yield* Queue.take(parties))
      return { notifications, runs, parties }
    })
  return { here: yield* open("here"), there: yield* open("there"), database }
})

const run = (id: number) => `run_${String(id).padStart(32, "0")}` as RunId

describe("Notifications", () => {
  it.scopedLive("notifies the other process, by topic, and not itself", () =>
    Effect.gen(function* () {
      const { here, there } = yield* two
      yield* here.notifications.run.publish(run(1))
      yield* here.notifications.party.publish("conn_1" as PartyId)
      assert.strictEqual(yield* Queue.take(there.runs), run(1))
      assert.strictEqual(yield* Queue.take(there.parties), "conn_1")
      // Its own notification would have arrived by now: it was sent before this one.
      yield* there.notifications.run.publish(run(2))
      assert.strictEqual(yield* Queue.take(here.runs), run(2))
      assert.strictEqual(yield* Queue.size(here.parties), 0)
    })
  )

  it.scopedLive("gathers what is published in the same moment, each id once, however many there are", () =>
    Effect.gen(function* () {
      const { here, there } = yield* two
      for (let id = 0; id < 1000; id++) {
        yield* here.notifications.run.publish(run(id))
        yield* here.notifications.run.publish(run(id))
      }
      const received = yield* Effect.replicateEffect(Queue.take(there.runs), 1000)
      assert.deepStrictEqual(
        received,
        Array.from({ length: 1000 }, (_, id) => run(id))
      )
    })
  )

  it.scopedLive("listens again after its connection was cut, and says that notifications were lost", () =>
    Effect.gen(function* () {
      const { here, there, database } = yield* two
      const [{ name }] = (yield* database.query<{ readonly name: string }>({
        text: "select current_database() as name"
      })) as [{ readonly name: string }]
      const cut = yield* administer(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${name}' and application_name = 'plugfest listener'`
      )
      assert.lengthOf(cut, 2, "one connection a process")
      assert.isNull(yield* Queue.take(there.runs).pipe(Effect.timeout("15 seconds")))
      yield* here.notifications.run.publish(run(3))
      assert.strictEqual(yield* Queue.take(there.runs), run(3))
    })
  )

  it.scopedLive("sends nothing while nobody else is there, except requests to stop", () =>
    Effect.gen(function* () {
      const { database, there } = yield* two
      let alone = true
      const context = yield* Layer.build(
        Notifications.layer({ self: "quiet", alone: Effect.sync(() => alone) }).pipe(
          Layer.provide(Layer.succeed(Database, database))
        )
      )
      const quiet = Context.get(context, Notifications)
      const stops = yield* there.notifications.stop.subscribe
      yield* quiet.run.publish(run(1))
      yield* quiet.stop.publish(run(2))
      assert.strictEqual(yield* Queue.take(stops), run(2))
      assert.strictEqual(yield* Queue.size(there.runs), 0)
      alone = false
      // What is published while the last answer still counts is lost, and polled.
      yield* Effect.sleep("600 millis")
      yield* quiet.run.publish(run(3))
      assert.strictEqual(yield* Queue.take(there.runs), run(3))
    })
  )
})
