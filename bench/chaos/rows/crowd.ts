/** The row about hundreds of followers, a tenth of whom read nothing. */
import { connect as openSocket, type Socket } from "node:net"
import { key, type Service, sleep, until } from "../../../test/support/service/Service.ts"
import type { Follower } from "../world/Follower.ts"
import { residentMegabytes } from "../world/memory.ts"
import { millis, percentile, Requirements, type Row } from "../world/Row.ts"
import { openWorld, type World, within } from "../world/World.ts"
import { waitingRuns } from "../world/waitingRuns.ts"
import { judge } from "../world/zeros.ts"
import { issuedToken, responseUrl, tell } from "./results.ts"

/** The kernel buffers some four megabytes for a reader that takes nothing; only beyond that does the reader stall. */
const fatLines = 40
const fatBytes = 200_000
const fatMegabytes = (fatLines * fatBytes) / 1e6
/** How many runs the other followers read, one after the other. */
const rounds = 3
/** Seconds after which the service closes a reader that takes nothing; it checks every five seconds. */
const stalledSeconds = 30

/** Opens a raw client that resumes after `after`. */
const follow = (service: Service, runId: string, after = 0): Socket => {
  const socket = openSocket(Number(new URL(service.url).port), "127.0.0.1")
  socket.on("error", () => {})
  socket.write(
    `GET /api/v1/testing/journey-runs/${runId}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\nLast-Event-ID: ${after}\r\nConnection: close\r\n\r\n`
  )
  return socket
}

/** A waiting run with a feed larger than any kernel buffer. */
async function fatRun(world: World, service: Service): Promise<string> {
  const [runId] = await waitingRuns(world, service, 1)
  const url = responseUrl(world, runId!, "START_SESSION")!
  const token = issuedToken(world)
  const before = (await world.status(runId!)).lastSequence
  for (let line = 0; line < fatLines; line++) {
    const status = await tell(url, token, "ACCEPTED", fatBytes)
    if (status !== 200) throw new Error(`a fat result was answered ${status}`)
  }
  await until("the fat lines to be in the ledger", async () =>
    (await world.status(runId!)).lastSequence >= before + fatLines ? true : undefined
  )
  return runId!
}

/** The time in the line of a frame. */
const stamps = /^data: \{"sequence":\d+,"type":"[^"]+","occurredAt":"([^"]+)"/gm

/** Reads the whole feed, and records the delay of each line that was written after the first byte came. */
function timed(socket: Socket, delays: Array<number>): Promise<void> {
  let opened: number | undefined
  let text = ""
  socket.on("data", (chunk: Buffer) => {
    opened ??= Date.now()
    text += chunk.toString("latin1")
    const whole = text.lastIndexOf("\n\n")
    for (const [, stamp = ""] of text.slice(0, whole).matchAll(stamps))
      if (Date.parse(stamp) > opened) delays.push(Date.now() - Date.parse(stamp))
    text = text.slice(Math.max(0, whole))
  })
  return new Promise((resolve) => void socket.on("close", resolve))
}

const followersOf = async (service: Service): Promise<number> => {
  const { text } = await service.call("GET", "/metrics")
  return Number(/^plugfest_followers(?:\{[^}]*\})? (\d+)/m.exec(text)?.[1])
}

/** Row S2: hundreds of followers, a tenth of them reading nothing. */
export const manySubscribers: Row = {
  id: "S2",
  fault: "hundreds follow, a tenth of them read nothing",
  alone: true,
  run: async (ground) =>
    within(await openWorld(ground.cluster), async (world) => {
      const must = new Requirements()
      const service = await world.boot()
      const count = ground.count(500, 100)
      const fat = await fatRun(world, service)
      const connections = await world.connectMany(service, rounds)
      const { lastSequence } = await world.status(fat)
      const atRest = residentMegabytes(service)
      let peak = atRest
      const watching = setInterval(() => {
        peak = Math.max(peak, residentMegabytes(service))
      }, 250)
      // Some of those that read nothing are published clients, whose users take one event and no more for now.
      let takeOn = () => {}
      const gate = new Promise<void>((resolve) => {
        takeOn = resolve
      })
      const stalled = Array.from({ length: count / 50 }, () =>
        world.watchAt(fat, { urls: () => [service.url], digest: () => gate })
      )
      const silent = Array.from({ length: count / 10 - stalled.length }, () => follow(service, fat).pause())
      const began = performance.now()
      const delays: Array<number> = []
      for (const connectionId of connections) {
        const runId = (await world.start(service, connectionId))!
        const readers = Array.from({ length: (0.9 * count) / rounds }, () => follow(service, runId))
        const ends = readers.map((socket) => timed(socket, delays))
        await world.settle([runId])
        await Promise.race([Promise.all(ends), sleep(15_000)])
        for (const socket of readers) socket.destroy()
      }
      const played = (performance.now() - began) / 1000
      if (played < stalledSeconds - 5)
        must.require(
          (await followersOf(service)) >= silent.length + stalled.length,
          "readers were closed before their time"
        )
      const closed = async () => ((await followersOf(service)) === 0 ? true : undefined)
      await until("readers that take nothing to be closed", closed, (stalledSeconds + 30) * 1000).catch(() =>
        must.require(false, "readers that take nothing are not closed")
      )
      const closedAfter = (performance.now() - began) / 1000
      clearInterval(watching)
      must.require(closedAfter <= Math.max(stalledSeconds, played) + 10, `closed after ${closedAfter} s`)
      // They get what the kernel has buffered, and then the end; a client that was closed resumes.
      const ended = silent.map(
        (socket) => new Promise<boolean>((hear) => socket.on("close", () => hear(true)))
      )
      const got = silent.map(idsFrom)
      for (const socket of silent) socket.resume()
      const heard = await Promise.all(
        ended.map((end) => Promise.race([end, sleep(10_000).then(() => false)]))
      )
      must.require(
        heard.every((one) => one),
        `${heard.filter((one) => !one).length} sockets of closed readers are still open`
      )
      let whole = 0
      for (const ids of got) {
        ids.push(...(await read(service, fat, ids.at(-1) ?? 0, lastSequence)))
        const seamless = ids.every((id, index) => id === index + 1) && ids.length >= lastSequence
        if (seamless) whole += 1
        must.require(seamless, `who resumed has ${ids.join(" ")} of ${lastSequence} lines`)
      }
      takeOn()
      const isWhole = ({ ids }: Follower) => (ids.at(-1) ?? 0) >= lastSequence
      await until("the published clients to resume", async () =>
        stalled.every(isWhole) ? true : undefined
      ).catch(() => must.require(false, `${stalled.filter(isWhole).length} published clients resumed`))
      must.require(
        stalled.every((one) => one.reconnects() > 0),
        "a published client that read nothing was not closed"
      )
      const growth = peak - atRest
      must.require(delays.length > 0, "nobody read anything live")
      must.require(percentile(delays, 0.99) <= 250, `delivery p99 ${millis(percentile(delays, 0.99))}`)
      must.require(!(growth > 60), `memory grew by ${growth.toFixed(0)} MB`)
      await service.call("POST", `/api/v1/testing/journey-runs/${fat}/cancel`)
      const { details, lines, zeros } = await judge(world, { rude: true })
      return {
        tried: `${count} subscribers of ${rounds + 1} runs, ${silent.length + stalled.length} of them read nothing of ${fatMegabytes} MB, ${stalled.length} of these published clients`,
        figure: `${delays.length} lines delivered: p50 ${millis(percentile(delays, 0.5))}, p99 ${millis(percentile(delays, 0.99))} (bar 250 ms); those who read nothing were closed within ${closedAfter.toFixed(0)} s and resumed without a seam ${whole + stalled.filter(isWhole).length}/${silent.length + stalled.length}; memory ${atRest.toFixed(0)} MB at rest, +${growth.toFixed(0)} at most (bar 60)`,
        zeros,
        lines,
        streams: count,
        broken: [...must.broken, ...details]
      }
    })
}

/** A list that grows by the ids of complete frames. */
function idsFrom(socket: Socket): Array<number> {
  const ids: Array<number> = []
  let text = ""
  socket.on("data", (chunk: Buffer) => {
    text += chunk.toString("latin1")
    const whole = text.lastIndexOf("\n\n")
    for (const [, id] of text.slice(0, Math.max(0, whole)).matchAll(/^id: (\d+)$/gm)) ids.push(Number(id))
    text = text.slice(Math.max(0, whole))
  })
  return ids
}

/** Reads the ids after `after` until `last`, or until the stream is silent for too long. */
function read(service: Service, runId: string, after: number, last: number): Promise<ReadonlyArray<number>> {
  const socket = follow(service, runId, after)
  const ids = idsFrom(socket)
  const enough = () => (ids.at(-1) ?? after) >= last
  if (enough()) socket.destroy()
  socket.on("data", () => enough() && socket.destroy())
  socket.setTimeout(10_000, () => socket.destroy())
  return new Promise((resolve) => void socket.on("close", () => resolve(ids)))
}
