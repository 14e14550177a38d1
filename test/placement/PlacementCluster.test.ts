import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Schedule } from "effect"
import { Database } from "../../src/database/Database.ts"
import { PlacementCluster } from "../../src/placement/cluster/PlacementCluster.ts"
import { tokensOf } from "../../src/placement/cluster/runnerTransport.ts"
import { placementContract } from "../contracts/placement.ts"
import { clusterKey, inCluster, processesOn } from "../support/runs/processes.ts"
import { newRun } from "../support/runs/sampleRun.ts"
import { administer, TestDatabase } from "../support/TestDatabase.ts"

// The lock of a shard runs out, the others notice, and the locks are taken.
placementContract("PlacementCluster", inCluster, "6 seconds")

const leaseSeconds = 2

/** Processes a and b on a database, and how many shards each holds. */
const two = Effect.gen(function* () {
  const database = Context.get(yield* Layer.build(TestDatabase), Database)
  const boot = processesOn(
    database,
    leaseSeconds,
    PlacementCluster.layer({ leaseSeconds, keys: [clusterKey] })
  )
  const shares = Effect.map(
    database.query<{ readonly address: string; readonly shards: number }>({
      text: `select address, count(*)::int as shards from runner.cluster_locks
             where acquired_at > now() - interval '${leaseSeconds} seconds' group by 1`
    }),
    (rows) => rows.map(({ shards }) => shards)
  )
  /** Until each of so many processes holds its part. */
  const settled = (processes: number) =>
    Effect.repeat(shares, {
      until: (found) => found.length === processes && found.reduce((a, b) => a + b, 0) === 120,
      schedule: Schedule.spaced("100 millis")
    }).pipe(Effect.timeout("15 seconds"))
  return { database, boot, settled }
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
      const { boot, settled } = yield* two
      yield* boot("a")
      yield* settled(1)
      const b = yield* boot("b")
      yield* settled(2)
      yield* b.end
      yield* settled(1)
    })
  )

  it.scopedLive("keeps its shards while its event loop stands still for a second and more", () =>
    Effect.gen(function* () {
      const { boot, database, settled } = yield* two
      yield* boot("a")
      yield* boot("b")
      yield* settled(2)
      const owners = database.query<{ readonly owner: string }>({
        text: "select shard_id || address as owner from runner.cluster_locks order by 1"
      })
      const before = yield* owners
      for (let stall = 0; stall < 3; stall++) {
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500)
        yield* Effect.sleep("700 millis")
      }
      assert.deepStrictEqual(yield* owners, before)
    })
  )

  it.scopedLive("goes on when its connections for locks are ended", () =>
    Effect.gen(function* () {
      const { boot, database, settled } = yield* two
      yield* boot("a")
      yield* settled(1)
      const [{ name }] = (yield* database.query<{ readonly name: string }>({
        text: "select current_database() as name"
      })) as [{ readonly name: string }]
      for (let round = 0; round < 3; round++) {
        yield* administer(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where application_name = 'plugfest runner' and datname = '${name}'`
        )
        yield* Effect.sleep("500 millis")
      }
      yield* boot("b")
      yield* settled(2)
    })
  )

  it.scopedLive("takes up what its shard's holder does not, after a while", () =>
    Effect.gen(function* () {
      const { boot, settled } = yield* two
      const a = yield* boot("a")
      const b = yield* boot("b")
      yield* settled(2)
      const made = yield* Effect.all(Array.from({ length: 16 }, () => newRun(b)))
      for (const { runId } of made) yield* b.release(runId, 1)
      const falling = new Set<string>(yield* a.claimable(100))
      const [foreign] = made.map(({ runId }) => runId).filter((runId) => !falling.has(runId))
      yield* Effect.timeout(offers(a, foreign!), "12 seconds")
      assert.isTrue(Option.isSome(yield* a.claim(foreign!)))
    })
  )
})

describe("a peer without the token", () => {
  it.scopedLive("is refused", () =>
    Effect.gen(function* () {
      const { boot, database, settled } = yield* two
      yield* boot("a")
      yield* settled(1)
      const [{ address }] = yield* database.query<{ readonly address: string }>({
        text: "select address from runner.cluster_runners"
      }) as Effect.Effect<[{ readonly address: string }]>
      const ping = '{"_tag":"Request","id":"1","tag":"Ping","payload":null,"headers":[]}\n'
      const ask = (headers: Record<string, string>) =>
        Effect.promise(async () => {
          const answer = await fetch(`http://${address}/`, {
            method: "POST",
            headers: { "content-type": "application/ndjson", ...headers },
            body: ping
          })
          return [answer.status, await answer.text()] as const
        })
      const token = tokensOf([clusterKey])[0]!
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
