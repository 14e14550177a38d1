/** Processes of the release before migration 22 beside those of this one: each leaves the runs of the other alone. */
import { assert, describe, it } from "@effect/vitest"
import { Context, Effect, Layer, Option, Schedule } from "effect"
import type { RunId } from "../../schema/Ids.ts"
import { Database } from "../../src/database/Database.ts"
import type { Placement } from "../../src/placement/Placement.ts"
import { processesOn } from "../support/runs/processes.ts"
import { newRun } from "../support/runs/sampleRun.ts"
import { TestDatabase } from "../support/TestDatabase.ts"

const leaseSeconds = 2
const lost = "2500 millis"
/** Of the former release: it renews its lease in time however slow the machine is. */
const formerLeaseSeconds = 60

/** The statements of that release, as it sent them, for a process with the id `former`. */
const formerOn = ({ query }: Database["Type"]) => ({
  claimable: Effect.map(
    query<{ readonly run_id: RunId }>({
      text: `
        select run_id from run
        where not closed and status <> 'interrupted' and lease_until <= now() and ($2::text is null or kind = $2)
          and run_id <> all ($3::text[])
        order by lease_until limit $1`,
      values: [10, null, []]
    }),
    (rows) => rows.map(({ run_id }) => run_id)
  ),
  claim: (runId: RunId) =>
    Effect.map(
      query<{ readonly epoch: number; readonly was_released: boolean }>({
        text: `
          with found as (
            select run_id as id, lease_owner is null as was_released from run
            where run_id = $1 and not closed and lease_until <= now() and ($4 or status <> 'interrupted')
            for update
          )
          update run set lease_epoch = lease_epoch + 1, lease_owner = $2,
            lease_until = now() + $3::float8 * interval '1 second'
          from found where run_id = found.id
          returning lease_epoch as epoch, was_released`,
        values: [runId, "former", formerLeaseSeconds, false]
      }),
      (rows) => rows[0]
    ),
  renew: (runId: RunId, epoch: number) =>
    query({
      text: `
        update run set lease_until = now() + $2::float8 * interval '1 second'
        from jsonb_to_recordset($3::jsonb) as held("runId" text, epoch int)
        where run.run_id = held."runId" collate "C" and run.lease_epoch = held.epoch and run.lease_owner = $1`,
      values: ["former", formerLeaseSeconds, JSON.stringify([{ runId, epoch }])]
    }),
  /** As when it has not renewed its lease for so long. */
  expire: (runId: RunId) =>
    query({ text: "update run set lease_until = now() where run_id = $1", values: [runId] }),
  release: (runId: RunId, epoch: number) =>
    query({
      text: `
        update run set lease_owner = null, lease_until = now()
        where run_id = $1 and lease_epoch = $2 and lease_owner = $3`,
      values: [runId, epoch, "former"]
    }),
  leases: query<{ readonly valid: boolean; readonly until: Date }>({
    text: `
      select run_id as "runId", kind, lease_epoch as epoch, lease_owner as "processId",
        lease_owner is not null and lease_until > now() as valid, lease_until as until
      from run
      where owner_id = $1 and not closed and ($2::text is null or kind = $2)
        and ($3::text is null or run_id < $3)
      order by run_id desc limit $4`,
    values: ["own_1", null, null, 10]
  })
})

/** Until one of these processes is to take the run up: the one to which its shard has fallen. */
const offered = (runId: RunId, ...processes: ReadonlyArray<Pick<Placement["Type"], "claimable">>) =>
  Effect.repeat(
    Effect.map(Effect.all(processes.map(({ claimable }) => claimable(10))), (found) => found.flat()),
    { until: (ids) => ids.includes(runId), schedule: Schedule.spaced("50 millis") }
  ).pipe(Effect.timeout("15 seconds"))

describe("during a rolling restart", () => {
  const world = Effect.gen(function* () {
    const database = Context.get(yield* Layer.build(TestDatabase), Database)
    const boot = processesOn(database, leaseSeconds)
    return { former: formerOn(database), a: yield* boot("a"), b: yield* boot("b") }
  })

  it.scopedLive("a run of the former release is left to it for as long as it renews its lease", () =>
    Effect.gen(function* () {
      const { a, b, former } = yield* world
      const { runId } = yield* newRun(a)
      yield* a.release(runId, 1)
      assert.deepStrictEqual(yield* former.claim(runId), { epoch: 2, was_released: true })
      for (let beat = 0; beat < 5; beat++) {
        yield* Effect.sleep("600 millis")
        yield* former.renew(runId, 2)
        assert.deepStrictEqual(yield* b.claimable(10), [])
        assert.isTrue(Option.isNone(yield* b.claim(runId)))
      }
      const [lease] = yield* b.leases({ ownerId: "own_1" as never, limit: 10 })
      assert.deepInclude(lease, { epoch: 2, processId: "former", valid: true })
      yield* former.expire(runId)
      yield* offered(runId, a, b)
      const claim = Option.getOrThrow(yield* b.claim(runId))
      assert.deepStrictEqual(claim, { runId, epoch: 3, released: false })
      // The former process learns it as it does from any heir.
      yield* former.renew(runId, 2)
      yield* former.release(runId, 2)
      assert.isTrue(Option.isNone(yield* a.claim(runId)))
    })
  )

  it.scopedLive("a run of this release is left to it by the former one, for longer than a lease", () =>
    Effect.gen(function* () {
      const { a, former } = yield* world
      const { facts, runId } = yield* newRun(a)
      yield* Effect.sleep(lost)
      assert.deepStrictEqual(yield* former.claimable, [])
      assert.isUndefined(yield* former.claim(runId))
      const [lease] = yield* former.leases
      assert.isTrue(lease?.valid)
      assert.match(lease!.until.toISOString(), /^9999-12-31T/)
      assert.isTrue(Option.getOrThrow(yield* a.run(facts.ownerId, runId)).leaseAlive)
    })
  )

  it.scopedLive("what this release gives back is resumed by the former one, and the other way", () =>
    Effect.gen(function* () {
      const { a, b, former } = yield* world
      const { runId } = yield* newRun(a)
      yield* a.release(runId, 1)
      assert.deepStrictEqual(yield* former.claimable, [runId])
      assert.deepStrictEqual(yield* former.claim(runId), { epoch: 2, was_released: true })
      yield* former.release(runId, 2)
      yield* offered(runId, a, b)
      assert.isTrue(Option.getOrThrow(yield* b.claim(runId)).released)
    })
  )

  it.scopedLive(
    "a run of a process of this release that died is claimed by another of this release only",
    () =>
      Effect.gen(function* () {
        const { a, b, former } = yield* world
        const { runId } = yield* newRun(a)
        yield* a.die
        yield* Effect.sleep(lost)
        assert.deepStrictEqual(yield* former.claimable, [])
        yield* offered(runId, b)
        assert.isFalse(Option.getOrThrow(yield* b.claim(runId)).released)
      })
  )
})
