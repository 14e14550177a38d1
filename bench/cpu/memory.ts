/** Start and memory of the built service: wall time to listening, memory at rest, of a running journey and of a viewer. */
import { spawnSync } from "node:child_process"
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs"
import { connect as openSocket, type Socket } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { roomy } from "../../test/support/service/crowd.ts"
import { connect, key, type Service, sleep, startService, until } from "../../test/support/service/Service.ts"
import { median, optionOf, say } from "../measure.ts"

const connections = 10
const runsAConnection = 10
const viewers = 500
/**
 * V8 gives memory of the start back when little has been allocated for a while: mostly after 30 to 45 seconds, and on a machine on
 * which a service at rest takes more processor time after two minutes.
 */
const settleSeconds = 160

/**
 * Loaded into the service: on SIGUSR2 it collects garbage and says how many bytes are in use. The flag comes late, because compiled
 * code is only taken by a process with the same flags.
 */
const saysLive = `data:text/javascript,${encodeURIComponent(`
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
process.on("SIGUSR2", () => {
  setFlagsFromString("--expose-gc")
  const gc = runInNewContext("gc")
  gc()
  setTimeout(() => {
    gc()
    const { external, heapUsed } = process.memoryUsage()
    process._rawDebug("LIVE " + (heapUsed + external))
  }, 200)
})`)}`

/** One line a figure, beside its aim. */
export async function benchMemory(): Promise<void> {
  say("\nStart and memory of the service's process")
  line("", "", "aim")
  const { again, first } = await startTimes(optionOf("rounds", 3))
  line("start to listening, first time, ms", first, 2500)
  line("start to listening, again, ms", again, 1000)
  const folder = emptyFolder()
  const start = (name: string, node: ReadonlyArray<string>) =>
    startService({ ...roomy, DATA_DIR: join(folder, name) }, node)
  const [us, them] = await Promise.all([start("us", ["--import", saysLive]), start("them", [])])
  try {
    await sleep(optionOf("settle", settleSeconds) * 1000)
    line("resident at rest, MB", residentOf(us.process.pid!) / 1e6, 120)
    line("  its Postgres, all processes, MB", postgresOf(join(folder, "us")) / 1e6)
    const ids = await connectionsTo(us, them)
    // The first journey of a connection also pays for what all of them share: compiled code, and what is cached of the connection.
    for (const id of ids) await startJourney(us, id)
    const before = await live(us)
    const runs: Array<string> = []
    for (const id of ids) for (let n = 0; n < runsAConnection; n++) runs.push(await startJourney(us, id))
    const running = await live(us)
    line("a running journey, KB", (running - before) / runs.length / 1000, 50)
    const sockets = await Promise.all(
      Array.from({ length: viewers }, (_, n) => openViewer(us, runs[n % runs.length]!))
    )
    line("a viewer, KB", ((await live(us)) - running) / viewers / 1000, 60)
    for (const socket of sockets) socket.destroy()
  } finally {
    await Promise.all([us.kill("SIGTERM"), them.kill("SIGTERM")])
    rmSync(folder, { recursive: true, force: true })
  }
}

const line = (name: string, value: number | string, aim?: number | string) =>
  say(
    `${name.padEnd(42)}${(typeof value === "number" ? value.toFixed(value < 100 ? 1 : 0) : value).padStart(14)}${String(aim ?? "").padStart(14)}`
  )

/** Medians of wall milliseconds to listening, in a new data directory and in the same again. */
async function startTimes(rounds: number): Promise<{ readonly first: number; readonly again: number }> {
  const times: Record<"first" | "again", Array<number>> = { first: [], again: [] }
  for (let round = 0; round < rounds; round++) {
    const DATA_DIR = emptyFolder()
    for (const kind of ["first", "again"] as const) {
      const began = performance.now()
      const service = await startService({ DATA_DIR })
      times[kind].push(performance.now() - began)
      await service.kill("SIGTERM")
    }
    rmSync(DATA_DIR, { recursive: true, force: true })
  }
  return { first: median(times.first), again: median(times.again) }
}

/** The account of the embedded Postgres passes through it. */
function emptyFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "plugfest-memory-"))
  chmodSync(folder, 0o711)
  return folder
}

/** Bytes; of memory that processes share, each counts its part. */
function residentOf(pid: number, kind: "Rss" | "Pss" = "Rss"): number {
  if (process.platform !== "linux")
    return 1024 * Number(spawnSync("ps", ["-o", "rss=", "-p", String(pid)], { encoding: "utf8" }).stdout)
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8")
  return 1024 * Number(new RegExp(`^${kind}:\\s+(\\d+)`, "m").exec(text)?.[1])
}

/** Bytes of the server under this data directory, and of its connections. */
function postgresOf(dataDir: string): number {
  if (process.platform !== "linux") return Number.NaN
  const server = Number(readFileSync(join(dataDir, "postgres/data/postmaster.pid"), "utf8").split("\n")[0])
  const children = readdirSync("/proc").filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${name}/stat`, "utf8"))?.[1]) === server
    } catch {
      return false // it has ended
    }
  })
  return [server, ...children.map(Number)].reduce((sum, pid) => sum + residentOf(pid, "Pss"), 0)
}

/** Bytes in use by JavaScript, on its heap and beside it. */
async function live(service: Service): Promise<number> {
  await sleep(2000)
  const said = () => [...service.output().matchAll(/^LIVE (\d+)$/gm)]
  const before = said().length
  service.process.kill("SIGUSR2")
  return until("the bytes in use", async () => {
    const all = said()
    return all.length > before ? Number(all.at(-1)![1]) : undefined
  })
}

/** Connections to EMSPs of the other process. */
async function connectionsTo(us: Service, them: Service): Promise<ReadonlyArray<string>> {
  const ids: Array<string> = []
  for (let seed = 1; seed <= connections; seed++) {
    const partner = { theirRole: "EMSP", ocpiVersion: "2.2.1", seed, activity: "quiet" }
    const made = await them.call("POST", "/api/v1/sandbox/partners", partner)
    if (made.status !== 201) throw new Error(`sandbox: ${made.text}`)
    ids.push(await connect(us, made.body.data, "EMSP"))
  }
  return ids
}

/** A charge that stays under way for longer than the measurement. */
async function startJourney(us: Service, connectionId: string): Promise<string> {
  const order = { connectionId, templateId: "play-session", inputs: { stepSeconds: 60, waitSeconds: 300 } }
  const { body, status, text } = await us.call("POST", "/api/v1/testing/journey-runs", order)
  if (status !== 202) throw new Error(`journey: ${text}`)
  return body.data.runId
}

/** A client of the feed that reads all; resolves with the first bytes. */
const openViewer = (us: Service, runId: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(us.url)
    const socket = openSocket(Number(port), hostname, () =>
      socket.write(
        `GET /api/v1/testing/journey-runs/${runId}/stream HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`
      )
    )
    socket.once("data", (chunk) =>
      String(chunk).startsWith("HTTP/1.1 200") ? resolve(socket) : reject(new Error(String(chunk)))
    )
    socket.once("error", reject)
    socket.resume()
  })
