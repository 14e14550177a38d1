/** Looking on while a process of the service is attacked: from within its event loop, and as a client of another account. */
import { type ChildProcess, spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { freePort, key, type Service } from "../../test/end-to-end/support/Service.ts"

/** As seen from the root of the repository, where rows and tests are run. */
const preloaded = join(process.cwd(), "test/end-to-end/support/loopWatch.mjs")
const onlooker = join(process.cwd(), "test/end-to-end/support/onlooker.mjs")

/** The longest time between two turns of the event loop, in milliseconds: the processor's, and by the clock. */
export interface Lag {
  readonly cpu: number
  readonly wall: number
  /** Since its last turn. */
  readonly open: number
  /** Bytes of the process. */
  readonly rss: number
}

export interface LoopWatch {
  /** For `startService`: the environment and the arguments of a process that is watched. */
  readonly env: Record<string, string>
  readonly node: ReadonlyArray<string>
  /** Since it was asked before. */
  readonly lag: () => Promise<Lag>
  /** The same, and goes on with the measure. */
  readonly lagSoFar: () => Promise<Lag>
  /** Bytes that a full garbage collection leaves. */
  readonly heap: () => Promise<number>
  /** Holds the loop up for so long, beginning now. */
  readonly block: (millis: number) => Promise<void>
}

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

/** What the onlooker met since it was asked before; times in milliseconds. */
export interface Heard {
  readonly asked: number
  /** Its slowest request, without the time in which it or the service were ready and had no processor. */
  readonly slowest: number
  readonly slowestWhat: string
  /** By the clock. */
  readonly slowestWall: number
  readonly wrong: ReadonlyArray<string>
  /** How often it had to open the stream. */
  readonly streams: number
}

export interface Onlooker {
  readonly heard: () => Promise<Heard>
  readonly stop: () => void
}

/** `runId`: a run of the account `default` that waits. */
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
