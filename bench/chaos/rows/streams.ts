/** Rows about followers: cut off, slow, with a wrong cursor, and between replay and live. */
import { PlugfestError, plugfest } from "../../../src/client/plugfest.ts"
import { readFeed } from "../../../test/support/service/rawFeed.ts"
import { freePort, key, type Service, sleep } from "../../../test/support/service/Service.ts"
import { startCuttingProxy } from "../world/CuttingProxy.ts"
import type { Follower } from "../world/Follower.ts"
import { Requirements, type Row } from "../world/Row.ts"
import { openWorld, terminal, type World, within } from "../world/World.ts"
import { waitingRuns } from "../world/waitingRuns.ts"
import { judge } from "../world/zeros.ts"
import { manySubscribers } from "./crowd.ts"

const isOver = async (world: World, runId: string) => terminal.includes((await world.status(runId)).status)

/** Are the ids `first`..n without a gap, where n is the run's last sequence? */
async function contiguous(world: World, runId: string, ids: ReadonlyArray<number>, first = 1) {
  const { lastSequence } = await world.status(runId)
  return ids.length === lastSequence - first + 1 && ids.every((id, index) => id === first + index)
}

/** How long a client of ours may take from its last refusal or cut to the whole of a run that is over. */
const clientSeconds = 20

/** Waits for the end of these clients, and says what they lack. */
async function ended(must: Requirements, clients: ReadonlyArray<Follower>, bar = clientSeconds) {
  const began = performance.now()
  await Promise.race([Promise.all(clients.map(({ done }) => done)), sleep(bar * 1000 + 5000)])
  const seconds = (performance.now() - began) / 1000
  must.require(seconds <= bar, `clients took ${seconds.toFixed(0)} s after the last fault`)
  return seconds
}

/** Follows runs with so many published clients, which are cut and refused again and again; every third of them reads slowly. */
async function cutPublishedClients(
  world: World,
  service: Service,
  connections: ReadonlyArray<string>,
  count: number,
  must: Requirements
) {
  const started = await Promise.all(connections.map((id) => world.start(service, id)))
  const runIds = started.filter((id) => id !== undefined)
  const proxy = await startCuttingProxy(await freePort(), () => Number(new URL(service.url).port))
  const clients = Array.from({ length: count }, (_, index) =>
    world.watchAt(runIds[index % runIds.length]!, {
      urls: () => [proxy.url],
      ...(index % 3 === 0 ? { digest: () => sleep(50) } : {})
    })
  )
  await world.settle(runIds)
  proxy.relent()
  const seconds = await ended(must, clients)
  proxy.close()
  must.require(proxy.cuts() > 0 && proxy.refusals() > 0, "no published client was cut and refused")
  return {
    tried: `${count} published clients, cut ${proxy.cuts()} times and refused with 503 or 429 ${proxy.refusals()} times, a third of them slow`,
    figure: `published clients had all ${seconds.toFixed(0)} s after the last fault (bar ${clientSeconds} s)`,
    streams: clients.reduce((all, one) => all + 1 + one.reconnects(), 0)
  }
}

const cutClients: Row = {
  id: "S1",
  fault: "clients are cut in the middle of frames while lines are appended",
  run: async (ground) =>
    within(await openWorld(ground.cluster), async (world) => {
      const must = new Requirements()
      const service = await world.boot()
      const wanted = ground.count(1000, 100)
      const connections = await world.connectMany(service, ground.count(5, 2))
      const runIds = (await Promise.all(connections.map((id) => world.start(service, id)))).filter(
        (id) => id !== undefined
      )
      const each = Math.ceil(wanted / (runIds.length * 2))
      let cuts = 0
      let live = 0
      const began = performance.now()
      let cutUntil = began
      // Two clients per run; each resumes after the last complete frame.
      await Promise.all(
        [...runIds, ...runIds].map(async (runId) => {
          let ids: Array<number> = []
          for (let cut = 0; cut < each; cut++) {
            if (await isOver(world, runId)) {
              // The run is over: its replay is cut off in the same way.
              const { lastSequence } = await world.status(runId)
              if ((ids.at(-1) ?? 0) >= lastSequence) {
                must.require(await contiguous(world, runId, ids), `${runId}: ${ids.join(" ")}`)
                ids = []
              }
            } else live += 1
            const { complete } = await readFeed(
              service,
              runId,
              ids.at(-1),
              1 + Math.floor(Math.random() * 3000)
            )
            ids.push(...complete)
            cuts += 1
          }
          cutUntil = performance.now()
          await world.settle([runId])
          const { complete } = await readFeed(service, runId, ids.at(-1), Number.POSITIVE_INFINITY)
          ids.push(...complete)
          must.require(await contiguous(world, runId, ids), `${runId}: ${ids.join(" ")}`)
        })
      )
      const seconds = (cutUntil - began) / 1000
      must.require(
        seconds <= Math.max(20, (60 * cuts) / 1000),
        `${cuts} resumes took ${seconds.toFixed(0)} s`
      )
      const clients = await cutPublishedClients(world, service, connections, ground.count(30, 6), must)
      const { details, lines, zeros } = await judge(world)
      return {
        tried: `${cuts} cuts after 1 to 3000 bytes, ${live} of them during appends, ${runIds.length} runs; ${clients.tried}`,
        figure: `ids 1..n in every case; ${cuts} resumes in ${seconds.toFixed(0)} s (bar 60 s for 1000); ${clients.figure}`,
        zeros,
        lines,
        streams: cuts + clients.streams,
        broken: [...must.broken, ...details]
      }
    })
}

const resumePoints: Row = {
  id: "S3",
  fault: "clients say wrongly where they were",
  run: async (ground) =>
    within(await openWorld(ground.cluster), async (world) => {
      const must = new Requirements()
      const service = await world.boot()
      const over = (await world.start(service, (await world.connectMany(service, 1))[0]!))!
      const [open] = await waitingRuns(world, service, 1)
      await world.settle([over])
      const head = async (runId: string) => (await world.status(runId)).lastSequence as number
      const ask = async (runId: string, id: string) => {
        const stop = new AbortController()
        const answer = await fetch(`${service.url}/api/v1/testing/journey-runs/${runId}/stream`, {
          headers: { authorization: `Bearer ${key}`, "last-event-id": id },
          signal: stop.signal
        })
        const { status } = answer
        const body =
          status === 400 ? ((await answer.json()) as { success: boolean; message: string }) : undefined
        stop.abort()
        return { status, message: body?.success === false ? body.message : "" }
      }
      let tried = 0
      for (const runId of [over, open!]) {
        const last = await head(runId)
        const table: ReadonlyArray<readonly [string, number]> = [
          ["0", 200],
          [String(last), runId === over ? 204 : 200],
          [String(last + 1000), 400],
          ["-1", 400],
          ["abc", 400],
          ["1e30", 400],
          [over, 400]
        ]
        for (const [id, expected] of table) {
          const { message, status } = await ask(runId, id)
          tried += 1
          must.require(status === expected, `Last-Event-ID ${id}: ${status} instead of ${expected}`)
          must.require(expected !== 400 || message !== "", `Last-Event-ID ${id}: 400 without a message`)
        }
      }
      const client = plugfest({ url: service.url, key })
      const begunAt = async (after: number) => {
        const sequences: Array<number> = []
        for await (const { sequence } of client.followRun(over, { after })) sequences.push(sequence)
        return sequences
      }
      const end = await head(over)
      for (const after of [0, end - 1, end]) {
        must.require(
          await contiguous(world, over, await begunAt(after), after + 1),
          `the published client does not begin after ${after}`
        )
      }
      const refused = await begunAt(end + 1000).catch((error) => error)
      must.require(
        refused instanceof PlugfestError &&
          refused.status === 400 &&
          refused.message.includes("Last-Event-ID"),
        `the published client says ${refused} of a sequence that is not there`
      )
      tried += 4
      const all = await readFeed(service, over, 0, Number.POSITIVE_INFINITY)
      must.require(await contiguous(world, over, all.complete), "0 does not give all")
      await world.decide(await world.status(open!), "abandon")
      await service.call("POST", `/api/v1/testing/journey-runs/${open}/cancel`)
      const { details, lines, zeros } = await judge(world)
      return {
        tried: `7 ids for a run that is over and one that is not; 4 ids given to the published client`,
        figure: `as stated ${tried - must.broken.length}/${tried}`,
        zeros,
        lines,
        streams: tried,
        broken: [...must.broken, ...details]
      }
    })
}

const seam: Row = {
  id: "S4",
  fault: "readers join between replay and live",
  run: async (ground) =>
    within(await openWorld(ground.cluster), async (world) => {
      const must = new Requirements()
      const services = [await world.boot(), await world.boot()]
      const wanted = ground.count(200, 40)
      const connections = await world.connectMany(services[0]!, ground.count(4, 2))
      const runIds = await Promise.all(connections.map(async (id) => (await world.start(services[0]!, id))!))
      const readers: Array<Promise<void>> = []
      const ours: Array<Follower> = []
      for (let index = 0; index < wanted; index++) {
        const runId = runIds[index % runIds.length]!
        const service = services[index % 2]!
        // Resume from any sequence so far, each client a moment after the previous one.
        const { lastSequence } = await world.status(runId)
        const after = Math.floor(Math.random() * (lastSequence + 1))
        // Every third reader is a published client.
        if (index % 3 === 0) ours.push(world.watchAt(runId, { after, urls: () => [service.url] }))
        else
          readers.push(
            readFeed(service, runId, after, Number.POSITIVE_INFINITY).then(async ({ complete }) => {
              await world.settle([runId])
              const holds = complete.length === 0 || (await contiguous(world, runId, complete, after + 1))
              must.require(holds, `after ${after}: ${complete.join(" ")}`)
            })
          )
        await sleep(10)
      }
      await Promise.all(readers)
      await ended(must, ours)
      const { details, lines, zeros } = await judge(world)
      return {
        tried: `${wanted} readers of ${runIds.length} runs, each from a random line at another moment, half of them in another process, ${ours.length} of them published clients`,
        figure: `without a seam ${wanted - must.broken.length}/${wanted}`,
        zeros,
        lines,
        streams: wanted,
        broken: [...must.broken, ...details]
      }
    })
}

/** Rows about followers, in order. */
export const streamRows: ReadonlyArray<Row> = [cutClients, manySubscribers, resumePoints, seam]
