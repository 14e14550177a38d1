/**
 * The runners and shard locks of `@effect/cluster`, by the rows of processes (presence/). A lock is valid for as long as its process is
 * alive, so the heartbeats of its thread keep it, and a process at rest writes no lock. A runner's address is the id of its process,
 * which no other process ever has.
 */
import { createHash } from "node:crypto"
import { ClusterError, MachineId, Runner, RunnerAddress, RunnerStorage, type ShardId } from "@effect/cluster"
import { Effect } from "effect"
import { Database } from "../../database/Database.ts"
import type { DatabaseDown } from "../../database/DatabaseDown.ts"
import { Presence } from "../presence/Presence.ts"

/** How this process takes part. */
interface ShardStorageOptions {
  /** Where the other processes reach this one. */
  readonly url: string
  /** How long a process that says nothing counts as alive. */
  readonly leaseSeconds: number
  /** Completes when this process may take shards. */
  readonly joined: Effect.Effect<void>
  /** Called before the lock of a shard is given back. */
  readonly onRelease: (shardId: ShardId.ShardId) => Effect.Effect<void>
}

/** What the library stores, and where the living processes are. */
interface ShardStorage {
  readonly storage: RunnerStorage.RunnerStorage["Type"]
  /** The URL of a process, by its id; undefined where it is not known to be alive. */
  readonly urlOf: (processId: string) => string | undefined
  /** Was this process the only one at the last look? Undefined before the first. */
  readonly isAlone: () => boolean | undefined
}

/** How long a statement is waited for, because the library waits for each. */
const patience = "2 seconds"

/** The address of the runner of this process. There is no port: `urlOf` says where a process is. */
export const runnerAddress = (processId: string) => RunnerAddress.make(processId, 1)

const isAlive = "alive_until > clock_timestamp()"

/** The storage of this process's runner. */
export const makeShardStorage = Effect.fnUntraced(function* ({
  joined,
  leaseSeconds,
  onRelease,
  url
}: ShardStorageOptions) {
  const { attempt } = yield* Database
  const { age, processId } = yield* Presence
  const term = BigInt(Math.round(leaseSeconds * 1e9))

  /** The shards that this process holds, and the number of the look since which it does. */
  const held = new Map<string, number>()
  let looks = 0
  let urls: ReadonlyMap<string, string> = new Map()
  /** Statements that take shards and have no answer yet. */
  let taking = 0
  /** What the library last knew that it holds, and the number of the look before that. */
  let known: { readonly shards: ReadonlySet<string>; readonly look: number } | undefined
  /** Shards that the last look found to be ours, and of which the library does not know. */
  let strays: ReadonlyArray<string> = []
  const isStray = (shard: string) => {
    const since = held.get(shard)
    return since === undefined || (known !== undefined && since < known.look && !known.shards.has(shard))
  }

  // The time-out ends the wait, not the statement. A finalizer is uninterruptible and would wait for the statement all the same.
  const patient = <A>(work: Effect.Effect<A, DatabaseDown>) =>
    work.pipe(
      Effect.interruptible,
      Effect.timeout(patience),
      Effect.mapError((cause) => new ClusterError.PersistenceError({ cause }))
    )
  /** After a failed release: the library would repeat it after 50 ms, without end. */
  const unhurried = <A, E>(work: Effect.Effect<A, E>) => Effect.tapError(work, () => Effect.sleep("1 second"))
  /** A process whose heartbeat has stopped takes no part: its locks are not valid. */
  const whileAlive = <A>(work: Effect.Effect<A, ClusterError.PersistenceError>) =>
    Effect.suspend(() => (age() > term ? Effect.fail(notAlive) : work))

  const look = Effect.gen(function* () {
    const began = ++looks
    const [found] = yield* attempt<{
      readonly runners: ReadonlyArray<{ readonly id: string; readonly url: string }>
      readonly shards: ReadonlyArray<string>
    }>({
      name: "shards-look",
      text: `
          select coalesce(
              (select json_agg(json_build_object('id', id, 'url', url)) from server_process where ${isAlive} and url is not null),
              '[]'
            ) as runners,
            array(select shard from shard_lock where process_id = $1) as shards`,
      values: [processId]
    })
    const { runners, shards } = found!
    const stillHeld = new Set(shards)
    for (const [shard, since] of held) if (since < began && !stillHeld.has(shard)) held.delete(shard)
    yield* giveUpStrays(shards)
    urls = new Map(runners.map((runner) => [runner.id, runner.url]))
    return runners.map(({ id }) => [runnerOf(id), true] as const)
  })

  /** Deletes locks of this process that the library does not know of, because the answer to its statement was late or lost. */
  const giveUpStrays = (ours: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      const before = new Set(strays)
      strays = taking > 0 ? [] : ours.filter(isStray)
      const left = strays.filter((shard) => before.has(shard))
      if (left.length === 0) return Effect.void
      for (const shard of left) held.delete(shard)
      return attempt({
        text: "delete from shard_lock where process_id = $1 and shard = any($2)",
        values: [processId, left]
      })
    })

  const take = (shards: ReadonlyArray<string>) =>
    Effect.suspend(() => {
      taking++
      return attempt<{ readonly shard: string }>({
        name: "shards-acquire",
        text: `
            insert into shard_lock as known (shard, process_id)
            select shard, $1 from unnest($2::text[]) shard
            where exists (select from server_process where id = $1 and ${isAlive})
            order by shard
            on conflict (shard) do update set process_id = excluded.process_id
            where known.process_id = excluded.process_id
              or not exists (select from server_process where id = known.process_id and ${isAlive})
            returning shard`,
        values: [processId, shards]
      })
    }).pipe(
      Effect.ensuring(Effect.sync(() => taking--)),
      // A caller that stops waiting does not end the statement in Postgres, so it is counted until Postgres has answered.
      Effect.uninterruptible,
      Effect.disconnect
    )

  const storage = RunnerStorage.RunnerStorage.of({
    register: () =>
      Effect.zipRight(
        joined,
        patient(
          attempt({
            text: `update server_process set url = $2 where id = $1 and ${isAlive} returning id`,
            values: [processId, url]
          })
        ).pipe(
          Effect.flatMap((rows) =>
            rows.length === 0 ? Effect.fail(notAlive) : Effect.succeed(machineIdOf(processId))
          )
        )
      ),
    unregister: () =>
      Effect.asVoid(
        patient(attempt({ text: "update server_process set url = null where id = $1", values: [processId] }))
      ),
    getRunners: Effect.map(patient(look), (runners) => [...runners]),
    // A process that cannot be called may still work on its runs, so only its row says whether it is alive.
    setRunnerHealth: () => Effect.void,
    acquire: (_, shardIds) => {
      const wanted = new Map([...shardIds].map((shardId) => [shardId.toString(), shardId]))
      return whileAlive(patient(take([...wanted.keys()]))).pipe(
        Effect.map((rows) =>
          rows.map(({ shard }) => {
            held.set(shard, looks)
            return wanted.get(shard)!
          })
        )
      )
    },
    // What the last look saw: the library takes all shards for lost where an answer is late, as behind a blocked event loop.
    refresh: (_, shardIds) =>
      whileAlive(
        Effect.sync(() => {
          const asked = [...shardIds]
          known = { shards: new Set(asked.map(String)), look: looks }
          return asked.filter((shardId) => held.has(shardId.toString()))
        })
      ),
    release: (_, shardId) => {
      const shard = shardId.toString()
      return (held.has(shard) ? onRelease(shardId) : Effect.void).pipe(
        Effect.zipRight(
          patient(
            attempt({
              text: "delete from shard_lock where shard = $1 and process_id = $2",
              values: [shard, processId]
            })
          )
        ),
        Effect.map(() => void held.delete(shard)),
        unhurried
      )
    },
    releaseAll: () =>
      patient(attempt({ text: "delete from shard_lock where process_id = $1", values: [processId] })).pipe(
        Effect.map(() => held.clear())
      )
  })
  return {
    storage,
    urlOf: (id) => urls.get(id),
    isAlone: () => (looks === 0 ? undefined : urls.size <= 1)
  } satisfies ShardStorage
})

const notAlive = new ClusterError.PersistenceError({ cause: "this process does not count as alive" })

const runnerOf = (processId: string) =>
  Runner.make({ address: runnerAddress(processId), groups: ["default"], weight: 1 })

/** Part of the ids of messages, of which the library takes ten bits. */
const machineIdOf = (processId: string) =>
  MachineId.make(createHash("sha256").update(processId).digest().readUInt16BE() % 1024)
