import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, PubSub, Queue } from "effect"
import type { PartyId, RunId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import { Signals } from "../../src/database/Signals.ts"
import { administer, TestDatabase } from "../support/TestDatabase.ts"

/** Two processes on one database, both of which have just begun to listen. */
const two = Effect.gen(function* () {
  const context = yield* Layer.build(TestDatabase)
  const database = Context.get(context, Database)
  const open = (self: string) =>
    Effect.gen(function* () {
      const signals = Context.get(
        yield* Layer.build(Signals.layer({ self }).pipe(Layer.provide(Layer.succeed(Database, database)))),
        Signals
      )
      const runs = yield* PubSub.subscribe(signals.run.heard)
      const parties = yield* PubSub.subscribe(signals.party.heard)
      assert.isNull(yield* Queue.take(runs))
      assert.isNull(yield* Queue.take(parties))
      return { signals, runs, parties }
    })
  return { here: yield* open("here"), there: yield* open("there"), database }
})

const run = (id: number) => `run_${String(id).padStart(32, "0")}` as RunId

describe("Signals", () => {
  it.scopedLive("tells the other process what was said, by topic, and not oneself", () =>
    Effect.gen(function* () {
      const { here, there } = yield* two
      yield* here.signals.run.say(run(1))
      yield* here.signals.party.say("conn_1" as PartyId)
      assert.strictEqual(yield* Queue.take(there.runs), run(1))
      assert.strictEqual(yield* Queue.take(there.parties), "conn_1")
      // Its own word would have come by now: it went out before this one.
      yield* there.signals.run.say(run(2))
      assert.strictEqual(yield* Queue.take(here.runs), run(2))
      assert.strictEqual(yield* Queue.size(here.parties), 0)
    })
  )

  it.scopedLive("gathers what is said in the same moment, each id once, however many there are", () =>
    Effect.gen(function* () {
      const { here, there } = yield* two
      for (let id = 0; id < 1000; id++) {
        yield* here.signals.run.say(run(id))
        yield* here.signals.run.say(run(id))
      }
      const heard = yield* Effect.replicateEffect(Queue.take(there.runs), 1000)
      assert.deepStrictEqual(
        heard,
        Array.from({ length: 1000 }, (_, id) => run(id))
      )
    })
  )

  it.scopedLive("hears again when its connection was cut, and says that it was deaf", () =>
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
      assert.isNull(yield* Queue.take(there.runs).pipe(Effect.timeout("5 seconds")))
      yield* here.signals.run.say(run(3))
      assert.strictEqual(yield* Queue.take(there.runs), run(3))
    })
  )
})
