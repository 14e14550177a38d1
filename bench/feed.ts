/**
 * The feed compared with raw node:http that writes the same bytes: deliveries per second as fast as readers take them,
 * and commit-to-frame latency at 200 events a second, with 1, 100 and 1000 viewers in a process of their own.
 */
import { once } from "node:events"
import { feed, joined, raw, type Server, streams } from "./feedServers.ts"
import { type Contender, compare, loadAverage, median, optionOf, percentile, say } from "./measure.ts"
import { openViewers, type Viewers } from "./viewers.ts"

const rounds = optionOf("rounds", 3)
const seconds = optionOf("seconds", 1)
const loads = [1, 100, 1000]

const tick = () => new Promise((done) => setImmediate(done))
const pause = (millis: number) => new Promise((done) => setTimeout(done, millis))

const close = async (server: Server, { child }: Viewers) => {
  child.kill()
  await once(child, "exit")
  await server.close()
}

/** Deliveries a second, as fast as the viewers take them. */
export const throughput = (name: string, start: () => Promise<Server>): Contender => ({
  name,
  measure: async (viewers) => {
    const server = await start()
    const clients = await openViewers(server.port, viewers)
    await pause(200)
    const events = Math.min(20_000, Math.ceil((150_000 * seconds) / viewers))
    const began = performance.now()
    for (let n = 0; n < events; n++) {
      await server.emit()
      await tick()
    }
    await clients.frames(events * viewers)
    const rate = (events * viewers) / ((performance.now() - began) / 1000)
    await close(server, clients)
    return rate
  }
})

/** Milliseconds from an event to its frame in another process, at 200 events a second. */
export const latency = async (
  start: () => Promise<Server>,
  viewers: number
): Promise<{ readonly p50: number; readonly p99: number }> => {
  const server = await start()
  const clients = await openViewers(server.port, viewers)
  await pause(200)
  const began = performance.now()
  for (let n = 0; n < 200 * seconds; n++) {
    await server.emit()
    await pause(Math.max(0, began + n * 5 - performance.now()))
  }
  await clients.frames(200 * seconds * viewers)
  const micros = await clients.latencies()
  await close(server, clients)
  return { p50: percentile(micros, 50) / 1000, p99: percentile(micros, 99) / 1000 }
}

/** Measures, and prints the tables and the ratio. */
export async function benchFeed(): Promise<void> {
  const medians = await compare(
    "deliveries/s by viewers",
    [
      throughput("raw node:http, a write per frame", raw),
      throughput("feed", feed),
      throughput("an Effect Stream a viewer", streams),
      throughput("raw, a buffer a tick", joined)
    ],
    loads,
    rounds
  )
  const [first, second, third] = [...medians.values()]
  say(`\n1000 viewers: ${(second![2]! / first![2]!).toFixed(2)} of raw (aim: at least 0.9). ${loadAverage()}`)
  say(`as an Effect Stream: ${(third![2]! / first![2]!).toFixed(2)} of raw`)
  say("\ncommit-to-frame latency at 200 events/s, ms (p50 / p99)\n")
  for (const viewers of loads) {
    const samples = {
      raw: [] as Array<{ p50: number; p99: number }>,
      feed: [] as Array<{ p50: number; p99: number }>
    }
    for (let round = 0; round < rounds; round++) {
      samples.raw.push(await latency(raw, viewers))
      samples.feed.push(await latency(feed, viewers))
    }
    const show = (values: ReadonlyArray<{ p50: number; p99: number }>) =>
      `${median(values.map(({ p50 }) => p50)).toFixed(1)} / ${median(values.map(({ p99 }) => p99)).toFixed(1)}`
    say(`${`${viewers} viewers`.padEnd(16)} raw ${show(samples.raw).padEnd(18)} feed ${show(samples.feed)}`)
  }
}
