/** A row with PgBouncer before the database: what it may not do is refused at boot, and it is killed under load. */
import { freshDatabase, rows } from "../../../test/support/service/database.ts"
import { servingUrl, sleep, startService } from "../../../test/support/service/Service.ts"
import { findPgbouncer, type Pgbouncer, pgbouncerBefore } from "../world/Pgbouncer.ts"
import { type Ended, type Ground, millis, percentile, Requirements, type Row } from "../world/Row.ts"
import { type SessionWork, trySessionWork } from "../world/sessionWork.ts"
import { openWorld, type World, within } from "../world/World.ts"
import { underLoad } from "./database.ts"

/** What docs/operations.md tells to leave out, and to give to the login instead. */
const ignored = ["extra_float_digits", "options", "statement_timeout", "idle_in_transaction_session_timeout"]
const givenToLogin = [
  "set role = plugfest_app",
  "set statement_timeout = '30s'",
  "set idle_in_transaction_session_timeout = '60s'"
]

const pooled: Row = {
  id: "M5",
  fault: "PgBouncer is before the database, pools in the wrong way, and is killed again and again",
  run: async (ground) => {
    const program = findPgbouncer()
    if (program === undefined)
      return { skipped: "there is no pgbouncer, and it cannot be installed here (Debian's package, as root)" }
    const database = await freshDatabase(ground.cluster)
    const login = new URL(servingUrl(database))
    const pgbouncer = await pgbouncerBefore(program, database, { [login.username]: login.password })
    try {
      const url = pgbouncer.through(database)
      await pgbouncer.start({ mode: "session", ignored: ["extra_float_digits"] })
      const parameters = await refusalOf(url)
      await pgbouncer.kill()
      await pgbouncer.start({ mode: "transaction", ignored })
      const transaction = await refusalOf(url)
      const shared = await trySessionWork(url, database)
      await pgbouncer.kill()
      await pgbouncer.start({ mode: "session", ignored })
      const own = await trySessionWork(url, database)
      const ended = await within(await openWorld(ground.cluster, { database: url }), (world) =>
        playPooled(ground, world, pgbouncer, database)
      )
      const must = new Requirements()
      must.require(/ignore_startup_parameters/.test(parameters), `parameters refused: ${parameters}`)
      must.require(/pool_mode to session/.test(transaction), `transaction mode: ${transaction}`)
      must.require(working(own) === working(all), `in session mode work only: ${working(own)}`)
      must.require(working(shared) === "none", `in transaction mode work: ${working(shared)}`)
      return {
        ...ended,
        figure: `work in session mode: ${working(own)}; in transaction mode: ${working(shared)}; ${ended.figure}`,
        broken: [...must.broken, ...ended.broken]
      }
    } finally {
      await pgbouncer.dispose()
    }
  }
}

const all: SessionWork = { prepared: true, heard: true, excluded: true }

const working = ({ excluded, heard, prepared }: SessionWork): string =>
  [
    ...(prepared ? ["prepared statements"] : []),
    ...(heard ? ["LISTEN"] : []),
    ...(excluded ? ["advisory locks of a session"] : [])
  ].join(", ") || "none"

/** The output of a process that did not start there; empty: it did. */
async function refusalOf(url: string): Promise<string> {
  try {
    await (await startService({ DATABASE_URL: url })).kill()
    return ""
  } catch (error) {
    return String(error)
  }
}

async function playPooled(
  ground: Ground,
  world: World,
  pgbouncer: Pgbouncer,
  database: string
): Promise<Ended> {
  const must = new Requirements()
  const warned = /A pooler leaves out settings/
  const first = await world.boot()
  must.require(warned.test(first.output()), "nothing warns of what the pooler leaves out")
  const login = servingUrl(database)
  const { username } = new URL(login)
  for (const one of givenToLogin)
    await rows(database, `alter role ${username} in database ${nameOf(database)} ${one}`)
  await first.kill("SIGTERM")
  await pgbouncer.kill() // its sessions are older than the settings
  await pgbouncer.start({ mode: "session", ignored })
  const second = await world.boot()
  must.require(!warned.test(second.output()), "it still warns of what the pooler leaves out")
  // A session that was used and given back is reset, and is again what the login says.
  for (let turn = 0; turn < 3; turn++) {
    const [session] = await rows(
      pgbouncer.through(login),
      "select current_user::text as role, current_setting('statement_timeout') as timeout"
    )
    must.require(
      session.role === "plugfest_app" && session.timeout === "30s",
      `a session acts as ${session.role} with a time limit of ${session.timeout}`
    )
  }

  // Notifications go from one process to the other.
  const other = await world.boot()
  const delays: Array<number> = []
  for (const connectionId of await world.connectMany(second, ground.count(5, 2))) {
    const runId = await world.start(second, connectionId)
    const follower = world.watch(runId!, [other])
    await Promise.race([follower.done, sleep(30_000)])
    delays.push(...follower.delays)
  }
  const delay = percentile(delays, 0.5)
  must.require(delay <= 500, `delivery p50 ${millis(delay)}`)

  const kills = ground.count(5, 2)
  const ended = await underLoad(world, ground.count(8, 3), async () => {
    for (let kill = 0; kill < kills; kill++) {
      await sleep(2000)
      await pgbouncer.kill()
      await sleep(500)
      await pgbouncer.start({ mode: "session", ignored })
    }
    return `PgBouncer killed ${kills} times in session mode`
  })
  return {
    ...ended,
    kills,
    tried: `transaction mode and refused parameters at boot; ${ended.tried}`,
    figure: `refused at boot 2/2, each with what to set; across processes ${delays.length} lines: p50 ${millis(delay)} (bar 500 ms); ${ended.figure}`,
    broken: [...must.broken, ...ended.broken]
  }
}

const nameOf = (url: string) => new URL(url).pathname.slice(1)

/** The rows with a pooler, in order. */
export const pooledRows: ReadonlyArray<Row> = [pooled]
