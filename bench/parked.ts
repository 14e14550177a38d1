/**
 * What parked runs and short ones cost, measured on the built service and a Postgres of its own. Parked runs wait for partners that
 * say nothing, each for one of its own.
 */
import { randomUUID } from "node:crypto"
import { readFile } from "node:fs/promises"
import { rows } from "../test/support/service/database.ts"
import { type QuietPartner, quietPartner } from "../test/support/service/QuietPartner.ts"
import { type Service, sleep, until } from "../test/support/service/Service.ts"
import { startCluster } from "./chaos/cluster.ts"
import { millis, percentile } from "./chaos/world/Row.ts"
import { openWorld, shortLease, terminal, type World, within } from "./chaos/world/World.ts"
import { awaitingPartner, register } from "./orders.ts"

/** How many runs are parked, by how many processes, and how many short ones are played before. */
interface ParkedOptions {
  readonly parked: number
  readonly processes: number
  readonly short: number
}

const windowSeconds = 20
const ticksPerSecond = 100
/** How many connections lead to the same host: each new one is compared with them. */
const ofOneHost = 20
/** How many runs are parked at once. */
const abreast = 12
/** How long a parked run waits, in seconds: longer than all of this takes. */
const longestWait = 86_400
/** How long they may take to come to rest. */
const restMillis = 300_000

/** They are at rest when no run has a new owner for so many seconds. */
const quietSeconds = 5

const print = (text: string) => void process.stdout.write(`${text}\n`)

/** Prints what parked and short runs cost a second in processor time, statements, written rows and log, and in memory. */
export async function benchParked({ parked, processes, short }: ParkedOptions): Promise<void> {
  const postgres = await startCluster()
  try {
    await within(await openWorld(postgres.url, { leaseSeconds: shortLease }), async (world) => {
      const services: Array<Service> = []
      for (let n = 0; n < processes; n++) services.push(await world.boot())
      await sleep(4000)
      print(`memory ${await memory(services)} MB`)
      await cost(world, services, "without runs")
      if (short > 0) {
        await playShort(world, services, short)
        await cancels(world, services)
      }
      const leave = await park(services, parked)
      print(`memory ${await memory(services)} MB`)
      await cost(world, services, `with ${parked} parked runs`)
      await moves(world, "when a process comes", async () => void services.push(await world.boot()))
      await moves(world, "when one ends in order", () => services.shift()!.kill("SIGTERM"))
      leave()
    })
  } finally {
    await postgres.stop()
  }
}

/** Short runs, one at a time on each of twenty connections, through all processes in turn. */
async function playShort(world: World, services: ReadonlyArray<Service>, short: number): Promise<void> {
  const connections = await world.connectMany(services[0]!, 20, 1000)
  const before = await counters(world, services)
  const began = performance.now()
  let started = 0
  let passed = 0
  await Promise.all(
    connections.map(async (connectionId) => {
      while (started < short) {
        const service = services[started++ % services.length]!
        const runId = await world.start(service, connectionId, "first-reads")
        if (runId === undefined) continue
        const [view] = await world.settle([runId])
        if (view.verdict === "pass") passed += 1
      }
    })
  )
  const seconds = (performance.now() - began) / 1000
  const after = await counters(world, services)
  print(
    `short runs: ${passed} of ${started} passed in ${seconds.toFixed(1)} s, ${(started / seconds).toFixed(1)} a second; a run ` +
      `${((after.commits - before.commits) / started).toFixed(1)} statements, ${Math.round((after.log - before.log) / started)} bytes of log, ` +
      `${((1000 * (after.cpu - before.cpu)) / started).toFixed(1)} ms of processor`
  )
}

/** Runs that wait, cancelled through another process than the one that they were started at. */
async function cancels(world: World, services: ReadonlyArray<Service>): Promise<void> {
  const times: Array<number> = []
  const statuses = new Map<number, number>()
  for (let n = 0; n < 20; n++) {
    const at = services[n % services.length]!
    const by = services[(n + 1) % services.length]!
    const runId = await world.start(at, await world.partner(at, { speed: 1 }), "remote-start", {
      waitSeconds: 600
    })
    if (runId === undefined) continue
    await until("the run to wait", async () =>
      (await world.status(runId)).waitingFor === null ? undefined : true
    )
    const began = performance.now()
    const { status } = await by.call("POST", `/api/v1/testing/journey-runs/${runId}/cancel`)
    times.push(performance.now() - began)
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    await until("its end", async () =>
      terminal.includes((await world.status(runId)).status) ? true : undefined
    )
  }
  print(
    `cancels through another process: p50 ${millis(percentile(times, 0.5))}, p95 ${millis(percentile(times, 0.95))}, ` +
      `most ${millis(Math.max(...times))}; ${[...statuses].map(([status, count]) => `${count} × ${status}`).join(", ")}`
  )
}

/** Starts runs that wait for their partners, in all processes in turn. */
async function park(services: ReadonlyArray<Service>, parked: number): Promise<() => void> {
  const began = performance.now()
  const partners: Array<Promise<QuietPartner>> = []
  let started = 0
  const lane = async () => {
    while (started < parked) {
      const service = services[started % services.length]!
      if (started++ % ofOneHost === 0) partners.push(quietPartner())
      const { versionsUrl } = await partners.at(-1)!
      const connectionId = await register(service, versionsUrl, `quiet-partner-token_A.${randomUUID()}`)
      await awaitingPartner(service, connectionId, longestWait)
    }
  }
  await Promise.all(Array.from({ length: abreast }, lane))
  print(`${parked} runs were parked in ${Math.round((performance.now() - began) / 1000)} s`)
  const opened = await Promise.all(partners)
  return () => {
    for (const { close } of opened) close()
  }
}

/** What becomes of the parked runs by a change of the processes. */
async function moves(world: World, when: string, change: () => Promise<unknown>): Promise<void> {
  const look = async () =>
    (
      await rows(
        world.database,
        `select (select count(*) from ledger_event)::int as lines, sum(lease_epoch)::int as epochs,
           count(*) filter (where status = 'interrupted')::int as asking from run where not closed`
      )
    )[0]
  const before = await look()
  const began = performance.now()
  await change()
  const changed = performance.now()
  await quiet(world)
  const after = await look()
  print(
    `${when} (in ${Math.round((changed - began) / 1000)} s): ${after.epochs - before.epochs} claims, ${after.lines - before.lines} lines, ` +
      `${after.asking - before.asking} runs ask for a decision, at rest after ${Math.round((performance.now() - changed) / 1000)} s`
  )
}

/** Until no run changes its process. */
async function quiet(world: World): Promise<void> {
  const end = performance.now() + restMillis
  for (let before = ""; performance.now() < end; ) {
    const [{ state }] = (await rows(
      world.database,
      "select sum(lease_epoch) || ' ' || count(lease_owner) as state from run where not closed"
    )) as [{ readonly state: string }]
    if (state === before) return
    before = state
    await sleep(quietSeconds * 1000)
  }
  print("they have not become quiet")
}

/** What happens while nothing happens. */
async function cost(world: World, services: ReadonlyArray<Service>, when: string): Promise<void> {
  const before = await counters(world, services)
  await sleep(windowSeconds * 1000)
  const after = await counters(world, services)
  const each = (key: keyof typeof before) => (after[key] - before[key]) / windowSeconds
  print(
    `${when}, a second: ${each("commits").toFixed(1)} statements, ${each("updated").toFixed(1)} rows updated, ${Math.round(each("log"))} bytes of log, ` +
      `${(1000 * each("cpu")).toFixed(1)} ms of processor in ${services.length} processes`
  )
}

/** Of the database and of all processes. The last reading of the database's own counters is at most a second old. */
async function counters(world: World, services: ReadonlyArray<Service>) {
  await sleep(1500)
  const [found] = await rows(
    world.database,
    `select xact_commit::float8 as commits, tup_updated::float8 as updated,
       (pg_current_wal_insert_lsn() - '0/0'::pg_lsn)::float8 as log
     from pg_stat_database where datname = current_database()`
  )
  const times = await Promise.all(
    services.map(({ process: { pid } }) => readFile(`/proc/${pid}/stat`, "utf8"))
  )
  const ticks = times.map((text) => {
    const fields = text.slice(text.lastIndexOf(")") + 2).split(" ")
    return Number(fields[11]) + Number(fields[12])
  })
  return {
    commits: found.commits as number,
    updated: found.updated as number,
    log: found.log as number,
    cpu: ticks.reduce((a, b) => a + b, 0) / ticksPerSecond
  }
}

/** Resident memory of each process, in megabytes. */
async function memory(services: ReadonlyArray<Service>): Promise<string> {
  const all = await Promise.all(
    services.map(({ process: { pid } }) => readFile(`/proc/${pid}/status`, "utf8"))
  )
  return all.map((text) => Math.round(Number(/VmRSS:\s+(\d+)/.exec(text)?.[1]) / 1024)).join(" + ")
}
