/**
 * The feed compared with raw node:http that writes the same bytes: deliveries per second as fast as readers take them,
 * and commit-to-frame latency at 200 events a second, with 1, 100 and 1000 viewers in a process of their own.
 */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"
import http from "node:http"
import type { AddressInfo } from "node:net"
import { pipeline } from "node:stream"
import { Context, Effect, Exit, Layer, PubSub, Scope, Stream } from "effect"
import { ConnectionId, OwnerId, ReportId, RunId } from "../schema/Ids.ts"
import type { LedgerEvent } from "../schema/LedgerEvent.ts"
import { Feed } from "../src/ledger/feed/feed.ts"
import { frameOf, framesOf, greeting } from "../src/ledger/feed/frames.ts"
import { type Append, Ledger, type RunFacts } from "../src/ledger/Ledger.ts"
import { LedgerMemory } from "../src/ledger/LedgerMemory.ts"
import { eventIdOf, genesisOf, lineOf } from "../src/ledger/run/ledgerLine.ts"
import { RunLogsLive } from "../src/ledger/run/RunLogsLive.ts"
import { emptyView } from "../src/ledger/run/runView.ts"
import { type Contender, compare, loadAverage, median, optionOf, percentile, say } from "./measure.ts"

const rounds = optionOf("rounds", 3)
const seconds = optionOf("seconds", 1)
const loads = [1, 100, 1000]
const filler = "x".repeat(300)

const facts: RunFacts = {
  runId: RunId.make("run_bench"),
  reportId: ReportId.make("rep_bench"),
  ownerId: OwnerId.make("own_bench"),
  kind: "journey",
  connectionId: ConnectionId.make("conn_bench"),
  connectionLabel: "bench",
  ocpiVersion: "2.2.1",
  subjectId: "bench",
  plan: {},
  predecessorRunId: null,
  createdAt: "2026-01-01T00:00:00.000Z"
}

/** Makes the appends of the run; each line contains the monotonic time, which all processes of a machine share. */
const appends = () => {
  let hash = genesisOf(facts.runId)
  let sequence = 0
  return (): Append => {
    const expectedSequence = sequence
    sequence += 1
    const event = {
      sequence,
      type: "inbound.received",
      occurredAt: facts.createdAt,
      assertions: [],
      // Not an event of a real run, but of the same size, with the time at which it was made.
      data: { at: Number(process.hrtime.bigint() / 1000n), filler }
    } as unknown as LedgerEvent
    const line = lineOf(event, eventIdOf(facts.runId, `${sequence}`), hash)
    hash = line.hash
    const snapshot = { machine: null, view: { ...emptyView(facts), lastSequence: sequence } }
    return { runId: facts.runId, epoch: 1, expectedSequence, lines: [line], headHash: hash, snapshot }
  }
}

interface Server {
  readonly port: number
  /** Commits one event. */
  readonly emit: () => Promise<void>
  readonly close: () => Promise<void>
}

const listen = async (handler: http.RequestListener) => {
  const server = http.createServer(handler).listen(0, "127.0.0.1")
  await once(server, "listening")
  const close = async () => {
    server.closeAllConnections()
    await new Promise((done) => server.close(done))
  }
  return { port: (server.address() as AddressInfo).port, close }
}

/** The naive server: writes every frame to every response. */
const raw = async (): Promise<Server> => {
  const open = new Set<http.ServerResponse>()
  const { close, port } = await listen((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(greeting)
    open.add(response)
    response.on("close", () => open.delete(response))
  })
  const next = appends()
  const emit = async () => {
    const [line] = next().lines
    const frame = frameOf({ sequence: line!.event.sequence, line: line!.line })
    for (const response of open) response.write(frame)
  }
  return { port, emit, close }
}

const feed = async (): Promise<Server> => {
  const scope = Effect.runSync(Scope.make())
  const layer = Feed.layer({ highWaterMark: 1 << 20 }).pipe(
    Layer.provideMerge(RunLogsLive.layer({ leaseSeconds: 60 })),
    Layer.provideMerge(LedgerMemory.layer({ leaseSeconds: 60 }))
  )
  const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
  const ledger = Context.get(context, Ledger)
  const { serve } = Context.get(context, Feed)
  const next = appends()
  const first = next()
  await Effect.runPromise(ledger.create(facts, first))
  let head = 1
  const { close, port } = await listen((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    Effect.runPromise(serve(facts.runId, head)).then((stream) => pipeline(stream, response, () => {}))
  })
  return {
    port,
    emit: () => {
      head += 1
      return Effect.runPromise(ledger.append(next()))
    },
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await close()
    }
  }
}

/**
 * The live part of the feed as an Effect `Stream` for each viewer, of frames that are encoded once for all. Without
 * replay.
 */
const streams = async (): Promise<Server> => {
  const scope = Effect.runSync(Scope.make())
  const context = await Effect.runPromise(
    Layer.buildWithScope(LedgerMemory.layer({ leaseSeconds: 60 }), scope)
  )
  const ledger = Context.get(context, Ledger)
  const next = appends()
  await Effect.runPromise(ledger.create(facts, next()))
  const hub = Effect.runSync(PubSub.unbounded<Buffer>())
  const relay = Effect.gen(function* () {
    const commits = yield* PubSub.subscribe(yield* ledger.commits)
    yield* Effect.forkScoped(
      Stream.fromQueue(commits).pipe(
        Stream.runForEachChunk((tick) =>
          PubSub.publish(hub, framesOf([...tick].flatMap(({ lines }) => lines)).bytes)
        )
      )
    )
  })
  await Effect.runPromise(Scope.extend(relay, scope))
  const written = (response: http.ServerResponse, bytes: Buffer) =>
    Effect.async<void>((resume) => {
      if (response.write(bytes)) resume(Effect.void)
      else response.once("drain", () => resume(Effect.void))
    })
  const { close, port } = await listen((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(greeting)
    const fiber = Effect.runFork(
      Stream.runForEach(Stream.fromPubSub(hub), (bytes) => written(response, bytes))
    )
    response.on("close", () => fiber.unsafeInterruptAsFork(fiber.id()))
  })
  return {
    port,
    emit: () => Effect.runPromise(ledger.append(next())),
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await close()
    }
  }
}

const tick = () => new Promise((done) => setImmediate(done))
const pause = (millis: number) => new Promise((done) => setTimeout(done, millis))

/** Viewers in another process. `received`: frames of all of them; `latencies`: microseconds, sampled. */
interface Viewers {
  readonly child: ChildProcess
  readonly frames: (atLeast: number) => Promise<void>
  readonly latencies: () => Promise<ReadonlyArray<number>>
}

const openViewers = async (port: number, count: number): Promise<Viewers> => {
  const child = fork(process.argv[1]!, ["--viewers", `${count}`, "--port", `${port}`])
  const [ready] = await once(child, "message")
  if (ready !== "ready") throw new Error("the viewers did not connect")
  const ask = async (question: unknown) => {
    child.send(question as object)
    const [answer] = await once(child, "message")
    return answer as ReadonlyArray<number>
  }
  return {
    child,
    frames: async (atLeast) => void (await ask({ atLeast })),
    latencies: () => ask({ latencies: true })
  }
}

const close = async (server: Server, { child }: Viewers) => {
  child.kill()
  await once(child, "exit")
  await server.close()
}

const throughput = (name: string, start: () => Promise<Server>): Contender => ({
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

const latency = async (start: () => Promise<Server>, viewers: number) => {
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
      throughput("an Effect Stream a viewer", streams)
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

/** The process of the viewers: counts frames by their double line breaks, and reads the time from some of them. */
export function view(port: number, count: number): void {
  let frames = 0
  let connected = 0
  let wanted = Number.POSITIVE_INFINITY
  const latencies: Array<number> = []
  const agent = new http.Agent({ maxSockets: Number.POSITIVE_INFINITY })
  const countIn = (chunk: Buffer, splitBefore: boolean) => {
    if (splitBefore && chunk[0] === 10) frames += 1
    for (let at = chunk.indexOf("\n\n"); at >= 0; at = chunk.indexOf("\n\n", at + 2)) frames += 1
    if (frames >= wanted) {
      wanted = Number.POSITIVE_INFINITY
      process.send!([frames])
    }
  }
  for (let n = 0; n < count; n++) {
    http.get({ host: "127.0.0.1", port, agent }, (response) => {
      response.once("data", () => {
        // Did the network split a frame's end, so that one of its two line breaks is still to come?
        let split = false
        response.on("data", (chunk: Buffer) => {
          if (n % Math.ceil(count / 10) === 0) {
            const now = Number(process.hrtime.bigint() / 1000n)
            for (const [, at] of chunk.toString("latin1").matchAll(/"at":(\d+)/g))
              latencies.push(now - Number(at))
          }
          countIn(chunk, split)
          split = chunk.at(-1) === 10 && chunk.at(-2) !== 10 && !(split && chunk.length === 1)
        })
        connected += 1
        if (connected === count) process.send!("ready")
      })
    })
  }
  process.on("message", (question: { readonly atLeast?: number }) => {
    if (question.atLeast === undefined) process.send!(latencies)
    else {
      wanted = question.atLeast
      countIn(Buffer.alloc(0), false)
    }
  })
  process.on("disconnect", () => process.exit(0))
}
