/** A row with HAProxy before three processes: a rolling restart and a kill, with everything through the balancer. */
import { isEventOf } from "../../../schema/LedgerEvent.ts"
import { rows } from "../../../test/support/service/database.ts"
import { readLines } from "../../../test/support/service/oracle.ts"
import { callAt, freePort, sleep } from "../../../test/support/service/Service.ts"
import { findHaproxy, type Haproxy, noHaproxy, startHaproxy } from "../world/Haproxy.ts"
import { startLoad, wrongAnswers } from "../world/load.ts"
import { type Ended, type Ground, millis, Requirements, type Row } from "../world/Row.ts"
import { longLease, openWorld, type World, within } from "../world/World.ts"
import { countLines, decideAll } from "../world/waitingRuns.ts"
import { startWriters } from "../world/writers.ts"
import { judge } from "../world/zeros.ts"

/** The configuration that docs/operations.md gives to its readers. */
const configuration = "docs/proxy/haproxy.cfg"

const balanced: Row = {
  id: "M3",
  fault: "behind HAProxy, three processes are restarted in turn, and one after the other is killed",
  run: async (ground) => {
    const program = findHaproxy()
    if (program === undefined) return noHaproxy
    const ports = [await freePort(), await freePort(), await freePort()]
    const port = await freePort()
    const url = `http://127.0.0.1:${port}`
    const haproxy = await startHaproxy(
      program,
      configuration,
      {
        BIND: `127.0.0.1:${port}`,
        ...Object.fromEntries(ports.map((one, index) => [`PLUGFEST_${index + 1}`, `127.0.0.1:${one}`]))
      },
      // Nobody is behind it yet.
      () =>
        callAt(url)("GET", "/metrics").then(
          ({ status }) => (status === 404 ? true : undefined),
          () => undefined
        )
    )
    try {
      return await within(
        await openWorld(ground.cluster, { env: { PUBLIC_URL: url, DRAIN_SECONDS: "3" } }),
        (world) => playBehind(ground, world, { haproxy, ports, url })
      )
    } finally {
      await haproxy.kill()
    }
  }
}

interface Front {
  readonly haproxy: Haproxy
  readonly ports: ReadonlyArray<number>
  readonly url: string
}

async function playBehind(ground: Ground, world: World, { haproxy, ports, url }: Front): Promise<Ended> {
  const must = new Requirements()
  const front = { url, call: callAt(url) }
  const boot = (port: number) => world.boot({ PORT: String(port) })
  for (const port of ports) await boot(port)
  await sleep(2500) // the balancer asks each once a second
  const connections = await world.connectMany(front, ground.count(8, 4))
  const before = haproxy.requests.length
  const load = startLoad(world, connections, { through: front })
  const writers = await startWriters(world, front, ground.count(4, 2))
  await sleep(1000)

  const codes: Array<unknown> = []
  let longest = 0
  for (let round = 0; round < ground.count(2, 1); round++) {
    for (const port of ports) {
      const began = performance.now()
      codes.push(await at(world, port).kill("SIGTERM"))
      longest = Math.max(longest, performance.now() - began)
      await boot(port)
      await sleep(2500)
    }
  }
  const killedAt = Date.now()
  const kills = ground.count(12, 3)
  for (let kill = 0; kill < kills; kill++) {
    const port = ports[kill % ports.length]!
    await at(world, port).kill("SIGKILL")
    await sleep(2500)
    await boot(port)
    await sleep(2500)
  }
  await writers.stop()
  await load.stop()
  const { runIds } = load
  const asking = (await world.settle(runIds)).filter(({ status }) => status === "interrupted")
  for (const { runId } of asking) {
    const lines = await readLines(world.database, runId)
    const interrupted = lines.map(({ event }) => event).findLast(isEventOf("run.interrupted"))
    // In an orderly restart a run may ask only because of a request with unknown outcome; in a kill for other reasons too.
    must.require(
      (interrupted?.data.unknown ?? []).length > 0 || Date.parse(interrupted?.occurredAt ?? "") > killedAt,
      `${runId} asks although nothing was open`
    )
  }
  await decideAll(
    world,
    asking.map(({ runId }) => runId),
    "abandon"
  )
  await Promise.race([Promise.all(world.followers.map(({ done }) => done)), sleep(20_000)])

  const seen = haproxy.requests.slice(before)
  const errors = seen.filter(({ status }) => status >= 500)
  const wrong = errors.filter(({ status }) => status !== 503)
  for (const { method, path, status } of wrong) must.broken.push(`${status} to ${method} ${path}`)
  const cut = seen.filter(({ isCut, path }) => isCut && !path.endsWith("/stream"))
  for (const { method, path } of cut) must.broken.push(`the answer to ${method} ${path} was cut`)
  must.require(
    codes.every((code) => code === 0),
    `exit codes ${codes.join(" ")}`
  )
  must.require(longest <= 18_000, `an end took ${millis(longest)}`)
  must.require(load.hasty() === 0, `${load.hasty()} times 503 without Retry-After`)
  must.broken.push(...wrongAnswers(load), ...(await writers.faults()))
  const streams = seen.filter(({ path }) => path.endsWith("/stream"))
  const waits = seen.filter(({ path }) => path.includes("?wait="))
  const calls = seen.filter(({ path }) => path.startsWith("/ocpi/"))
  const again = seen.filter(({ retries }) => retries > 0)
  const readAgain = again.filter(({ method }) => method === "GET")
  const callsAgain = again.filter((one) => calls.includes(one) && !readAgain.includes(one))
  for (const [what, found] of Object.entries({ streams, waits, calls }))
    must.require(found.length > 0, `no ${what} went through the balancer`)
  const resumes = world.followers.reduce((all, one) => all + one.reconnects(), 0)
  must.require(resumes > 0, "no stream had to resume")
  const resumed = (await countLines(world, runIds, "run.resumed")).reduce((a, b) => a + b, 0)
  const unheard = await partnersErrors(world)
  must.require(unheard === 0, `${unheard} calls of partners failed`)
  const written = writers.counts()
  const { details, lines, zeros } = await judge(world)
  return {
    tried:
      `${codes.length} restarts and ${kills} kills under ${runIds.length} runs, ${written.clients} writes with a key and ${written.partner} pushes of a partner; ` +
      `through the balancer ${seen.length} requests: ${streams.length} streams, ${waits.length} long polls, ${calls.length} calls of partners`,
    figure:
      `resumed by themselves ${resumed}, asked for a decision ${asking.length}; streams resumed ${resumes}; ` +
      `tried at another process ${again.length}: reads ${readAgain.length}, writes of partners ${callsAgain.length}, of clients ${again.length - readAgain.length - callsAgain.length}; ` +
      `writes with a key that took more than ${millis(leaseWait)}, because the lease of a killed process was waited for, ${writers.slowerThan(leaseWait)}, the longest ${millis(writers.slowest())} (lease ${longLease} s); ` +
      `503 ${errors.length - wrong.length}, repeated by the client with success ${writers.repeated() + load.repeated()}; other 5xx ${wrong.length} (bar 0); ` +
      `answers cut ${cut.length} (bar 0); calls of partners that failed ${unheard} (bar 0); longest end ${millis(longest)} (bar 18 s)`,
    zeros,
    lines,
    kills,
    streams: world.followers.length,
    broken: [...must.broken, ...details]
  }
}

const at = (world: World, port: number) =>
  world.services().find(({ url }) => new URL(url).port === String(port)) ?? fail(`nobody at ${port}`)

const fail = (why: string): never => {
  throw new Error(why)
}

/** A write that takes longer waited until a process was known to be dead (or the machine was busy). */
const leaseWait = 5_000

/** How many calls of partners were answered with 5xx or not at all. */
async function partnersErrors(world: World): Promise<number> {
  const [{ failed }] = (await rows(
    world.partnersDatabase,
    `select count(*)::int as failed from party_exchange where direction = 'outbound'
     and (exchange->>'outcome' <> 'completed' or (exchange->'response'->>'httpStatus')::int >= 500)`
  )) as [{ failed: number }]
  return failed
}

/** The rows with a real balancer, in order. */
export const balancedRows: ReadonlyArray<Row> = [balanced]
