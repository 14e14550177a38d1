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
export interface ShardStorageOptions {
  /** Where the other processes reach this one. */
  readonly url: string
  /** How long a process that says nothing counts as alive. */
  readonly leaseSeconds: number
  /** Called before the lock of a shard is given back. */
  readonly onRelease: (shardId: ShardId.ShardId) => Effect.Effect<void>
}

/** What the library stores, and where the living processes are. */
export interface ShardStorage {
  readonly storage: RunnerStorage.RunnerStorage["Type"]
  /** The URL of a process, by its id; undefined where it is not known to be alive. */
  readonly urlOf: (processId: string) => string | undefined
}

/** A statement that has no answer by then fails: the library waits for each. */
const patience = "2 seconds"

/** The address of the runner of this process. There is no port: `urlOf` says where a process is. */
export const runnerAddress = (processId: string) => RunnerAddress.make(processId, 1)

const isAlive = "alive_until > clock_timestamp()"

/** The storage of this process's runner. */
export const makeShardStorage = ({ leaseSeconds, onRelease, url }: ShardStorageOptions) =>
  Effect.gen(function* () {
    const { attempt } = yield* Database
    const { age, processId } = yield* Presence
    const term = BigInt(Math.round(leaseSeconds * 1e9))

    /** The shards that this process holds, and the number of the look since which it does. */
    const held = new Map<string, number>()
    let looks = 0
    let urls: ReadonlyMap<string, string> = new Map()

    const patient = <A>(work: Effect.Effect<A, DatabaseDown>) =>
      work.pipe(
        Effect.timeout(patience),
        Effect.mapError((cause) => new ClusterError.PersistenceError({ cause }))
      )
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
      urls = new Map(runners.map((runner) => [runner.id, runner.url]))
      return runners.map(({ id }) => [runnerOf(id), true] as const)
    })

    const storage = RunnerStorage.RunnerStorage.of({
      register: () =>
        patient(
          attempt({
            text: `update server_process set url = $2 where id = $1 and ${isAlive} returning id`,
            values: [processId, url]
          })
        ).pipe(
          Effect.flatMap((rows) =>
            rows.length === 0 ? Effect.fail(notAlive) : Effect.succeed(machineIdOf(processId))
          )
        ),
      unregister: () =>
        Effect.asVoid(
          patient(
            attempt({ text: "update server_process set url = null where id = $1", values: [processId] })
          )
        ),
      getRunners: Effect.map(patient(look), (runners) => [...runners]),
      // Who cannot be called may still work on its runs: the rows alone say who is alive.
      setRunnerHealth: () => Effect.void,
      acquire: (_, shardIds) => {
        const wanted = new Map([...shardIds].map((shardId) => [shardId.toString(), shardId]))
        return whileAlive(
          patient(
            attempt<{ readonly shard: string }>({
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
              values: [processId, [...wanted.keys()]]
            })
          )
        ).pipe(
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
        whileAlive(Effect.sync(() => [...shardIds].filter((shardId) => held.has(shardId.toString())))),
      release: (_, shardId) =>
        Effect.zipRight(
          onRelease(shardId),
          Effect.map(
            patient(
              attempt({
                text: "delete from shard_lock where shard = $1 and process_id = $2",
                values: [shardId.toString(), processId]
              })
            ),
            () => void held.delete(shardId.toString())
          )
        ),
      releaseAll: () =>
        Effect.map(
          patient(attempt({ text: "delete from shard_lock where process_id = $1", values: [processId] })),
          () => held.clear()
        )
    })
    return { storage, urlOf: (id) => urls.get(id) } satisfies ShardStorage
  })

const notAlive = new ClusterError.PersistenceError({ cause: "this process does not count as alive" })

const runnerOf = (processId: string) =>
  Runner.make({ address: runnerAddress(processId), groups: ["default"], weight: 1 })

/** Part of the ids of messages, of which the library takes ten bits. */
const machineIdOf = (processId: string) =>
  MachineId.make(createHash("sha256").update(processId).digest().readUInt16BE() % 1024)
