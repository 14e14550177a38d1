/**
 * Observes a process of the service while it is attacked: from inside its event loop, and as a client of another account.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePort, key, type Service } from "../../../test/support/service/Service.ts"

/** Relative to the root of the repository, where rows and tests are run. */
const preloaded = join(process.cwd(), "bench/chaos/world/loopWatch.mjs")
const onlooker = join(process.cwd(), "bench/chaos/world/onlooker.mjs")

/** The longest time between two turns of the event loop, in milliseconds: of CPU time, and by the clock. */
export interface Lag {
  readonly cpu: number
  readonly wall: number
  /** The time since its last turn. */
  readonly open: number
  /** Resident memory of the process in bytes. */
  readonly rss: number
}

/** Measures the event loop of one process, from inside it. */
export interface LoopWatch {
  /** The environment and the arguments for `startService`, to watch the process. */
  readonly env: Record<string, string>
  readonly node: ReadonlyArray<string>
  /** The lag since the previous call; starts a new measurement. */
  readonly lag: () => Promise<Lag>
  /** The lag so far; the measurement goes on. */
  readonly lagSoFar: () => Promise<Lag>
  /** Bytes on the heap after a full garbage collection. */
  readonly heap: () => Promise<number>
  /** Blocks the event loop for so long, from now. */
  readonly block: (millis: number) => Promise<void>
}

/** A watch for one process that is still to be started. */
export async function loopWatch(): Promise<LoopWatch> {
  const port = await freePort()
  const ask = async (path: string): Promise<any> =>
    (await fetch(`http://127.0.0.1:${port}${path}`, { signal: AbortSignal.timeout(30_000) })).json()
  return {
    env: { LOOP_WATCH_PORT: String(port) },
    node: ["--import", preloaded],
    lag: () => ask("/reset"),
    lagSoFar: () => ask("/"),
    heap: async () => (await ask("/heap")).heap,
    block: async (millis) => void (await ask(`/block?ms=${millis}`))
  }
}

/** What the onlooker measured since the previous call; times in milliseconds. */
export interface Heard {
  readonly asked: number
  /** Its slowest request, without the time in which the onlooker or the service waited for a CPU. */
  readonly slowest: number
  readonly slowestWhat: string
  /** Its slowest request, by the clock. */
  readonly slowestWall: number
  readonly wrong: ReadonlyArray<string>
  /** How often it had to open its stream. */
  readonly streams: number
}

/** A client of another account in a process of its own. */
export interface Onlooker {
  readonly heard: () => Promise<Heard>
  readonly stop: () => void
}

/** Starts the onlooker. `runId`: a waiting run of the account `default`. */
export function onlook(service: Service, runId: string): Onlooker {
  const child: ChildProcess = spawn(process.execPath, [onlooker], {
    env: {
      PATH: process.env["PATH"],
      ONLOOKER_URL: service.url,
      ONLOOKER_KEY: key,
      ONLOOKER_RUN: runId,
      ONLOOKER_PID: String(service.process.pid)
    },
    stdio: ["pipe", "pipe", "inherit"]
  })
  const waiting: Array<(heard: Heard) => void> = []
  createInterface({ input: child.stdout! }).on("line", (line) => waiting.shift()?.(JSON.parse(line)))
  return {
    heard: () =>
      new Promise((resolve) => {
        waiting.push(resolve)
        child.stdin!.write("\n")
      }),
    stop: () => child.kill("SIGKILL")
  }
}
