import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Schedule } from "effect"
import { Database } from "../../src/database/Database.ts"
import { messagesPath, tokensOf } from "../../src/placement/shards/messages.ts"
import { placementContract } from "../contracts/placement.ts"
import { inPostgres, messagesKey, processesOn } from "../support/runs/processes.ts"
import { newRun } from "../support/runs/sampleRun.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

// A process counts as dead, the others notice, and take its shards.
placementContract("PlacementCluster", inPostgres, "8 seconds")

const leaseSeconds = 2

/** Processes on a database, and how many shards each of them holds. */
const ground = Effect.gen(function* () {
  const database = Context.get(yield* Layer.build(TestDatabase), Database)
  const boot = processesOn(database, leaseSeconds)
  const locks = database.query<{ readonly shard: string; readonly process_id: string }>({
    text: `select shard, process_id from shard_lock
           where process_id in (select id from server_process where alive_until > now()) order by 1`
  })
  /** Until each of these processes holds its part, and none moves any more. */
  const settled = (...processIds: ReadonlyArray<string>) => {
    let last = ""
    let same = 0
    return Effect.repeat(locks, {
      until: (found) => {
        const now = JSON.stringify(found)
        same = now === last ? same + 1 : 0
        last = now
        const holders = new Set(found.map(({ process_id }) => process_id))
        return found.length === 120 && holders.size === processIds.length && same === 10
      },
      schedule: Schedule.spaced("100 millis")
    }).pipe(Effect.timeout("15 seconds"))
  }
  return { boot, database, locks, settled }
})

/** Until the process may take that run up. */
const offers = (
  process: { readonly claimable: (limit: number) => Effect.Effect<ReadonlyArray<string>, unknown> },
  runId: string
) =>
  Effect.repeat(process.claimable(100), {
    until: (ids) => ids.includes(runId),
    schedule: Schedule.spaced("50 millis")
  })

describe("a process of a cluster", () => {
  it.scopedLive("takes all shards when another ends, and gives half to one that comes", () =>
    Effect.gen(function* () {
      const { boot, settled } = yield* ground
      yield* boot("a")
      yield* settled("a")
      const b = yield* boot("b")
      yield* settled("a", "b")
      yield* b.end
      yield* settled("a")
    })
  )

  it.scopedLive("takes the shards of one that died when that counts as dead", () =>
    Effect.gen(function* () {
      const { boot, database, locks, settled } = yield* ground
      yield* boot("a")
      const b = yield* boot("b")
      yield* settled("a", "b")
      const before = yield* locks
      yield* b.die
      yield* Effect.sleep("500 millis")
      const after = yield* locks
      // Where the machine stood still for longer, it counts as dead by now.
      const alive = yield* database.query({
        text: "select from server_process where id = 'b' and alive_until > now()"
      })
      if (alive.length > 0) assert.deepStrictEqual(after, before)
      yield* settled("a")
    })
  )

  it.scopedLive("keeps its shards while its event loop stands still for a second and more", () =>
    Effect.gen(function* () {
      const { boot, locks, settled } = yield* ground
      yield* boot("a")
      yield* boot("b")
      yield* settled("a", "b")
      const before = yield* locks
      for (let stall = 0; stall < 2; stall++) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)
        yield* Effect.sleep("700 millis")
      }
      assert.deepStrictEqual(yield* locks, before)
    })
  )

  it.scopedLive(
    "gives up locks that the table has and it does not know of, as after an answer that was lost",
    () =>
      Effect.gen(function* () {
        const { boot, database, settled } = yield* ground
        yield* boot("a")
        yield* boot("b")
        yield* settled("a", "b")
        yield* database.query({ text: "update shard_lock set process_id = 'a'" })
        yield* settled("a", "b")
      })
  )

  it.scopedLive("leaves no shard to a process that has not joined", () =>
    Effect.gen(function* () {
      const { boot, database, settled } = yield* ground
      yield* boot("a")
      yield* database.query({
        text: "insert into server_process (id, alive_until) values ('b', now() + interval '1 hour')"
      })
      yield* settled("a")
    })
  )

  it.scopedLive("takes up all that is free where it is alone, before it has the shards", () =>
    Effect.gen(function* () {
      const { boot, database } = yield* ground
      const a = yield* boot("a")
      const made = yield* Effect.all(Array.from({ length: 8 }, () => newRun(a)))
      yield* a.die
      // Its locks are valid no more, and stand in the table.
      yield* database.query({ text: "update server_process set alive_until = now() where id = 'a'" })
      const b = yield* boot("b")
      assert.sameMembers(
        [...(yield* b.claimable(100))],
        made.map(({ runId }) => runId)
      )
    })
  )

  it.scopedLive("leaves all runs to the others while it ends, as soon as it releases them", () =>
    Effect.gen(function* () {
      const { boot, settled } = yield* ground
      const a = yield* boot("a")
      const b = yield* boot("b")
      yield* settled("a", "b")
      const made = yield* Effect.all(Array.from({ length: 8 }, () => newRun(a)))
      yield* a.leave
      yield* settled("b")
      for (const { runId } of made) yield* a.release(runId, 1)
      assert.sameMembers(
        [...(yield* b.claimable(100))],
        made.map(({ runId }) => runId)
      )
      assert.deepStrictEqual(yield* a.claimable(100), [])
    })
  )

  it.scopedLive("writes no lock while nobody comes or goes", () =>
    Effect.gen(function* () {
      const { boot, database, settled } = yield* ground
      yield* boot("a")
      yield* boot("b")
      yield* settled("a", "b")
      const versions = database.query({ text: "select shard, xmin::text from shard_lock order by 1" })
      yield* Effect.sleep("1 second")
      const before = yield* versions
      yield* Effect.sleep("2 seconds")
      assert.deepStrictEqual(yield* versions, before)
    })
  )

  it.scopedLive("takes up what its shard's holder does not, after a while", () =>
    Effect.gen(function* () {
      const { boot, settled } = yield* ground
      const a = yield* boot("a")
      const b = yield* boot("b")
      yield* settled("a", "b")
      const made = yield* Effect.all(Array.from({ length: 16 }, () => newRun(b)))
      for (const { runId } of made) yield* b.release(runId, 1)
      const falling = new Set<string>(yield* a.claimable(100))
      const [foreign] = made.map(({ runId }) => runId).filter((runId) => !falling.has(runId))
      yield* Effect.timeout(offers(a, foreign!), "12 seconds")
      assert.isTrue(Option.isSome(yield* a.claim(foreign!)))
    })
  )

  it.scopedLive("is asked to stop a run by a call, without the database", () =>
    Effect.gen(function* () {
      const { boot, database, settled } = yield* ground
      const a = yield* boot("a")
      const b = yield* boot("b")
      yield* settled("a", "b")
      const heard = yield* b.stop.subscribe
      const runIds = (yield* Effect.all(Array.from({ length: 16 }, () => newRun(b)))).map(
        ({ runId }) => runId
      )
      const calls = database.query<{ readonly calls: number }>({
        text: "select count(*)::int as calls from pg_stat_activity where query like '%pg_notify%' and datname = current_database()"
      })
      yield* Effect.forEach(runIds, a.stop.publish, { discard: true })
      const first = yield* Effect.timeout(heard.take, "15 seconds")
      assert.include(runIds, first)
      assert.deepStrictEqual(yield* calls, [{ calls: 0 }])
    })
  )
})

describe("who calls a process without its token", () => {
  it.scopedLive("is refused", () =>
    Effect.gen(function* () {
      const { boot, settled } = yield* ground
      const { url } = yield* boot("a")
      yield* settled("a")
      const ping = '{"_tag":"Request","id":"1","tag":"Ping","payload":null,"headers":[]}\n'
      const ask = (headers: Record<string, string>) =>
        Effect.promise(async () => {
          const answer = await fetch(`${url}${messagesPath}`, {
            method: "POST",
            headers: { "content-type": "application/ndjson", ...headers },
            body: ping
          })
          return [answer.status, await answer.text()] as const
        })
      const token = tokensOf([messagesKey])[0]!
      const other = tokensOf([Buffer.alloc(32, 8)])[0]!
      for (const headers of [
        {},
        { authorization: "Bearer " },
        { authorization: token },
        { authorization: `Bearer ${other}` },
        { authorization: `Bearer ${token}x` }
      ]) {
        assert.deepStrictEqual(yield* ask(headers), [401, ""])
      }
      const [status, text] = yield* ask({ authorization: `Bearer ${token}` })
      assert.strictEqual(status, 200)
      assert.include(text, '"Success"')
    })
  )
})
