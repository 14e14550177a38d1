/** The row about a process without CPU time, and one without memory. */
import { rows } from "../../../test/support/service/database.ts"
import { type Service, sleep, until } from "../../../test/support/service/Service.ts"
import { type Ground, millis, Requirements, type Row } from "../world/Row.ts"
import { openWorld, shortLease, terminal, type World, within } from "../world/World.ts"
import { abandonAll, term } from "../world/waitingRuns.ts"
import { judge } from "../world/zeros.ts"
import { issuedToken, responseUrl, tell } from "./results.ts"

/** A module that blocks the event loop for five seconds on SIGUSR2. */
const blocking =
  "data:text/javascript,process.on('SIGUSR2',()=>{const end=Date.now()+5000;while(Date.now()<end);})"

/** Enough heap for the service and the runs of one process, but not for what partners then send. */
const heapMegabytes = 128
/** Size of a message of a partner to a waiting run, which keeps it in memory. */
const fatBytes = 200_000
/** Results after which a process with that heap must have died. */
const mostResults = 2000

const isGone = ({ process: { exitCode, signalCode } }: Service) => exitCode !== null || signalCode !== null

/** Row T4: a blocked event loop, and an exhausted heap. */
export const starving: Row = {
  id: "T4",
  fault: "the event loop is blocked for five seconds; memory runs out",
  run: async (ground) =>
    within(await openWorld(ground.cluster, { leaseSeconds: shortLease }), async (world) => {
      const must = new Requirements()
      const { connections, runIds, taken } = await block(world, ground)
      const tight = await world.boot({}, [`--max-old-space-size=${heapMegabytes}`])
      const waiting = await fed(world, tight, ground.count(10, 3))
      const more = await manyRuns(world, tight, connections, ground.count(190, 12))
      const all = [...more, ...waiting.map(({ runId }) => runId)]
      const results = await feedUntilItDies(tight, waiting)
      must.require(
        isGone(tight),
        `${results} results of ${fatBytes} bytes did not exhaust ${heapMegabytes} MB`
      )
      const died = tight.process.signalCode ?? `exit ${tight.process.exitCode}`
      const began = performance.now()
      await world.boot()
      const views = await world.settle(all)
      const back = performance.now() - began
      const asking = views.filter(({ status }) => status === "interrupted")
      const lost = views.filter(({ status }) => ![...terminal, "interrupted"].includes(status))
      must.require(lost.length === 0, `${lost.length} runs did not come back`)
      must.require(asking.length >= waiting.length, `${asking.length} of ${waiting.length} that waited ask`)
      must.require(
        asking.every(({ recoveryOptions }) => recoveryOptions.length > 0),
        "a run that came back offers nothing"
      )
      await abandonAll(
        world,
        asking.map(({ runId }) => runId)
      )
      // Results that the row sends twice on purpose are no fault of the service.
      const { details, lines, zeros } = await judge(world, { rude: true })
      return {
        tried: `${runIds.length} runs under a block of 5 s (lease ${shortLease} s); ${all.length} runs with ${heapMegabytes} MB of heap, then ${results} results of 200 KB`,
        figure: `taken over from the blocked ${taken}; out of memory: ended by ${died}, ${all.length - lost.length}/${all.length} runs came back, ${asking.length} of them asking, ${millis(back)} after the next boot`,
        zeros,
        lines,
        kills: 1,
        broken: [...must.broken, ...details]
      }
    })
}

/** Runs in a process whose event loop is blocked for longer than a lease, beside another process. */
async function block(world: World, ground: Ground) {
  const slow = await world.boot({}, ["--import", blocking])
  const connections = await world.connectMany(slow, ground.count(10, 3))
  const heir = await world.boot()
  await sleep(term)
  const started = await Promise.all(connections.map((id) => world.start(slow, id)))
  const runIds = started.filter((id) => id !== undefined)
  await sleep(500)
  slow.process.kill("SIGUSR2")
  await sleep(8000)
  const [{ n: taken }] = (await rows(
    world.database,
    "select count(*)::int as n from run where lease_epoch > 1"
  )) as [{ n: number }]
  await abandonAll(world, runIds)
  await slow.kill("SIGKILL")
  await world.settle(runIds)
  await heir.kill("SIGTERM")
  return { connections, runIds, taken }
}

interface Fed {
  readonly runId: string
  readonly token: string
  readonly url: string
}

/** Waiting runs, each with a response_url to send results to. */
async function fed(world: World, service: Service, count: number): Promise<ReadonlyArray<Fed>> {
  const waiting: Array<Promise<Fed>> = []
  for (let index = 0; index < count; index++) {
    const connectionId = await world.partner(service, { speed: 1 })
    const token = issuedToken(world)
    const runId = (await world.start(service, connectionId, "remote-start", { waitSeconds: 600 }))!
    const url = until(`${runId} to have sent its command`, async () =>
      responseUrl(world, runId, "START_SESSION")
    )
    waiting.push(url.then((url) => ({ runId, token, url })))
  }
  return Promise.all(waiting)
}

/** Starts short runs, several at once on each connection. */
async function manyRuns(world: World, service: Service, connections: ReadonlyArray<string>, count: number) {
  const runIds: Array<string> = []
  await Promise.all(
    connections.map(async (connectionId) => {
      for (let run = 0; run < count / connections.length; run++) {
        const runId = await world.start(service, connectionId, "first-reads")
        if (runId !== undefined) runIds.push(runId)
      }
    })
  )
  return runIds
}

/** Partners post results until the process dies; returns how many it accepted. */
async function feedUntilItDies(service: Service, waiting: ReadonlyArray<Fed>): Promise<number> {
  let results = 0
  await Promise.all(
    waiting.map(async ({ token, url }) => {
      while (!isGone(service) && results < mostResults) {
        results += 1
        await tell(url, token, "ACCEPTED", fatBytes).catch(() => sleep(50))
      }
    })
  )
  return results
}
