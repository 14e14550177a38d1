/** The servers that the bench of the feed compares: raw node:http, the feed, and its live part as an Effect stream. */
import { once } from "node:events"
import http from "node:http"
import type { AddressInfo } from "node:net"
import { pipeline } from "node:stream"
import { Context, Effect, Exit, Layer, PubSub, Queue, Scope, Stream } from "effect"
import { ConnectionId, OwnerId, ReportId, RunId } from "../schema/Ids.ts"
import type { LedgerEvent } from "../schema/LedgerEvent.ts"
import { Feed } from "../src/ledger/feed/feed.ts"
import { frameOf, framesOf, greeting } from "../src/ledger/feed/frames.ts"
import { type Append, type Commit, Ledger, type RunFacts, type StoredLine } from "../src/ledger/Ledger.ts"
import { LedgerMemory } from "../src/ledger/LedgerMemory.ts"
import { eventIdOf, genesisOf, lineOf } from "../src/ledger/run/ledgerLine.ts"
import { RunLogs } from "../src/ledger/run/RunLog.ts"
import { emptyView } from "../src/ledger/run/runView.ts"

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
export const appends = () => {
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

/** A server on a free port, and how it gets events to send. */
export interface Server {
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

/** Greets every viewer; `open`: the responses of those that are still there. */
const listenToViewers = async () => {
  const open = new Set<http.ServerResponse>()
  const server = await listen((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    response.write(greeting)
    open.add(response)
    response.on("close", () => open.delete(response))
  })
  return { ...server, open }
}

/** The naive server: writes every frame to every response. */
export const raw = async (): Promise<Server> => {
  const { close, open, port } = await listenToViewers()
  const next = appends()
  const emit = async () => {
    const [line] = next().lines
    const frame = frameOf({ sequence: line!.event.sequence, line: line!.line })
    for (const response of open) response.write(frame)
  }
  return { port, emit, close }
}

/**
 * A ledger that has every line as soon as it is published: what is measured is the feed, and no ledger. It tells of a commit by a
 * call, as a ledger does in the fiber that has committed: a fiber for each would be measured with it.
 */
const instantLedger = Effect.gen(function* () {
  const lines: Array<StoredLine> = []
  const listeners: Array<(commits: ReadonlyArray<Commit>) => void> = []
  const wakes = yield* PubSub.sliding<RunId | null>(1)
  const port: Partial<Ledger["Type"]> = {
    page: (_, after, limit) => Effect.sync(() => lines.slice(after, after + limit)),
    onCommit: (listener) => Effect.sync(() => listeners.push(listener)),
    wakes: PubSub.subscribe(wakes)
  }
  const commit = ({ lines: [line], runId }: Append) => {
    const stored = { sequence: line!.event.sequence, line: line!.line }
    lines.push(stored)
    for (const listener of listeners) listener([{ runId, lines: [stored], terminal: false }])
  }
  return { commit, port: port as Ledger["Type"] }
})

/** The feed of the service. */
export const feed = async (): Promise<Server> => {
  const scope = Effect.runSync(Scope.make())
  const { commit, port: ledger } = Effect.runSync(instantLedger)
  const layer = Feed.layer({ highWaterMark: 1 << 20 }).pipe(
    Layer.provide(Layer.succeed(Ledger, ledger)),
    Layer.provide(Layer.mock(RunLogs, { live: () => undefined, onNext: () => undefined }))
  )
  const { serve } = Context.get(await Effect.runPromise(Layer.buildWithScope(layer, scope)), Feed)
  const next = appends()
  commit(next())
  let head = 1
  const { close, port } = await listen((_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" })
    Effect.runPromise(serve(facts.runId, head)).then((stream) => pipeline(stream, response, () => {}))
  })
  return {
    port,
    emit: async () => {
      head += 1
      commit(next())
    },
    close: async () => {
      await Effect.runPromise(Scope.close(scope, Exit.void))
      await close()
    }
  }
}

/** Writes what is due in a tick to every socket as one buffer, ready chunked: the least that a server can do. */
export const joined = async (): Promise<Server> => {
  const { close, open, port } = await listenToViewers()
  const next = appends()
  let due: Array<StoredLine> = []
  const flush = () => {
    const { chunk } = framesOf(due)
    due = []
    for (const { socket } of open) socket?.write(chunk)
  }
  const emit = async () => {
    const [line] = next().lines
    if (due.push({ sequence: line!.event.sequence, line: line!.line }) === 1) queueMicrotask(flush)
  }
  return { port, emit, close }
}

/**
 * The live part of the feed as an Effect `Stream` for each viewer, of frames that are encoded once for all. Without
 * replay.
 */
export const streams = async (): Promise<Server> => {
  const scope = Effect.runSync(Scope.make())
  const context = await Effect.runPromise(
    Layer.buildWithScope(LedgerMemory.layer({ leaseSeconds: 60 }), scope)
  )
  const ledger = Context.get(context, Ledger)
  const next = appends()
  await Effect.runPromise(ledger.create(facts, next()))
  const hub = Effect.runSync(PubSub.unbounded<Buffer>())
  const relay = Effect.gen(function* () {
    const commits = yield* Queue.unbounded<Commit>()
    yield* ledger.onCommit((some) => some.forEach((commit) => commits.unsafeOffer(commit)))
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
