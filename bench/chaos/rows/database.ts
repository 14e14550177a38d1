/** Rows about faults of the database: lost answers, ended backends, a restart, a kill, an outage. */
import { rows } from "../../../test/support/service/database.ts"
import { type PrivatePostgres, privatePostgres } from "../../../test/support/service/PrivatePostgres.ts"
import { type Service, sleep, until } from "../../../test/support/service/Service.ts"
import { healed, startLoad, wrongAnswers } from "../world/load.ts"
import { type Ended, type Ground, millis, percentile, Requirements, type Row } from "../world/Row.ts"
import { longLease, openWorld, type World, within } from "../world/World.ts"
import { judge } from "../world/zeros.ts"

/** A world whose service has a Postgres of its own. */
export async function withPostgres<A>(
  ground: Ground,
  play: (world: World, postgres: PrivatePostgres) => Promise<A>,
  leaseSeconds = longLease
): Promise<A> {
  const postgres = await privatePostgres()
  try {
    await postgres.start()
    return await within(
      await openWorld(ground.cluster, { database: postgres.url(), leaseSeconds }),
      (world) => play(world, postgres)
    )
  } finally {
    await postgres.dispose()
  }
}

/**
 * The common course of several rows: runs are active while a fault is injected into the database, and afterwards
 * everything works again.
 */
export async function underLoad(
  world: World,
  connections: number,
  hurt: (service: Service) => Promise<string>,
  { once = false, speed = 100 }: { readonly once?: boolean; readonly speed?: number } = {}
): Promise<Ended> {
  const must = new Requirements()
  const service = await world.boot()
  const ids = await world.connectMany(service, connections, speed)
  const load = startLoad(world, ids, { once })
  await sleep(500)
  const tried = await hurt(service)
  await load.stop()
  const { asked, reasons, wrong } = await healed(world, load.runIds, ids[0]!)
  must.broken.push(...wrong, ...wrongAnswers(load))
  // With one run per connection and no lost lease, all runs end without a decision.
  must.require(
    !once || asked === 0,
    `${asked} of ${load.runIds.length} runs ask instead of ending: ${reasons.join("; ")}`
  )
  must.require(load.hasty() === 0, `${load.hasty()} times 503 without Retry-After`)
  must.require(service.process.exitCode === null && service.process.signalCode === null, "the process ended")
  const { details, lines, zeros } = await judge(world)
  return {
    tried: `${tried}; ${load.runIds.length} runs, ${load.polls()} polls`,
    figure: `finished by themselves ${load.runIds.length - asked}/${load.runIds.length}, asked ${asked}; 503 ${load.refusals.get(503) ?? 0}, other 5xx ${wrongAnswers(load).length} (bar 0)`,
    zeros,
    lines,
    streams: world.followers.length,
    broken: [...must.broken, ...details]
  }
}

/** So slow that the car is not full before the outage is over, because its partner would then rightly end the session. */
export const unhurried = { speed: 20 }

const lostAnswer: Row = {
  id: "F3",
  fault: "the answer to a commit is lost",
  run: (ground) =>
    withPostgres(ground, async (world, postgres) => {
      let appends = 0
      let lost = 0
      const ended = await underLoad(
        world,
        ground.count(10, 3),
        async () => {
          // Every third append is committed by Postgres, but its answer is lost.
          postgres.loses = (words) => {
            if (!words.includes("ledger-append")) return false
            appends += 1
            if (appends % 3 !== 0) return false
            lost += 1
            return true
          }
          return "every third append"
        },
        { once: true }
      )
      const [{ twice }] = (await rows(
        world.database,
        "select count(*)::int as twice from (select event_id from ledger_event group by run_id, event_id having count(*) > 1) d"
      )) as [{ twice: number }]
      return {
        ...ended,
        tried: `${lost} of ${appends} appends committed without an answer; ${ended.tried.split("; ")[1]}`,
        figure: `${ended.figure}; appended twice ${twice}`,
        broken: lost === 0 ? [...ended.broken, "no answer was lost"] : ended.broken
      }
    })
}

const backends: Row = {
  id: "F4",
  fault: "all backends are ended again and again",
  run: (ground) =>
    withPostgres(ground, async (world) => {
      let ended = 0
      const end = `select count(pg_terminate_backend(pid))::int as n from pg_stat_activity
        where pid <> pg_backend_pid() and backend_type = 'client backend'`
      const result = await underLoad(
        world,
        ground.count(20, 5),
        async () => {
          const until = performance.now() + ground.count(15, 5) * 1000
          while (performance.now() < until) {
            ended += await rows(world.database, end).then(
              ([{ n }]) => n,
              () => 0
            )
            await sleep(200)
          }
          return `backends ended ${ended}`
        },
        { once: true }
      )
      // Notifications work again in both directions: a run in one process is streamed by another.
      const [first] = world.services()
      const second = await world.boot()
      await rows(world.database, end)
      await sleep(1000)
      const runId = await world.start(first!, await world.partner(first!))
      const follower = world.watch(runId!, [second])
      await Promise.race([follower.done, sleep(30_000)])
      const lag = percentile(follower.delays, 0.5)
      return {
        ...result,
        figure: `${result.figure}; lag across processes after it p50 ${millis(lag)} (bar 1 s)`,
        broken: lag <= 1000 ? result.broken : [...result.broken, `lag ${millis(lag)}`]
      }
    })
}

const restarts = (id: string, fault: string, signal: "SIGQUIT" | "SIGKILL"): Row => ({
  id,
  fault,
  run: (ground) =>
    withPostgres(ground, async (world, postgres) => {
      let times = 0
      const result = await underLoad(world, ground.count(8, 3), async () => {
        const end = performance.now() + ground.count(30, 7) * 1000
        while (performance.now() < end) {
          await postgres.crash(signal).then(
            () => (times += 1),
            () => {} // still starting
          )
          await sleep(3000)
        }
        await up(world)
        return `${times} times ${signal}`
      })
      return { ...result, kills: times }
    })
})

const up = (world: World) =>
  until("the database to be back", () =>
    rows(world.database, "select 1").then(
      () => true,
      () => undefined
    )
  )

const away: Row = {
  id: "F7",
  fault: "Postgres is away for a minute",
  run: (ground) =>
    withPostgres(ground, async (world, postgres) => {
      const must = new Requirements()
      let hits = 0
      const seconds = ground.count(60, 8)
      const result = await underLoad(
        world,
        ground.count(8, 3),
        async (service) => {
          await postgres.stop()
          await sleep(1000)
          const before = world.proxy.passed.length
          const end = performance.now() + seconds * 1000
          while (performance.now() < end) {
            const live = await service.call("GET", "/health/live")
            const ready = await service.call("GET", "/health/ready")
            must.require(
              live.status === 200 && ready.status === 503,
              `live ${live.status}, ready ${ready.status}`
            )
            await sleep(500)
          }
          // Count only requests of our runs; the partner may call us at any time.
          hits = world.proxy.passed
            .slice(before)
            .filter(({ correlationId }) => correlationId.startsWith("run_")).length
          await postgres.start()
          const started = performance.now()
          await until("it to be ready again", async () => {
            const { status } = await service.call("GET", "/health/ready")
            return status === 200 ? true : undefined
          })
          return `away ${seconds} s, ready ${millis(performance.now() - started)} after its return`
        },
        unhurried
      )
      must.require(hits === 0, `${hits} requests of runs reached the partner meanwhile`)
      return {
        ...result,
        figure: `${result.figure}; live 200 and ready 503 throughout; requests at the partner meanwhile ${hits} (bar 0)`,
        broken: [...must.broken, ...result.broken]
      }
    })
}

/** Rows about faults of the database, in order. */
export const databaseRows: ReadonlyArray<Row> = [
  lostAnswer,
  backends,
  restarts("F5", "Postgres is restarted without farewell, again and again", "SIGQUIT"),
  restarts("F6", "the postmaster is killed, again and again", "SIGKILL"),
  away
]
