/** Rows about the network between processes: to their database, and to each other. */
import { freePort, sleep, until } from "../../../test/support/service/Service.ts"
import { type Relay, startRelay } from "../world/Relay.ts"
import { type Ground, millis, percentile, Requirements, type Row } from "../world/Row.ts"
import { openWorld, shortLease, type World, within } from "../world/World.ts"
import { abandonAll, offers, term, waitingRuns } from "../world/waitingRuns.ts"
import { judge } from "../world/zeros.ts"

/** How long the cut lasts, in leases. */
const leasesCut = 6

const fromDatabase: Row = {
  id: "N1",
  fault: "the network between one of two processes and the database is cut, and comes back",
  run: async (ground) =>
    within(await openWorld(ground.cluster, { leaseSeconds: shortLease }), async (world) => {
      const relay = await startRelay(Number(new URL(world.database).port))
      try {
        return await cutFromDatabase(world, relay, ground)
      } finally {
        relay.close()
      }
    })
}

async function cutFromDatabase(world: World, relay: Relay, ground: Ground) {
  const must = new Requirements()
  const through = new URL(world.database)
  through.port = String(relay.port)
  const cutOff = await world.boot({ DATABASE_URL: through.href })
  const heir = await world.boot()
  await sleep(term)
  const waiting = await waitingRuns(world, cutOff, ground.count(10, 3))
  const connections = await world.connectMany(cutOff, ground.count(5, 2))
  const started = await Promise.all(connections.map((id) => world.start(cutOff, id)))
  const active = started.filter((id) => id !== undefined)
  relay.cut()
  world.balancer.ports = [Number(new URL(heir.url).port)]
  const cut = performance.now()
  const times = await offers(world, waiting, leasesCut * term)
  must.require(times.length === waiting.length, `${waiting.length - times.length} runs offer nothing`)
  // Half of them are decided while their former process knows nothing of it.
  const early = waiting.slice(0, waiting.length / 2)
  for (const runId of early) {
    const { body } = await heir.call("GET", `/api/v1/testing/journey-runs/${runId}`)
    const choice = { decision: "abandon", recoveryVersion: body.data.recoveryVersion }
    const { status } = await heir.call("POST", `/api/v1/testing/journey-runs/${runId}/recovery`, choice)
    must.require(status === 200, `a decision was answered ${status}`)
  }
  await sleep(Math.max(0, leasesCut * term - (performance.now() - cut)))
  const { status } = await cutOff.call("GET", "/health/ready")
  must.require(status === 503, `cut off from its database, it answers ${status} to /health/ready`)
  const sent = world.proxy.passed.length
  relay.mend()
  const mended = performance.now()
  await until("the process to be ready", async () =>
    (await cutOff.call("GET", "/health/ready")).status === 200 ? true : undefined
  )
  const ready = performance.now() - mended
  const runId = await world.start(cutOff, await world.partner(cutOff))
  const [whole] = runId === undefined ? [] : await world.settle([runId])
  must.require(whole?.verdict === "pass", `a run in it afterwards ended ${whole?.status} ${whole?.verdict}`)
  await abandonAll(world, [...waiting, ...active])
  const { details, lines, zeros } = await judge(world)
  return {
    tried: `${waiting.length} runs that wait and ${active.length} under way, cut off for ${leasesCut} leases of ${shortLease} s; ${early.length} decided meanwhile`,
    figure: `cut to offer p50 ${millis(percentile(times, 0.5))}, p95 ${millis(percentile(times, 0.95))}; ready ${millis(ready)} after its return; requests at the partner since then ${world.proxy.passed.length - sent}, unannounced 0`,
    zeros,
    lines,
    broken: [...must.broken, ...details]
  }
}

/** Where a process listens, and where the others reach it. */
const reachedBy = (port: number, relay: Relay) => ({
  PORT: String(port),
  PROCESS_URL: `http://127.0.0.1:${relay.port}`
})

const fromEachOther: Row = {
  id: "N2",
  fault: "two processes cannot reach each other, and both reach the database",
  run: async (ground) => {
    return within(await openWorld(ground.cluster, { leaseSeconds: shortLease }), async (world) => {
      const must = new Requirements()
      const ports = [await freePort(), await freePort()]
      const relays = await Promise.all(ports.map((port) => startRelay(port)))
      const [one, other] = [
        await world.boot(reachedBy(ports[0]!, relays[0]!)),
        await world.boot(reachedBy(ports[1]!, relays[1]!))
      ]
      await sleep(term)
      const waiting = await waitingRuns(world, one, ground.count(10, 4))
      for (const relay of relays) relay.cut()
      await sleep(2 * term)
      const answers: Array<number> = []
      for (const runId of waiting.slice(0, waiting.length / 2)) {
        const path = `/api/v1/testing/journey-runs/${runId}/cancel`
        answers.push((await other.call("POST", path)).status)
      }
      const whole: Array<string> = []
      for (const service of [one, other]) {
        const runId = await world.start(service, await world.partner(service))
        if (runId !== undefined) whole.push(runId)
      }
      const ended = await world.settle(whole)
      must.require(
        ended.length === 2 && ended.every(({ verdict }) => verdict === "pass"),
        `runs meanwhile ended ${ended.map(({ status, verdict }) => `${status} ${verdict}`).join(", ")}`
      )
      for (const relay of relays) relay.mend()
      await sleep(term)
      const later: Array<number> = []
      for (const runId of waiting.slice(waiting.length / 2)) {
        later.push((await other.call("POST", `/api/v1/testing/journey-runs/${runId}/cancel`)).status)
      }
      must.require(
        later.every((status) => status < 300),
        `cancels after it were answered ${later.join(" ")}`
      )
      must.require(
        answers.every((status) => status < 300),
        `cancels during it were answered ${answers.join(" ")}`
      )
      await abandonAll(world, waiting)
      const { details, lines, zeros } = await judge(world)
      for (const relay of relays) relay.close()
      return {
        tried: `${waiting.length} runs that wait, ${answers.length} cancelled through the other process meanwhile`,
        figure: `cancels answered ${answers.join(" ")}, afterwards ${later.join(" ")}; runs meanwhile ${ended.map(({ verdict }) => verdict).join(" ")}`,
        zeros,
        lines,
        broken: [...must.broken, ...details]
      }
    })
  }
}

/** Rows about the network between processes, in order. */
export const networkRows: ReadonlyArray<Row> = [fromDatabase, fromEachOther]
