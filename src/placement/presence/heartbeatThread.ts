/**
 * The thread of Heartbeats.ts: a connection of its own and a timer. It shares no event loop with the service, so a long
 * computation there does not delay its statements. Built as a file of its own (.ci/build.mjs).
 */
import { parentPort, workerData } from "node:worker_threads"
import pg from "pg"
import {
  type BeatStatement,
  type HeartbeatMessage,
  type HeartbeatReply,
  type HeartbeatThreadData,
  lastBeat,
  lateness,
  mainAlive,
  mostLate
} from "./heartbeatMessage.ts"

const { connection, everyMillis, shared, standstillMillis } = workerData as HeartbeatThreadData
/** How long the database may take for one connection or statement. */
const patienceMillis = Math.max(2000, everyMillis)
const times = new BigInt64Array(shared)
const beats = new Map<string, BeatStatement>()

let client: pg.Client | undefined
let dueAt = 0n
/** The round of statements that runs now. */
let round: Promise<void> = Promise.resolve()
let isRunning = false
let hasFailed = false
/** How late the event loop was at most since the last round that succeeded, in nanoseconds. */
let late = 0n

const tell = (reply: HeartbeatReply) => parentPort?.postMessage(reply)

async function connected(): Promise<pg.Client> {
  if (client !== undefined) return client
  const fresh = new pg.Client({
    ...connection,
    application_name: "plugfest heartbeat",
    connectionTimeoutMillis: patienceMillis,
    query_timeout: patienceMillis
  })
  fresh.on("error", () => drop(fresh))
  await fresh.connect()
  client = fresh
  return fresh
}

function drop(broken: pg.Client): void {
  if (client === broken) client = undefined
  broken.end().catch(() => {})
}

/** Runs every statement once. After a failure the round is still due, so the next tick tries again. */
async function beat(): Promise<void> {
  const began = process.hrtime.bigint()
  let used: pg.Client | undefined
  try {
    used = await connected()
    late = [
      late,
      Atomics.exchange(times, mostLate, 0n),
      lateness(began - Atomics.load(times, mainAlive))
    ].reduce((a, b) => (a > b ? a : b))
    const lag = Math.min(Number(late / 1_000_000n), 2 ** 31 - 1)
    for (const { text, values } of beats.values()) await used.query(text, [...values, lag])
    late = 0n
    Atomics.store(times, lastBeat, began)
    hasFailed = false
    dueAt = began + BigInt(everyMillis) * 1_000_000n
  } catch (error) {
    if (used !== undefined) drop(used)
    if (!hasFailed) tell({ type: "failed", message: error instanceof Error ? error.message : String(error) })
    hasFailed = true
  }
}

function tick(): void {
  const now = process.hrtime.bigint()
  const hasStoodStill = now - Atomics.load(times, mainAlive) > BigInt(standstillMillis) * 1_000_000n
  if (isRunning || now < dueAt || hasStoodStill || beats.size === 0) return
  isRunning = true
  round = beat().finally(() => {
    isRunning = false
  })
}

function hear(message: HeartbeatMessage): void {
  switch (message.type) {
    case "start":
      beats.set(message.beat, message.statement)
      dueAt = 0n
      return
    case "stop": {
      beats.delete(message.beat)
      void round.then(() => tell({ type: "stopped", beat: message.beat }))
      return
    }
    case "end":
      clearInterval(timer)
      void round.then(() => client?.end().catch(() => {})).then(() => parentPort?.close())
  }
}

const timer = setInterval(tick, Math.max(10, everyMillis / 10))
parentPort?.on("message", hear)
